/* Generated from openapi.json by client/generate.mjs. Do not edit. */

export interface paths {
    "/loan_risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Risk of a loan backed by collateral
         * @description Probabilities of margin call, liquidation, closeout and an underwater loan over the term, mean loss and survival, worst collateral coverage ratio. The whole collateral can be sold at once.
         */
        post: operations["loanRisk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/loan_origination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ratios at which a loan figure reaches a target
         * @description Searches the largest nominal ratio N at which score_variable is within error_tolerance of score_target. Without one in the range, the refusal target-not-reachable names the nearest ratio.
         */
        post: operations["loanOrigination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/var": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Value at risk and expected shortfall
         * @description Value at risk and its tail mean of collateral, loan and net exposure, for each horizon and quantile.
         */
        post: operations["valueAtRisk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/loan_risk_low_liquidity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Risk of a loan with sales limited by market volume
         * @description The loan of /loan_risk with sales capped at the median daily volume of the markets x participation_ratio.
         */
        post: operations["lowLiquidityLoanRisk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/isolated_perp_risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Risk of one isolated perpetual position
         * @description Probabilities of margin call and liquidation, quantiles of return, funding, drawdown, leverage and final equity. The body is flat. Linear contracts are margined in USD, inverse ones in the asset.
         */
        post: operations["isolatedPerpetualRisk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/book_risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Risk of many loans on the same paths
         * @description Losses of a whole book, with sales that take sale_delay and cost sale_cost: per loan the figures of /loan_risk and its part in the tail mean of the loss, and for the book losses, margin calls, forced sales and the largest day of sales.
         */
        post: operations["bookRisk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A book under shocks and replays of history
         * @description The loans of /book_risk under up to 32 scenarios: prices that move at once, hours of history that are replayed loan by loan, and the simulation that follows, on the same paths in all. With compare, the same scenarios under other loan terms.
         */
        post: operations["stress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Back-test of value at risk
         * @description The value at risk of /var at the close of every day from `from` to `to`, without later prices, compared with the close `horizon` days later: exceedances, tests of Kupiec and Christoffersen, quantile score; tests of CVar: Z2, FZ0 against GBM, ESR. With `short_weights`, the net exposure of /var is tested.
         */
        post: operations["backtest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs of the key
         * @description The stored jobs, the latest first.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the job, from the header Location. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * State of a job
         * @description With `Accept: text/event-stream`, events with the state until the job ends.
         */
        get: operations["readJob"];
        put?: never;
        post?: never;
        /**
         * Cancel or delete a job
         * @description Cancels an unfinished job, deletes a finished one.
         */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the job, from the header Location. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Answer of a job
         * @description Status, headers and body of a direct answer.
         */
        get: operations["readJobResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Engines, market data and state of the server
         * @description Computes nothing and needs no key.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process works
         * @description If it does not answer, restart the server. Computes nothing and needs no key.
         */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness for requests
         * @description For load balancers: send no requests while the answer is 503. Computes nothing and needs no key.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Assets that have a price
         * @description Range, gaps, sources and age of every asset, and the symbols that stand for another. Needs a key.
         */
        get: operations["symbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Closes of assets on a day
         * @description The last closes of a window that ends on that day. Needs a key.
         */
        get: operations["prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Windows of history that a stress can replay by name
         * @description Begin, length, and the fall of each asset by closes and by lows. Needs a key.
         */
        get: operations["scenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description
         * @description An OpenAPI 3.1 document, generated from the schemas that validate requests.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A problem document (RFC 9457). `urn:collateral-risk-engine:invalid-request` (422): invalid request. `urn:collateral-risk-engine:missing-market-data` (422): missing market data. `urn:collateral-risk-engine:market-data-unavailable` (503): market data unavailable. `urn:collateral-risk-engine:calibration-failed` (422): calibration failed. `urn:collateral-risk-engine:target-not-reachable` (422): target not reachable. `urn:collateral-risk-engine:work-limit-exceeded` (422): work limit exceeded. `urn:collateral-risk-engine:queue-full` (429): queue full. `urn:collateral-risk-engine:rate-limited` (429): rate limited. `urn:collateral-risk-engine:engine-unavailable` (503): engine unavailable. `urn:collateral-risk-engine:deadline-exceeded` (504): deadline exceeded. `urn:collateral-risk-engine:engine-failed` (500): engine failed. */
        Problem: {
            /**
             * @description Fixed name of the problem; about:blank where the status explains it.
             * @enum {string}
             */
            type: "about:blank" | "urn:collateral-risk-engine:invalid-request" | "urn:collateral-risk-engine:missing-market-data" | "urn:collateral-risk-engine:market-data-unavailable" | "urn:collateral-risk-engine:calibration-failed" | "urn:collateral-risk-engine:target-not-reachable" | "urn:collateral-risk-engine:work-limit-exceeded" | "urn:collateral-risk-engine:queue-full" | "urn:collateral-risk-engine:rate-limited" | "urn:collateral-risk-engine:engine-unavailable" | "urn:collateral-risk-engine:deadline-exceeded" | "urn:collateral-risk-engine:engine-failed";
            /** @description The same in words. */
            title: string;
            /** @description The status of the response. */
            status: number;
            /** @description The problem of this request. */
            detail: string;
            /** @description Every fault; empty if no member is faulty. */
            errors: {
                /**
                 * @description The member with the fault: `params.loan_value`, `header.x-seed`, `query.include`, or `body`.
                 * @example params.loan_value
                 */
                path: string;
                /**
                 * @description Member, bound and the value that was sent.
                 * @example loan_value must be above 0 and at most 1e15 USD; got -1
                 */
                message: string;
            }[];
            /** @description The header x-request-id, at most 64 characters; for a line of /batch followed by a colon and the line number. */
            request_id: string;
        };
        /** @description What the server has to work with at this moment. */
        Health: {
            /**
             * @description degraded: the server was told to have a GPU (COMPUTE=gpu) and has given it up.
             * @enum {string}
             */
            status: "ok" | "degraded";
            /**
             * @description State of the GPU engine at this moment.
             * @enum {string}
             */
            gpu: "none" | "ready" | "restarting" | "given-up";
            /** @description SIMD kernel of the processor; absent where it has none. */
            simd?: {
                /**
                 * @description wasm: WebAssembly; the others are native, by their instructions.
                 * @enum {string}
                 */
                kernel: "wasm" | "sse" | "neon" | "avx2" | "avx512";
                /** @description Paths that it runs side by side. */
                lanes: number;
            };
            /**
             * @description sample: synthetic prices.
             * @enum {string}
             */
            market: "store" | "sample";
            /** @description Of a store: which data, and how old. */
            market_data?: {
                /** @description Short hash of the data and the rules applied to them. */
                version: string;
                /** @description Assets that have a price. */
                assets: number;
                /** @description The asset with the youngest close. */
                youngest?: {
                    /** @description The asset. */
                    symbol: string;
                    /** @description Age of the youngest close. */
                    age_seconds: number;
                };
                /** @description The asset whose youngest close is the oldest. */
                oldest?: {
                    /** @description The asset. */
                    symbol: string;
                    /** @description Age of the youngest close. */
                    age_seconds: number;
                };
            };
        };
        /** @description Every asset that has a price, and the symbols that stand for another. */
        SymbolList: {
            /** @description The assets, sorted by symbol. */
            symbols: {
                /**
                 * @description The asset.
                 * @example BTC
                 */
                symbol: string;
                /**
                 * @description First day with a close.
                 * @example 2017-08-17
                 */
                first_day: string;
                /**
                 * @description Last day with a close.
                 * @example 2026-06-10
                 */
                last_day: string;
                /** @description Days missing between them. */
                missing_days: number;
                /** @description Hourly closes in the store; null where the asset has none. */
                hours: {
                    /**
                     * @description Opening of the first bar.
                     * @example 2020-03-05T00:00Z
                     */
                    first: string;
                    /** @description Opening of the last bar. */
                    last: string;
                    /** @description Bars in the store. */
                    held: number;
                    /** @description Bars missing between them. */
                    missing: number;
                } | null;
                /**
                 * @description The series behind its price.
                 * @example [
                 *       "BTC/USDT binance 1d",
                 *       "BTC/USDT binance 1h"
                 *     ]
                 */
                sources: string[];
                /** @description Other symbols that stand for it. */
                aliases: string[];
                /** @description Age of the youngest close. */
                age_seconds: number;
            }[];
            /** @description The dollar itself: price 1, no volatility, no series. */
            cash: {
                /** @description USD. */
                symbol: string;
                /** @description Other symbols that stand for it. */
                aliases: string[];
            };
        };
        /** @description Names for /stress: historical windows, and scenarios of the server. */
        ScenarioList: {
            /** @description The windows of the program by time, then the scenarios of the server. */
            scenarios: {
                /**
                 * @description Its name in a request.
                 * @example october-2025
                 */
                name: string;
                /** @description What happened. */
                title: string;
                /**
                 * @description End of the bar whose close is the first price (UTC).
                 * @example 2025-10-10T12:00Z
                 */
                from?: string;
                /** @description Length of the window. */
                hours?: number;
                /** @description Largest fall from a highest close within the window, of each asset whose closes ship with the program. */
                drawdowns?: {
                    [key: string]: {
                        /** @description To a close of an hour. */
                        closes: number;
                        /** @description To the lowest price of an hour. */
                        lows: number;
                    };
                };
                /** @description Changes of prices at once, before the window. */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Relative change of every volatility. */
                volatility_shock?: number;
            }[];
        };
        /** @description Closes of assets. */
        PriceList: {
            /**
             * @description Day whose closes these are.
             * @example 06-30-2024
             */
            date: string;
            /**
             * @description End of that day (UTC).
             * @example 2024-07-01T00:00Z
             */
            time: string;
            /** @description One for each asset, in the requested order. */
            prices: {
                /**
                 * @description The asset.
                 * @example BTC
                 */
                symbol: string;
                /** @description Its close. */
                price: number;
                /** @description Whether the close of an earlier day was carried over a gap. */
                carried: boolean;
            }[];
        };
        /** @description A question that is answered later. */
        Job: {
            /**
             * @description Name of the job: 128 random bits.
             * @example gq5hC1yTQGmV0l2dHtRr1g
             */
            id: string;
            /**
             * @description Path of the operation.
             * @example /loan_risk
             */
            operation: string;
            /**
             * @description Where the job is; the last three are final.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "cancelled";
            /** @description Share of the paths of the present pass that are done. */
            share_done: number;
            /** @description Time to the end at the rate so far; null while unknown. */
            seconds_left: number | null;
            /** @description When the job was begun, UTC. */
            created: string;
            /** @description When it left the queue; null before. */
            started: string | null;
            /** @description When it ended; null before. */
            finished: string | null;
            /** @description Path of the result; null where there is none. */
            result: string | null;
        };
        /** @description The jobs of the key. */
        JobList: {
            /** @description The latest first. */
            jobs: {
                /**
                 * @description Name of the job: 128 random bits.
                 * @example gq5hC1yTQGmV0l2dHtRr1g
                 */
                id: string;
                /**
                 * @description Path of the operation.
                 * @example /loan_risk
                 */
                operation: string;
                /**
                 * @description Where the job is; the last three are final.
                 * @enum {string}
                 */
                state: "queued" | "running" | "done" | "failed" | "cancelled";
                /** @description Share of the paths of the present pass that are done. */
                share_done: number;
                /** @description Time to the end at the rate so far; null while unknown. */
                seconds_left: number | null;
                /** @description When the job was begun, UTC. */
                created: string;
                /** @description When it left the queue; null before. */
                started: string | null;
                /** @description When it ended; null before. */
                finished: string | null;
                /** @description Path of the result; null where there is none. */
                result: string | null;
            }[];
        };
        /** @description One question of a batch. */
        BatchLine: {
            /** @description Unique name of the line, 1 to 64 characters. */
            id: string;
            /**
             * @description Path of the operation.
             * @enum {string}
             */
            path: "/loan_risk" | "/loan_origination" | "/var" | "/loan_risk_low_liquidity" | "/isolated_perp_risk" | "/book_risk" | "/stress" | "/backtest";
            /**
             * @description Query, without the question mark.
             * @example include=warnings
             */
            query?: string;
            /** @description Seed, in place of the header x-seed. */
            seed?: number;
            /**
             * @description Engine, in place of the header x-compute.
             * @enum {string}
             */
            compute?: "auto" | "gpu" | "cpu";
            /** @description Body of the request. */
            body: unknown;
        };
        /** @description One line of the answer to a batch. */
        BatchAnswerLine: {
            /** @description Name of the line; null where it could not be read. */
            id: string | null;
            /** @description Number of a line without a name. */
            line?: number;
            /** @description HTTP status of the answer. */
            status: number;
            /** @description Headers of the answer. */
            headers: {
                [key: string]: string;
            };
            /** @description The answer, or a problem document. */
            body: {
                [key: string]: unknown;
            };
        } | {
            /** @description Number of lines answered. */
            done: number;
        };
        /** @description Standard errors and intervals, nested as the result is. */
        Accuracy: {
            [key: string]: unknown;
        };
        /** @description Quantiles, histograms and fans: of a loan, a perpetual, or value at risk. */
        Distribution: {
            /** @description Number of equally weighted scenarios that were counted. */
            scenarios: number;
            /** @description Lowest collateral coverage ratio of a scenario. */
            LowestCCR: {
                /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                resolution: number;
                /** @description Quantiles; the number in a name is the percentage. */
                quantiles: {
                    "q00.1": number | null;
                    "q00.5": number | null;
                    q01: number | null;
                    q05: number | null;
                    q25: number | null;
                    q50: number | null;
                    q75: number | null;
                    q95: number | null;
                    q99: number | null;
                    "q99.5": number | null;
                    "q99.9": number | null;
                };
                /** @description Scenarios by bins, from the first that holds any to the last. */
                histogram: {
                    /** @description Scenarios below the bins. */
                    below: number;
                    /** @description Scenarios in which the value is 0; they are in no bin. */
                    zero: number;
                    /** @description Scenarios above the bins. */
                    above: number;
                    /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                    edges: number[];
                    counts: number[];
                };
            };
            /** @description Collateral coverage ratio at the end of the term. */
            FinalCCR: {
                /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                resolution: number;
                /** @description Quantiles; the number in a name is the percentage. */
                quantiles: {
                    "q00.1": number | null;
                    "q00.5": number | null;
                    q01: number | null;
                    q05: number | null;
                    q25: number | null;
                    q50: number | null;
                    q75: number | null;
                    q95: number | null;
                    q99: number | null;
                    "q99.5": number | null;
                    "q99.9": number | null;
                };
                /** @description Scenarios by bins, from the first that holds any to the last. */
                histogram: {
                    /** @description Scenarios below the bins. */
                    below: number;
                    /** @description Scenarios in which the value is 0; they are in no bin. */
                    zero: number;
                    /** @description Scenarios above the bins. */
                    above: number;
                    /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                    edges: number[];
                    counts: number[];
                };
            };
            /** @description When the states of the loan were first reached. */
            EventsByDay: {
                /** @description Share of the scenarios with a margin call by the end of each day, from the first. */
                MarginCall: number[];
                /** @description Share of the scenarios with a liquidation by the end of each day, from the first. */
                Liquidation: number[];
                /** @description Share of the scenarios with a closeout by the end of each day, from the first. */
                Closeout: number[];
            };
            /** @description Quantiles of the collateral coverage ratio over the term. */
            Fan: {
                /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                resolution: number;
                /** @description Up to 64 times, evenly spaced; the last is the end of the term. */
                days: number[];
                /** @description Quantile 1 % at each time. */
                q01: (number | null)[];
                /** @description Quantile 5 % at each time. */
                q05: (number | null)[];
                /** @description Quantile 25 % at each time. */
                q25: (number | null)[];
                /** @description Quantile 50 % at each time. */
                q50: (number | null)[];
                /** @description Quantile 75 % at each time. */
                q75: (number | null)[];
                /** @description Quantile 95 % at each time. */
                q95: (number | null)[];
                /** @description Quantile 99 % at each time. */
                q99: (number | null)[];
            };
        } | {
            /** @description Number of equally weighted scenarios that were counted. */
            scenarios: number;
            /** @description Equity at the end, 0 after a liquidation. */
            FinalEquity: {
                /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                resolution: number;
                /** @description Quantiles; the number in a name is the percentage. */
                quantiles: {
                    /** @description The amount. */
                    "q00.1": number;
                    /** @description The amount. */
                    "q00.5": number;
                    /** @description The amount. */
                    q01: number;
                    /** @description The amount. */
                    q05: number;
                    /** @description The amount. */
                    q25: number;
                    /** @description The amount. */
                    q50: number;
                    /** @description The amount. */
                    q75: number;
                    /** @description The amount. */
                    q95: number;
                    /** @description The amount. */
                    q99: number;
                    /** @description The amount. */
                    "q99.5": number;
                    /** @description The amount. */
                    "q99.9": number;
                };
                /** @description Scenarios by bins, from the first that holds any to the last. */
                histogram: {
                    /** @description Scenarios below the bins. */
                    below: number;
                    /** @description Scenarios in which the value is 0; they are in no bin. */
                    zero: number;
                    /** @description Scenarios above the bins. */
                    above: number;
                    /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                    edges: number[];
                    counts: number[];
                };
            };
            /** @description Largest fall of equity below its earlier maximum within a scenario. */
            MaxEquityDrawDown: {
                /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                resolution: number;
                /** @description Quantiles; the number in a name is the percentage. */
                quantiles: {
                    /** @description The amount. */
                    "q00.1": number;
                    /** @description The amount. */
                    "q00.5": number;
                    /** @description The amount. */
                    q01: number;
                    /** @description The amount. */
                    q05: number;
                    /** @description The amount. */
                    q25: number;
                    /** @description The amount. */
                    q50: number;
                    /** @description The amount. */
                    q75: number;
                    /** @description The amount. */
                    q95: number;
                    /** @description The amount. */
                    q99: number;
                    /** @description The amount. */
                    "q99.5": number;
                    /** @description The amount. */
                    "q99.9": number;
                };
                /** @description Scenarios by bins, from the first that holds any to the last. */
                histogram: {
                    /** @description Scenarios below the bins. */
                    below: number;
                    /** @description Scenarios in which the value is 0; they are in no bin. */
                    zero: number;
                    /** @description Scenarios above the bins. */
                    above: number;
                    /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                    edges: number[];
                    counts: number[];
                };
            };
            /** @description Quantiles of the mark price over that at the start, whatever became of the position. */
            Fan: {
                /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                resolution: number;
                /** @description Up to 64 times, evenly spaced; the last is the end of the term. */
                days: number[];
                /** @description Quantile 1 % at each time. */
                q01: (number | null)[];
                /** @description Quantile 5 % at each time. */
                q05: (number | null)[];
                /** @description Quantile 25 % at each time. */
                q25: (number | null)[];
                /** @description Quantile 50 % at each time. */
                q50: (number | null)[];
                /** @description Quantile 75 % at each time. */
                q75: (number | null)[];
                /** @description Quantile 95 % at each time. */
                q95: (number | null)[];
                /** @description Quantile 99 % at each time. */
                q99: (number | null)[];
            };
        } | ({
            /** @description Number of equally weighted scenarios that were counted. */
            scenarios: number;
        } & {
            [key: string]: {
                /** @description Value of the collateral. */
                Collateral: {
                    /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                    resolution: number;
                    /** @description Quantiles; the number in a name is the percentage. */
                    quantiles: {
                        /** @description The amount. */
                        "q00.1": number;
                        /** @description The amount. */
                        "q00.5": number;
                        /** @description The amount. */
                        q01: number;
                        /** @description The amount. */
                        q05: number;
                        /** @description The amount. */
                        q25: number;
                        /** @description The amount. */
                        q50: number;
                        /** @description The amount. */
                        q75: number;
                        /** @description The amount. */
                        q95: number;
                        /** @description The amount. */
                        q99: number;
                        /** @description The amount. */
                        "q99.5": number;
                        /** @description The amount. */
                        "q99.9": number;
                    };
                    /** @description Scenarios by bins, from the first that holds any to the last. */
                    histogram: {
                        /** @description Scenarios below the bins. */
                        below: number;
                        /** @description Scenarios in which the value is 0; they are in no bin. */
                        zero: number;
                        /** @description Scenarios above the bins. */
                        above: number;
                        /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                        edges: number[];
                        counts: number[];
                    };
                };
                /** @description Value of the loan. */
                Loan: {
                    /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                    resolution: number;
                    /** @description Quantiles; the number in a name is the percentage. */
                    quantiles: {
                        /** @description The amount. */
                        "q00.1": number;
                        /** @description The amount. */
                        "q00.5": number;
                        /** @description The amount. */
                        q01: number;
                        /** @description The amount. */
                        q05: number;
                        /** @description The amount. */
                        q25: number;
                        /** @description The amount. */
                        q50: number;
                        /** @description The amount. */
                        q75: number;
                        /** @description The amount. */
                        q95: number;
                        /** @description The amount. */
                        q99: number;
                        /** @description The amount. */
                        "q99.5": number;
                        /** @description The amount. */
                        "q99.9": number;
                    };
                    /** @description Scenarios by bins, from the first that holds any to the last. */
                    histogram: {
                        /** @description Scenarios below the bins. */
                        below: number;
                        /** @description Scenarios in which the value is 0; they are in no bin. */
                        zero: number;
                        /** @description Scenarios above the bins. */
                        above: number;
                        /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                        edges: number[];
                        counts: number[];
                    };
                };
                /** @description Collateral less loan. */
                NetExposure: {
                    /** @description Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact. */
                    resolution: number;
                    /** @description Quantiles; the number in a name is the percentage. */
                    quantiles: {
                        /** @description The amount. */
                        "q00.1": number;
                        /** @description The amount. */
                        "q00.5": number;
                        /** @description The amount. */
                        q01: number;
                        /** @description The amount. */
                        q05: number;
                        /** @description The amount. */
                        q25: number;
                        /** @description The amount. */
                        q50: number;
                        /** @description The amount. */
                        q75: number;
                        /** @description The amount. */
                        q95: number;
                        /** @description The amount. */
                        q99: number;
                        /** @description The amount. */
                        "q99.5": number;
                        /** @description The amount. */
                        "q99.9": number;
                    };
                    /** @description Scenarios by bins, from the first that holds any to the last. */
                    histogram: {
                        /** @description Scenarios below the bins. */
                        below: number;
                        /** @description Scenarios in which the value is 0; they are in no bin. */
                        zero: number;
                        /** @description Scenarios above the bins. */
                        above: number;
                        /** @description One more than counts, rising; empty where all scenarios lie outside of the bins. */
                        edges: number[];
                        counts: number[];
                    };
                };
            };
        });
        /** @description The model as fitted, and the window it was fitted to. */
        Model: {
            /** @description Of a loan: for each asset of the collateral, and each of the loan but USD, USDC, USDT and DAI, the prices at which the loan is called and liquidated, all other prices as they are. */
            levels?: {
                [key: string]: {
                    /** @description The close at which the loan was valued, after a shock of prices; null where there is none. */
                    price: number | null;
                    /** @description Where the loan is called. */
                    margin_call: {
                        /** @description The price; null where no price of this asset alone does it, or its close is not available. */
                        price: number | null;
                        /** @description By how many standard deviations of the term the price has to fall, or to rise; below 0 where it is passed already, null where the model has no volatility of it. */
                        deviations: number | null;
                        /**
                         * @description The price is reached by a rise: of an asset of the loan.
                         * @constant
                         */
                        rise?: true;
                    };
                    /** @description Where the loan is liquidated. */
                    liquidation: {
                        /** @description The price; null where no price of this asset alone does it, or its close is not available. */
                        price: number | null;
                        /** @description By how many standard deviations of the term the price has to fall, or to rise; below 0 where it is passed already, null where the model has no volatility of it. */
                        deviations: number | null;
                        /**
                         * @description The price is reached by a rise: of an asset of the loan.
                         * @constant
                         */
                        rise?: true;
                    };
                };
            };
            /** @description Of a loan: its mean loss with nothing sold. */
            expected_loss_usd?: number;
            /** @description Of a loan: what a lender adds to the rate so that the mean loss is paid for, -ln(1 - AvgLossPct / 100) per year of the term; null where no scenario has a loss, which does not mean that none is possible, and where everything is lost. */
            loss_spread?: number | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The simulation plan that the engine ran. */
        Plan: {
            [key: string]: unknown;
        };
        /** @description Everything the header x-warnings names, in sentences. */
        Warnings: {
            /**
             * @description Name of the warning, as in the header x-warnings. `few-paths`: Fewer than 100 paths were simulated: every figure has a large sampling error. `few-tail-scenarios`: Fewer than ten scenarios lie beyond the most extreme quantile, on either side: the figure is an extreme of the sample. `few-rows`: Scenarios are drawn from few rows of the window, and fewer than ten of these rows lie beyond a quantile or lead to an event: the figure is an extreme of the window, whatever the number of paths. `gbm-tail`: A quantile of 99 % or beyond under GBM or GBM_VIX: in back-tests, losses of a day exceeded it more often than forecast, and by more (docs/choosing.md). `few-windows`: The windows of history overlap and have the information of fewer than ten separate ones. `short-lookback`: The model is fitted to fewer than ten days. `daily-grid`: Windows of history or rows of the bootstrap use daily closes, because not every asset has hourly prices: moves within a day are not observed. `bridged-hours`: An asset has daily prices only: its hourly prices between daily closes are simulated, with noise that depends on the seed. `garch-bound`: A GARCH parameter lies on a bound of its range: the window hardly determines it. `nu-bound`: The degrees of freedom of Student's t lie on a bound of their range. `filled`: At least a quarter of the closes of a window were missing and carried forward. `no-volatility-index`: No asset of the request has a volatility index: GBM_VIX gives the figures of GBM. `large-shock`: Volatilities are more than six times those of the window. `grace-covers-term`: The grace period is as long as the term: no call can end in a closeout. `other-volume`: The volume includes a market whose asset is not collateral. `mostly-closed-out`: Most loans are closed out before they can be liquidated, which keeps PrLiquidation low. `replay-proxy`: A replay uses the returns of another asset, or a constant price of 1, for an asset without hourly prices. `replay-ended`: Prices end before all sales ordered in a replay are executed: the last price is used for the rest. `tape-remark`: The loan tape (text/csv) has contradictions, such as an amount that does not match its value, columns that are not used, or gaps that were filled, such as the horizon for a missing maturity. `stair-spans-target`: The score of an origination jumps over its target between two neighbouring candidates.
             * @enum {string}
             */
            code: "few-paths" | "few-tail-scenarios" | "few-rows" | "gbm-tail" | "few-windows" | "short-lookback" | "daily-grid" | "bridged-hours" | "garch-bound" | "nu-bound" | "filled" | "no-volatility-index" | "large-shock" | "grace-covers-term" | "other-volume" | "mostly-closed-out" | "replay-proxy" | "replay-ended" | "tape-remark" | "stair-spans-target";
            /** @description What to know before relying on the figures. */
            message: string;
        }[];
        LoanRiskAnswer: {
            Arguments: {
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                collateral_weights: {
                    [key: string]: number;
                };
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                loan_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Initial loan value. */
                loan_value: number;
                /** @description Liquidation ratio. */
                L: number;
                /** @description L as it was sent, as loan over collateral. */
                liquidation_ltv?: number;
                /** @description Amounts of the collateral as sent, under upper-case symbols; weights follow from them. */
                collateral?: {
                    [key: string]: number;
                };
                /** @description Amounts of the loan as sent, under upper-case symbols; weights follow from them. */
                loan?: {
                    [key: string]: number;
                };
                /** @description Prices at which amounts were valued; only with amounts. */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio. */
                N: number;
                /** @description N as it was sent, as loan over collateral. */
                initial_ltv?: number;
                /** @description Margin call ratio. */
                M: number;
                /** @description M as it was sent, as loan over collateral. */
                margin_call_ltv?: number;
                /** @description Recovery ratio. */
                R: number;
                /** @description R as it was sent, as loan over collateral. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Volatility index at the last close of the window; GBM_VIX only. */
                vix_data?: {
                    /** @description Level of the volatility index of BTC. */
                    BTC: number;
                    /** @description Level of the volatility index of ETH. */
                    ETH: number;
                };
            };
            Output: {
                /** @description Mean loss of the lender at the end of the term, with nothing sold. */
                AvgLossPct: number;
                /** @description Mean share of the term before a liquidation or a closeout. */
                AvgSurvivalRate: number;
                /** @description Share of the scenarios in which a margin call is not cured by its deadline. */
                PrCloseout: number;
                /** @description Share of the scenarios in which the ratio falls below L before a closeout. */
                PrLiquidation: number;
                /** @description Share of the scenarios with at least one margin call. */
                PrMarginCall: number;
                /** @description Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold. */
                PrUnderwater: number;
                /** @description Lowest collateral coverage ratio over all scenarios and steps. Null with sampling=tail. */
                WorstCaseCCR: number | null;
                /** @description Share of the scenarios in which the borrower answers a margin call; with top_up only. */
                PrTopUp?: number;
                /** @description Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only. */
                AvgTopUpPct?: number;
                /** @description Volatility of the collateral basket; absent for HISTORICAL. */
                "Collateral Volatility"?: number;
                /** @description Volatility of the loan basket; absent for HISTORICAL. */
                "Loan Volatility"?: number;
                /** @description Correlation of the log returns of both baskets; absent for HISTORICAL. */
                "Collateral/Loan Correlation"?: number;
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Distribution?: components["schemas"]["Distribution"];
            Model?: components["schemas"]["Model"];
            Plan?: components["schemas"]["Plan"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** LoanRiskRequest_GBM */
        LoanRiskRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanRiskRequest_GBM_VIX */
        LoanRiskRequest_GBM_VIX: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM_VIX";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** LoanRiskRequest_HISTORICAL */
        LoanRiskRequest_HISTORICAL: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "HISTORICAL";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** LoanRiskRequest_STUDENT_T */
        LoanRiskRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanRiskRequest_FHS */
        LoanRiskRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanRiskRequest_FHS_EVT */
        LoanRiskRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanRiskRequest_BOOTSTRAP */
        LoanRiskRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        LoanOriginationAnswer: {
            Arguments: {
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                collateral_weights: {
                    [key: string]: number;
                };
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                loan_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Initial loan value. */
                loan_value: number;
                /** @description Liquidation ratio. */
                L: number;
                /** @description L as it was sent, as loan over collateral. */
                liquidation_ltv?: number;
                /** @description Amounts of the loan as sent, under upper-case symbols; weights follow from them. */
                loan?: {
                    [key: string]: number;
                };
                /** @description Prices at which amounts were valued; only with amounts. */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description The search as sent. */
                opt_param: {
                    [key: string]: unknown;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Nominal ratio. */
                N: number;
                /** @description Margin call ratio. */
                M: number;
                /** @description Recovery ratio. */
                R: number;
                /** @description Volatility index at the last close of the window; GBM_VIX only. */
                vix_data?: {
                    /** @description Level of the volatility index of BTC. */
                    BTC: number;
                    /** @description Level of the volatility index of ETH. */
                    ETH: number;
                };
            };
            Output: {
                /** @description Mean loss of the lender at the end of the term, with nothing sold. */
                AvgLossPct: number;
                /** @description Mean share of the term before a liquidation or a closeout. */
                AvgSurvivalRate: number;
                /** @description Share of the scenarios in which a margin call is not cured by its deadline. */
                PrCloseout: number;
                /** @description Share of the scenarios in which the ratio falls below L before a closeout. */
                PrLiquidation: number;
                /** @description Share of the scenarios with at least one margin call. */
                PrMarginCall: number;
                /** @description Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold. */
                PrUnderwater: number;
                /** @description Lowest collateral coverage ratio over all scenarios and steps. */
                WorstCaseCCR: number;
                /** @description Volatility of the collateral basket; absent for HISTORICAL. */
                "Collateral Volatility"?: number;
                /** @description Volatility of the loan basket; absent for HISTORICAL. */
                "Loan Volatility"?: number;
                /** @description Correlation of the log returns of both baskets; absent for HISTORICAL. */
                "Collateral/Loan Correlation"?: number;
                /** @description Nominal ratio found. */
                N: number;
                /** @description Margin call ratio that goes with it. */
                M: number;
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Distribution?: components["schemas"]["Distribution"];
            Model?: components["schemas"]["Model"];
            Plan?: components["schemas"]["Plan"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** LoanOriginationRequest_GBM */
        LoanOriginationRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanOriginationRequest_GBM_VIX */
        LoanOriginationRequest_GBM_VIX: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM_VIX";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** LoanOriginationRequest_HISTORICAL */
        LoanOriginationRequest_HISTORICAL: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "HISTORICAL";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** LoanOriginationRequest_STUDENT_T */
        LoanOriginationRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanOriginationRequest_FHS */
        LoanOriginationRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanOriginationRequest_FHS_EVT */
        LoanOriginationRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LoanOriginationRequest_BOOTSTRAP */
        LoanOriginationRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Which figure shall come to which value, and where to search. */
                opt_param: {
                    /**
                     * @description The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.
                     * @enum {string}
                     */
                    score_variable: "PrCloseout" | "PrLiquidation" | "PrForcedSale" | "PrMarginCall" | "PrUnderwater" | "WorstCaseCCR";
                    /** @description Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR. */
                    score_target: number;
                    /** @description Least value of N, M and R. */
                    variable_min: number;
                    /** @description Largest value of N, M and R; above variable_min and L. */
                    variable_max: number;
                    /** @description Largest distance from score_target at which a candidate reaches it. */
                    error_tolerance: number;
                    /** @description Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default. */
                    M?: number | "midpoint";
                    /** @description Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default. */
                    R?: number | "N";
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        ValueAtRiskAnswer: {
            Arguments: {
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                collateral_weights: {
                    [key: string]: number;
                };
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                loan_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons as sent. */
                var_duration: number[];
                /** @description Levels as sent. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Volatility index at the last close of the window; GBM_VIX only. */
                vix_data?: {
                    /** @description Level of the volatility index of BTC. */
                    BTC: number;
                    /** @description Level of the volatility index of ETH. */
                    ETH: number;
                };
                /** @description Days of prices read, over model_lookback. */
                lookback_factor: number;
                /** @description Length of a step of the grid; HISTORICAL only. */
                dt?: number;
                /** @description Longest horizon; HISTORICAL only. */
                var_duration_max?: number;
            };
            /** @description The key of a horizon is its number of days; of a quantile, its level. */
            Output: {
                /** @description Volatility of the collateral basket; absent for HISTORICAL. */
                "Collateral Volatility"?: number;
                /** @description Volatility of the loan basket; absent for HISTORICAL. */
                "Loan Volatility"?: number;
                /** @description Correlation of the log returns of both baskets; absent for HISTORICAL. */
                "Collateral/Loan Correlation"?: number;
            } & {
                [key: string]: {
                    [key: string]: {
                        /** @description Quantile of the value of the collateral: it is lower in a share 1 - q of the scenarios. */
                        CollateralVar: number;
                        /** @description Mean of the value of the collateral over the scenarios at or below that quantile. */
                        CollateralCVar: number;
                        /** @description Quantile of the value of the loan: it is lower in a share 1 - q of the scenarios. */
                        LoanVar: number;
                        /** @description Mean of the value of the loan over the scenarios at or below that quantile. */
                        LoanCVar: number;
                        /** @description Quantile of the net exposure (collateral less loan, negative is a loss): it is lower in a share 1 - q of the scenarios. */
                        NetExposureVar: number;
                        /** @description Mean of the net exposure (collateral less loan, negative is a loss) over the scenarios at or below that quantile. */
                        NetExposureCVar: number;
                    };
                };
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Distribution?: components["schemas"]["Distribution"];
            Model?: components["schemas"]["Model"];
            Plan?: components["schemas"]["Plan"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** ValueAtRiskRequest_GBM */
        ValueAtRiskRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** ValueAtRiskRequest_GBM_VIX */
        ValueAtRiskRequest_GBM_VIX: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM_VIX";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** ValueAtRiskRequest_HISTORICAL */
        ValueAtRiskRequest_HISTORICAL: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "HISTORICAL";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** ValueAtRiskRequest_STUDENT_T */
        ValueAtRiskRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** ValueAtRiskRequest_FHS */
        ValueAtRiskRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** ValueAtRiskRequest_FHS_EVT */
        ValueAtRiskRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** ValueAtRiskRequest_BOOTSTRAP */
        ValueAtRiskRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizons of the value at risk, in any order. */
                var_duration: number[];
                /** @description Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /** @description Value of the loan today. */
                loan_value: number;
                /** @description Value of the collateral today. */
                collateral_value: number;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        LowLiquidityLoanRiskAnswer: {
            Arguments: {
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                collateral_weights: {
                    [key: string]: number;
                };
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                loan_weights: {
                    [key: string]: number;
                };
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Initial loan value. */
                loan_value: number;
                /** @description Liquidation ratio. */
                L: number;
                /** @description L as it was sent, as loan over collateral. */
                liquidation_ltv?: number;
                /** @description Amounts of the collateral as sent, under upper-case symbols; weights follow from them. */
                collateral?: {
                    [key: string]: number;
                };
                /** @description Amounts of the loan as sent, under upper-case symbols; weights follow from them. */
                loan?: {
                    [key: string]: number;
                };
                /** @description Prices at which amounts were valued; only with amounts. */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio. */
                N: number;
                /** @description N as it was sent, as loan over collateral. */
                initial_ltv?: number;
                /** @description Margin call ratio. */
                M: number;
                /** @description M as it was sent, as loan over collateral. */
                margin_call_ltv?: number;
                /** @description Recovery ratio. */
                R: number;
                /** @description R as it was sent, as loan over collateral. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs: base and quote upper-case, exchange lower-case. */
                markets: string[][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Volatility index at the last close of the window; GBM_VIX only. */
                vix_data?: {
                    /** @description Level of the volatility index of BTC. */
                    BTC: number;
                    /** @description Level of the volatility index of ETH. */
                    ETH: number;
                };
            };
            Output: {
                /** @description Share of the scenarios with at least one margin call. */
                PrMarginCall: number;
                /** @description Share of the scenarios in which the ratio falls below L before a closeout. */
                PrLiquidation: number;
                /** @description Share of the scenarios in which what is left of the collateral is worth less than what is left of the debt at some step, sales included. */
                PrUnderwater: number;
                /** @description Share of the scenarios in which a margin call is not cured by its deadline. */
                PrCloseout: number;
                /** @description Mean amount of a margin call, over all calls; 0 without any. */
                AvgMarginCall: number;
                /** @description Mean amount sold, over the scenarios that sell; 0 without any. */
                AvgLiquidation: number;
                /** @description Lowest collateral coverage ratio over all scenarios and steps. */
                WorstCaseCCR: number;
                /** @description Share of the scenarios in which the borrower answers a margin call; with top_up only. */
                PrTopUp?: number;
                /** @description Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only. */
                AvgTopUpPct?: number;
                /** @description Volatility of the collateral basket; absent for HISTORICAL. */
                "Collateral Volatility"?: number;
                /** @description Volatility of the loan basket; absent for HISTORICAL. */
                "Loan Volatility"?: number;
                /** @description Correlation of the log returns of both baskets; absent for HISTORICAL. */
                "Collateral/Loan Correlation"?: number;
                /** @description Daily volume summed over the markets, within volume_lookback. */
                "Volume Summary (per Million)": {
                    /** @description Mean of the daily volumes. */
                    Mean: number;
                    /** @description Lowest daily volume. */
                    Minimum: number;
                    /** @description First quartile of the daily volumes. */
                    "25% Quantile": number;
                    /** @description Median of the daily volumes. */
                    Median: number;
                    /** @description Third quartile of the daily volumes. */
                    "75% Quantile": number;
                    /** @description Highest daily volume. */
                    Maximum: number;
                };
                /** @description Most that can be sold in a day: median daily volume x participation_ratio. */
                "Maximum Market Daily Liquidation": number;
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Distribution?: components["schemas"]["Distribution"];
            Model?: components["schemas"]["Model"];
            Plan?: components["schemas"]["Plan"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** LowLiquidityLoanRiskRequest_GBM */
        LowLiquidityLoanRiskRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs whose daily volumes are summed. */
                markets: [
                    string,
                    string,
                    string
                ][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LowLiquidityLoanRiskRequest_GARCH */
        LowLiquidityLoanRiskRequest_GARCH: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GARCH";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs whose daily volumes are summed. */
                markets: [
                    string,
                    string,
                    string
                ][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LowLiquidityLoanRiskRequest_STUDENT_T */
        LowLiquidityLoanRiskRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs whose daily volumes are summed. */
                markets: [
                    string,
                    string,
                    string
                ][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LowLiquidityLoanRiskRequest_FHS */
        LowLiquidityLoanRiskRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs whose daily volumes are summed. */
                markets: [
                    string,
                    string,
                    string
                ][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LowLiquidityLoanRiskRequest_FHS_EVT */
        LowLiquidityLoanRiskRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs whose daily volumes are summed. */
                markets: [
                    string,
                    string,
                    string
                ][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** LowLiquidityLoanRiskRequest_BOOTSTRAP */
        LowLiquidityLoanRiskRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /**
                 * @description Assets of the collateral and their shares of its value; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                collateral_weights?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                loan_weights?: {
                    [key: string]: number;
                };
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Term of the loan. */
                loan_duration: number;
                /** @description Grace period from a margin call to its deadline. */
                mc_top_up: number;
                /** @description Value of the loan at the start; no ratio depends on it. */
                loan_value?: number;
                /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                L?: number;
                /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                liquidation_ltv?: number;
                /**
                 * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                collateral?: {
                    [key: string]: number;
                };
                /**
                 * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                 * @example {
                 *       "BTC": 12.5
                 *     }
                 */
                loan?: {
                    [key: string]: number;
                };
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                N?: number;
                /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                initial_ltv?: number;
                /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                M?: number;
                /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                margin_call_ltv?: number;
                /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                R?: number;
                /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                recovery_ltv?: number;
                /** @description Length of the window of daily trading volumes; it ends on analysis_date. */
                volume_lookback: number;
                /** @description Trading pairs whose daily volumes are summed. */
                markets: [
                    string,
                    string,
                    string
                ][];
                /** @description Largest share of the median daily volume that may be sold in a day. */
                participation_ratio: number;
                /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                called_hours_ago?: number;
                /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                interest_rate?: number;
                /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                top_up?: {
                    /** @description Probability that the borrower answers a margin call. */
                    share: number;
                    /** @description Hours from a margin call to the answer; at most mc_top_up. */
                    delay_hours: number;
                    /** @description Ratio after the top-up: above M and at least R. Default: R. */
                    to?: number;
                    /** @description The same as an LTV, loan over collateral: 1 / to. */
                    to_ltv?: number;
                };
                /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                borrower?: string;
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        IsolatedPerpetualRiskAnswer: {
            Arguments: {
                /** @description Symbol of the asset, upper-case. */
                market: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Holding time of the position, one step an hour. */
                trade_duration_hours: number;
                /**
                 * @description Funding method, as sent.
                 * @enum {string}
                 */
                funding_method: "flat" | "debitflat";
                /** @description Price at which the position was opened. */
                entry_price: number;
                /** @description Margin deposited. */
                initial_margin: number;
                /** @description Size of the position; negative is short, 0 is refused. */
                position_size: number;
                /** @description Funding rate per interval; longs pay shorts if it is positive. */
                funding_rate: number;
                /** @description Time between two funding payments. */
                funding_interval_hour: number;
                /** @description Maintenance margin rate. Default: the rate of the server for the market. */
                maintenance_margin_rate?: number;
                /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
                taker_fee_rate?: number;
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Profit or loss at the start, as used. */
                unrealized_pnl: number;
                /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                price_shock?: {
                    [key: string]: number;
                };
                /**
                 * @description Contract type, as sent.
                 * @enum {string}
                 */
                contract_type: "linear" | "inverse";
                /** @description Value of a contract. */
                contract_value_usd?: number;
                /** @description Asset units per contract. */
                contract_size?: number;
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Methodology, as sent. */
                model: string;
            };
            Results: {
                /** @description Share of the scenarios in which equity falls to 1.25 times the maintenance margin. */
                PrMarginCall: number;
                /** @description Share of the scenarios in which equity falls to the maintenance margin. */
                PrLiquidation: number;
                /** @description Change of equity over the trade, relative to initial_margin. */
                Roi: {
                    /** @description Quantile 1 %. */
                    q01: number;
                    /** @description Quantile 5 %. */
                    q05: number;
                    /** @description Quantile 10 %. */
                    q10: number;
                    /** @description Quantile 25 %. */
                    q25: number;
                    /** @description Quantile 50 %. */
                    q50: number;
                    /** @description Quantile 75 %. */
                    q75: number;
                    /** @description Quantile 90 %. */
                    q90: number;
                    /** @description Quantile 95 %. */
                    q95: number;
                    /** @description Quantile 99 %. */
                    q99: number;
                };
                /** @description Funding received, less funding paid. */
                AccFunding: {
                    /** @description Quantile 1 %. */
                    q01: number;
                    /** @description Quantile 5 %. */
                    q05: number;
                    /** @description Quantile 10 %. */
                    q10: number;
                    /** @description Quantile 25 %. */
                    q25: number;
                    /** @description Quantile 50 %. */
                    q50: number;
                    /** @description Quantile 75 %. */
                    q75: number;
                    /** @description Quantile 90 %. */
                    q90: number;
                    /** @description Quantile 95 %. */
                    q95: number;
                    /** @description Quantile 99 %. */
                    q99: number;
                };
                /** @description Largest fall of equity below its earlier maximum within a scenario. */
                MaxEquityDrawDown: {
                    /** @description Quantile 1 %. */
                    q01: number;
                    /** @description Quantile 5 %. */
                    q05: number;
                    /** @description Quantile 10 %. */
                    q10: number;
                    /** @description Quantile 25 %. */
                    q25: number;
                    /** @description Quantile 50 %. */
                    q50: number;
                    /** @description Quantile 75 %. */
                    q75: number;
                    /** @description Quantile 90 %. */
                    q90: number;
                    /** @description Quantile 95 %. */
                    q95: number;
                    /** @description Quantile 99 %. */
                    q99: number;
                };
                /** @description Median of notional over equity within a scenario. */
                Leverage: {
                    /** @description Quantile 1 %. */
                    q01: number;
                    /** @description Quantile 5 %. */
                    q05: number;
                    /** @description Quantile 10 %. */
                    q10: number;
                    /** @description Quantile 25 %. */
                    q25: number;
                    /** @description Quantile 50 %. */
                    q50: number;
                    /** @description Quantile 75 %. */
                    q75: number;
                    /** @description Quantile 90 %. */
                    q90: number;
                    /** @description Quantile 95 %. */
                    q95: number;
                    /** @description Quantile 99 %. */
                    q99: number;
                };
                /** @description Equity at the end, 0 after a liquidation. */
                FinalEquity: {
                    /** @description Quantile 1 %. */
                    q01: number;
                    /** @description Quantile 5 %. */
                    q05: number;
                    /** @description Quantile 10 %. */
                    q10: number;
                    /** @description Quantile 25 %. */
                    q25: number;
                    /** @description Quantile 50 %. */
                    q50: number;
                    /** @description Quantile 75 %. */
                    q75: number;
                    /** @description Quantile 90 %. */
                    q90: number;
                    /** @description Quantile 95 %. */
                    q95: number;
                    /** @description Quantile 99 %. */
                    q99: number;
                };
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Distribution?: components["schemas"]["Distribution"];
            Model?: components["schemas"]["Model"];
            Plan?: components["schemas"]["Plan"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** IsolatedPerpetualRiskRequest_GBM_linear */
        IsolatedPerpetualRiskRequest_GBM_linear: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "linear";
            /** @description Asset units per contract (linear). */
            contract_size: number;
            /** @description Value of a contract (inverse). */
            contract_value_usd?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "GBM";
        };
        /** IsolatedPerpetualRiskRequest_GBM_inverse */
        IsolatedPerpetualRiskRequest_GBM_inverse: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "inverse";
            /** @description Value of a contract (inverse). */
            contract_value_usd: number;
            /** @description Asset units per contract (linear). */
            contract_size?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "GBM";
        };
        /** IsolatedPerpetualRiskRequest_HISTORICAL_linear */
        IsolatedPerpetualRiskRequest_HISTORICAL_linear: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "linear";
            /** @description Asset units per contract (linear). */
            contract_size: number;
            /** @description Value of a contract (inverse). */
            contract_value_usd?: number;
            /** @description Number of Monte Carlo paths. */
            mc_iter?: number;
            /**
             * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
             * @constant
             */
            volatility_shock?: 0;
            /** @constant */
            model: "HISTORICAL";
        };
        /** IsolatedPerpetualRiskRequest_HISTORICAL_inverse */
        IsolatedPerpetualRiskRequest_HISTORICAL_inverse: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "inverse";
            /** @description Value of a contract (inverse). */
            contract_value_usd: number;
            /** @description Asset units per contract (linear). */
            contract_size?: number;
            /** @description Number of Monte Carlo paths. */
            mc_iter?: number;
            /**
             * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
             * @constant
             */
            volatility_shock?: 0;
            /** @constant */
            model: "HISTORICAL";
        };
        /** IsolatedPerpetualRiskRequest_STUDENT_T_linear */
        IsolatedPerpetualRiskRequest_STUDENT_T_linear: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "linear";
            /** @description Asset units per contract (linear). */
            contract_size: number;
            /** @description Value of a contract (inverse). */
            contract_value_usd?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "STUDENT_T";
        };
        /** IsolatedPerpetualRiskRequest_STUDENT_T_inverse */
        IsolatedPerpetualRiskRequest_STUDENT_T_inverse: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "inverse";
            /** @description Value of a contract (inverse). */
            contract_value_usd: number;
            /** @description Asset units per contract (linear). */
            contract_size?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "STUDENT_T";
        };
        /** IsolatedPerpetualRiskRequest_FHS_linear */
        IsolatedPerpetualRiskRequest_FHS_linear: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "linear";
            /** @description Asset units per contract (linear). */
            contract_size: number;
            /** @description Value of a contract (inverse). */
            contract_value_usd?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "FHS";
        };
        /** IsolatedPerpetualRiskRequest_FHS_inverse */
        IsolatedPerpetualRiskRequest_FHS_inverse: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "inverse";
            /** @description Value of a contract (inverse). */
            contract_value_usd: number;
            /** @description Asset units per contract (linear). */
            contract_size?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "FHS";
        };
        /** IsolatedPerpetualRiskRequest_FHS_EVT_linear */
        IsolatedPerpetualRiskRequest_FHS_EVT_linear: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "linear";
            /** @description Asset units per contract (linear). */
            contract_size: number;
            /** @description Value of a contract (inverse). */
            contract_value_usd?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "FHS_EVT";
        };
        /** IsolatedPerpetualRiskRequest_FHS_EVT_inverse */
        IsolatedPerpetualRiskRequest_FHS_EVT_inverse: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "inverse";
            /** @description Value of a contract (inverse). */
            contract_value_usd: number;
            /** @description Asset units per contract (linear). */
            contract_size?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "FHS_EVT";
        };
        /** IsolatedPerpetualRiskRequest_BOOTSTRAP_linear */
        IsolatedPerpetualRiskRequest_BOOTSTRAP_linear: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "linear";
            /** @description Asset units per contract (linear). */
            contract_size: number;
            /** @description Value of a contract (inverse). */
            contract_value_usd?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "BOOTSTRAP";
        };
        /** IsolatedPerpetualRiskRequest_BOOTSTRAP_inverse */
        IsolatedPerpetualRiskRequest_BOOTSTRAP_inverse: {
            /**
             * @description Symbol of the underlying asset, in any case.
             * @example BTC
             */
            market: string;
            /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
            model_lookback: number;
            /** @description Holding time of the position, one step an hour. */
            trade_duration_hours: number;
            /**
             * @description flat: funding is paid and received; debitflat: it is only paid.
             * @enum {string}
             */
            funding_method: "flat" | "debitflat";
            /** @description Price at which the position was opened. */
            entry_price: number;
            /** @description Margin deposited: USD for linear, asset units for inverse contracts. */
            initial_margin: number;
            /** @description Size of the position; negative is short, 0 is refused. */
            position_size: number;
            /** @description Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback. */
            funding_rate: number | "historical";
            /** @description Time between two funding payments. */
            funding_interval_hour: number;
            /** @description Maintenance margin rate. Default: the rate of the server for the market. */
            maintenance_margin_rate?: number;
            /** @description Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee. */
            taker_fee_rate?: number;
            /** @description Last day of the price window, at most today (UTC). Default: today. */
            analysis_date?: string;
            /**
             * @description Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. It determines the initial mark price, not the last close: 0 means entry_price.
             * @default 0
             */
            unrealized_pnl?: number;
            /**
             * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
             * @example {
             *       "BTC": -0.3,
             *       "*": -0.2
             *     }
             */
            price_shock?: {
                [key: string]: number;
            };
            /** @constant */
            contract_type: "inverse";
            /** @description Value of a contract (inverse). */
            contract_value_usd: number;
            /** @description Asset units per contract (linear). */
            contract_size?: number;
            /**
             * @description Number of Monte Carlo paths.
             * @default 1000
             */
            mc_iter?: number;
            /**
             * @description Relative change of every volatility: 0.1 is 10 % more.
             * @default 0
             */
            volatility_shock?: number;
            /** @constant */
            model: "BOOTSTRAP";
        };
        BookRiskAnswer: {
            Arguments: {
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Delay of sales, as used. */
                sale_delay: number;
                /** @description Cost of sales, as used. */
                sale_cost: number;
                /** @description Levels as sent. */
                quantile: number[];
                /** @description Prices at which amounts were valued; only with amounts. */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans as processed. */
                loans: {
                    /** @description Name of the loan. */
                    id: string;
                    /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                    collateral_weights: {
                        [key: string]: number;
                    };
                    /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                    loan_weights: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Initial loan value. */
                    loan_value: number;
                    /** @description Liquidation ratio. */
                    L: number;
                    /** @description L as it was sent, as loan over collateral. */
                    liquidation_ltv?: number;
                    /** @description Amounts of the collateral as sent, under upper-case symbols; weights follow from them. */
                    collateral?: {
                        [key: string]: number;
                    };
                    /** @description Amounts of the loan as sent, under upper-case symbols; weights follow from them. */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio. */
                    N: number;
                    /** @description N as it was sent, as loan over collateral. */
                    initial_ltv?: number;
                    /** @description Margin call ratio. */
                    M: number;
                    /** @description M as it was sent, as loan over collateral. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio. */
                    R: number;
                    /** @description R as it was sent, as loan over collateral. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Volatility index at the last close of the window; GBM_VIX only. */
                vix_data?: {
                    /** @description Level of the volatility index of BTC. */
                    BTC: number;
                    /** @description Level of the volatility index of ETH. */
                    ETH: number;
                };
            };
            Output: {
                /** @description Figures of each loan, by its id. */
                Loans: {
                    [key: string]: {
                        /** @description Mean loss of the lender at the end of the term, with nothing sold. */
                        AvgLossPct: number;
                        /** @description Mean share of the term before a liquidation or a closeout. */
                        AvgSurvivalRate: number;
                        /** @description Share of the scenarios in which a margin call is not cured by its deadline. */
                        PrCloseout: number;
                        /** @description Share of the scenarios in which the ratio falls below L before a closeout. */
                        PrLiquidation: number;
                        /** @description Share of the scenarios with at least one margin call. */
                        PrMarginCall: number;
                        /** @description Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold. */
                        PrUnderwater: number;
                        /** @description Lowest collateral coverage ratio over all scenarios and steps. Null with sampling=tail. */
                        WorstCaseCCR: number | null;
                        /** @description Mean loss with delayed and costly sales. */
                        ExpectedLoss: number;
                        /** @description Part of the loan in LossCVar of the book. */
                        CVarContribution: {
                            [key: string]: number;
                        };
                        /**
                         * @description State of the loan at the start; absent if open.
                         * @enum {string}
                         */
                        Status?: "called" | "liquidated";
                        /** @description Share of the scenarios in which some of it is sold; with partial_sale. */
                        PrSale?: number;
                        /** @description Mean number of sales; with partial_sale. */
                        AvgSales?: number;
                        /** @description Mean of what is sold, at the prices of each sale; with partial_sale. */
                        AvgSoldPct?: number;
                        /** @description Share of the scenarios in which the borrower answers a margin call; with top_up only. */
                        PrTopUp?: number;
                        /** @description Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only. */
                        AvgTopUpPct?: number;
                    };
                };
                /** @description Figures of all loans together. */
                Book: {
                    /** @description Sum of the loan values. */
                    LoanValue: number;
                    /** @description Mean loss. */
                    ExpectedLoss: number;
                    /** @description Share of the scenarios with any loss. */
                    PrLoss: number;
                    /** @description Quantiles of the loss. */
                    LossVar: {
                        [key: string]: number;
                    };
                    /** @description Mean loss over the worst 1 - q of the scenarios. */
                    LossCVar: {
                        [key: string]: number;
                    };
                    /** @description The book without sales. */
                    Unsold: {
                        /** @description Mean loss with nothing sold. */
                        ExpectedLoss: number;
                        /** @description Share of the scenarios with any loss with nothing sold. */
                        PrLoss: number;
                        /** @description Quantiles of the loss with nothing sold. */
                        LossVar: {
                            [key: string]: number;
                        };
                        /** @description Mean loss with nothing sold over the worst 1 - q of the scenarios. */
                        LossCVar: {
                            [key: string]: number;
                        };
                    };
                    /** @description Loans that are called. */
                    MarginCalls: {
                        /** @description Mean number of loans that are called. */
                        Mean: number;
                        /** @description Quantiles of that number. */
                        Quantiles: {
                            [key: string]: number;
                        };
                    };
                    /** @description Loans whose collateral is sold. */
                    ForcedSales: {
                        /** @description Mean number of loans that are liquidated or closed out. */
                        Mean: number;
                        /** @description Quantiles of that number. */
                        Quantiles: {
                            [key: string]: number;
                        };
                    };
                    /** @description Sales over the whole term. */
                    ForcedSaleUsd: {
                        /** @description Mean amount of collateral sold. */
                        Mean: number;
                        /** @description Quantiles of the amount of collateral sold. */
                        Quantiles: {
                            [key: string]: number;
                        };
                        /** @description Mean amount of collateral sold over the largest 1 - q of the scenarios. */
                        CVar: {
                            [key: string]: number;
                        };
                    };
                    /** @description The 24 hours with the largest sales. */
                    PeakDay: {
                        /** @description Mean amount sold within 24 hours. */
                        Mean: number;
                        /** @description Quantiles of the amount sold within 24 hours. */
                        Quantiles: {
                            [key: string]: number;
                        };
                        /** @description Mean amount sold within 24 hours over the largest 1 - q of the scenarios. */
                        CVar: {
                            [key: string]: number;
                        };
                    };
                    /** @description Collateral that borrowers add; where a loan has top_up. */
                    TopUpUsd?: {
                        /** @description Mean amount that answers to calls add. */
                        Mean: number;
                        /** @description Quantiles of the amount that answers to calls add. */
                        Quantiles: {
                            [key: string]: number;
                        };
                    };
                    /** @description Collateral assets by symbol. */
                    Assets: {
                        [key: string]: {
                            /** @description Share of the collateral of the book at the start. */
                            CollateralShare: number;
                            /** @description Part of the asset in CVar of PeakDay. */
                            PeakDayCVar: {
                                [key: string]: number;
                            };
                            /** @description Part of the asset in LossCVar, by its weight in the collateral. */
                            LossCVar: {
                                [key: string]: number;
                            };
                        };
                    };
                };
                /** @description Figures by borrower; absent if no loan names one. */
                Borrowers?: {
                    [key: string]: {
                        /** @description Sum of the loan values. */
                        LoanValue: number;
                        /** @description Mean loss with delayed and costly sales. */
                        ExpectedLoss: number;
                        /** @description Part of the loans in LossCVar of the book. */
                        CVarContribution: {
                            [key: string]: number;
                        };
                    };
                };
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Model?: components["schemas"]["Model"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** BookRiskRequest_GBM */
        BookRiskRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BookRiskRequest_GBM_VIX */
        BookRiskRequest_GBM_VIX: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM_VIX";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** BookRiskRequest_HISTORICAL */
        BookRiskRequest_HISTORICAL: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "HISTORICAL";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** BookRiskRequest_STUDENT_T */
        BookRiskRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BookRiskRequest_FHS */
        BookRiskRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BookRiskRequest_FHS_EVT */
        BookRiskRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BookRiskRequest_BOOTSTRAP */
        BookRiskRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /**
                 * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                 * @example {
                 *       "BTC": -0.3,
                 *       "*": -0.2
                 *     }
                 */
                price_shock?: {
                    [key: string]: number;
                };
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        StressAnswer: {
            Arguments: {
                /**
                 * @description Last day of the window, as used.
                 * @example 06-30-2024
                 */
                analysis_date: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Delay of sales, as used. */
                sale_delay: number;
                /** @description Cost of sales, as used. */
                sale_cost: number;
                /** @description Levels as sent. */
                quantile: number[];
                /** @description Prices at which amounts were valued; only with amounts. */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans as processed. */
                loans: {
                    /** @description Name of the loan. */
                    id: string;
                    /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                    collateral_weights: {
                        [key: string]: number;
                    };
                    /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                    loan_weights: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Initial loan value. */
                    loan_value: number;
                    /** @description Liquidation ratio. */
                    L: number;
                    /** @description L as it was sent, as loan over collateral. */
                    liquidation_ltv?: number;
                    /** @description Amounts of the collateral as sent, under upper-case symbols; weights follow from them. */
                    collateral?: {
                        [key: string]: number;
                    };
                    /** @description Amounts of the loan as sent, under upper-case symbols; weights follow from them. */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio. */
                    N: number;
                    /** @description N as it was sent, as loan over collateral. */
                    initial_ltv?: number;
                    /** @description Margin call ratio. */
                    M: number;
                    /** @description M as it was sent, as loan over collateral. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio. */
                    R: number;
                    /** @description R as it was sent, as loan over collateral. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description The scenarios as processed, without base. */
                scenarios: {
                    /** @description Name of the scenario. */
                    name: string;
                    /** @description Changes of prices at the start, as sent, under upper-case symbols. */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                    volatility_shock?: number;
                    /** @description The replay, its window looked up. */
                    replay?: {
                        /** @description Name of the window. */
                        name?: string;
                        /** @description Hour of the first price. */
                        from: string;
                        /** @description Number of replayed hours. */
                        hours: number;
                        /** @description Replacements for assets without hourly prices, as sent. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /** @description Factor of the log returns. */
                                beta: number;
                            };
                        };
                    };
                }[];
                /** @description Terms that are compared, as sent. */
                compare?: {
                    [key: string]: unknown;
                };
                /** @description Paths a scenario, as sent. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
                /** @description Volatility index at the last close of the window; GBM_VIX only. */
                vix_data?: {
                    /** @description Level of the volatility index of BTC. */
                    BTC: number;
                    /** @description Level of the volatility index of ETH. */
                    ETH: number;
                };
            };
            Output: {
                /** @description Figures of each scenario by its name; base is the first. */
                Scenarios: {
                    [key: string]: {
                        /** @description Collateral of the book after the shock. */
                        CollateralUsd: number;
                        /** @description Debt of the book after the shock. */
                        LoanUsd: number;
                        /** @description Debt over collateral after the shock. */
                        Ltv: number;
                        /** @description Loans called by the shock or before it. */
                        Called: {
                            /** @description Number of loans. */
                            Loans: number;
                            /** @description Their debt after the shock. */
                            LoanUsd: number;
                        };
                        /** @description Loans liquidated by the shock. */
                        Liquidated: {
                            /** @description Number of loans. */
                            Loans: number;
                            /** @description Their debt after the shock. */
                            LoanUsd: number;
                        };
                        /** @description Events of the replay. */
                        Replay?: {
                            /** @description Loans called in the replay or before it. */
                            Called: number;
                            /** @description Loans that were closed out. */
                            ClosedOut: number;
                            /** @description Loans that were liquidated. */
                            Liquidated: number;
                            /** @description Loans with an open call at the end. */
                            CalledAtEnd: number;
                            /** @description Loans with an unfinished sale order at the end. */
                            OrdersOpen: number;
                            /** @description Losses of sales for less than the debt, unfinished orders included. */
                            Loss: number;
                            /** @description Collateral sold, at the prices of each sale. */
                            ForcedSaleUsd: number;
                            /** @description Largest sales within 24 hours. */
                            PeakDayUsd: number;
                            /** @description Collateral that borrowers added. */
                            ToppedUpUsd: number;
                            /** @description Lowest collateral over debt of the book on the way, as if nothing were sold or added. */
                            Lowest: number;
                            /** @description The same hour by hour from the start on; with include=path. 0 where no term goes on. */
                            Path?: number[];
                        };
                        /** @description The simulation from the end of the replay on, of loans whose term continues without a sale order; null if none is left. Absent with mc_iter 0. */
                        Book?: {
                            /** @description Sum of the loan values. */
                            LoanValue: number;
                            /** @description Mean loss. */
                            ExpectedLoss: number;
                            /** @description Share of the scenarios with any loss. */
                            PrLoss: number;
                            /** @description Quantiles of the loss. */
                            LossVar: {
                                [key: string]: number;
                            };
                            /** @description Mean loss over the worst 1 - q of the scenarios. */
                            LossCVar: {
                                [key: string]: number;
                            };
                            /** @description The book without sales. */
                            Unsold: {
                                /** @description Mean loss with nothing sold. */
                                ExpectedLoss: number;
                                /** @description Share of the scenarios with any loss with nothing sold. */
                                PrLoss: number;
                                /** @description Quantiles of the loss with nothing sold. */
                                LossVar: {
                                    [key: string]: number;
                                };
                                /** @description Mean loss with nothing sold over the worst 1 - q of the scenarios. */
                                LossCVar: {
                                    [key: string]: number;
                                };
                            };
                            /** @description Loans that are called. */
                            MarginCalls: {
                                /** @description Mean number of loans that are called. */
                                Mean: number;
                                /** @description Quantiles of that number. */
                                Quantiles: {
                                    [key: string]: number;
                                };
                            };
                            /** @description Loans whose collateral is sold. */
                            ForcedSales: {
                                /** @description Mean number of loans that are liquidated or closed out. */
                                Mean: number;
                                /** @description Quantiles of that number. */
                                Quantiles: {
                                    [key: string]: number;
                                };
                            };
                            /** @description Sales over the whole term. */
                            ForcedSaleUsd: {
                                /** @description Mean amount of collateral sold. */
                                Mean: number;
                                /** @description Quantiles of the amount of collateral sold. */
                                Quantiles: {
                                    [key: string]: number;
                                };
                                /** @description Mean amount of collateral sold over the largest 1 - q of the scenarios. */
                                CVar: {
                                    [key: string]: number;
                                };
                            };
                            /** @description The 24 hours with the largest sales. */
                            PeakDay: {
                                /** @description Mean amount sold within 24 hours. */
                                Mean: number;
                                /** @description Quantiles of the amount sold within 24 hours. */
                                Quantiles: {
                                    [key: string]: number;
                                };
                                /** @description Mean amount sold within 24 hours over the largest 1 - q of the scenarios. */
                                CVar: {
                                    [key: string]: number;
                                };
                            };
                            /** @description Collateral that borrowers add; where a loan has top_up. */
                            TopUpUsd?: {
                                /** @description Mean amount that answers to calls add. */
                                Mean: number;
                                /** @description Quantiles of the amount that answers to calls add. */
                                Quantiles: {
                                    [key: string]: number;
                                };
                            };
                            /** @description Collateral assets by symbol. */
                            Assets: {
                                [key: string]: {
                                    /** @description Share of the collateral of the book at the start. */
                                    CollateralShare: number;
                                    /** @description Part of the asset in CVar of PeakDay. */
                                    PeakDayCVar: {
                                        [key: string]: number;
                                    };
                                    /** @description Part of the asset in LossCVar, by its weight in the collateral. */
                                    LossCVar: {
                                        [key: string]: number;
                                    };
                                };
                            };
                        } | null;
                        /** @description Figures by borrower; absent if no loan names one. */
                        Borrowers?: {
                            [key: string]: {
                                /** @description Sum of the loan values. */
                                LoanValue: number;
                                /** @description Mean loss with delayed and costly sales. */
                                ExpectedLoss: number;
                                /** @description Part of the loans in LossCVar of the book. */
                                CVarContribution: {
                                    [key: string]: number;
                                };
                            };
                        };
                        /** @description Differences to base on the same paths: losses and sales in the replay and after it. Absent for base. */
                        Change?: {
                            /** @description Of the mean loss. */
                            ExpectedLoss: {
                                /** @description The difference. */
                                Value: number;
                                /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                Low: number | null;
                                /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                High: number | null;
                            };
                            /** @description Of the tail mean of the loss, by quantile. */
                            LossCVar: {
                                [key: string]: {
                                    /** @description The difference. */
                                    Value: number;
                                    /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    Low: number | null;
                                    /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    High: number | null;
                                };
                            };
                            /** @description Of the mean sales. */
                            ForcedSaleUsd: {
                                /** @description The difference. */
                                Value: number;
                                /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                Low: number | null;
                                /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                High: number | null;
                            };
                        };
                        /** @description The 20 loans with the largest losses above 0, the largest first; all with include=loans. */
                        Loans: {
                            [key: string]: {
                                /** @description Collateral after the shock. */
                                CollateralUsd: number;
                                /** @description Debt after the shock. */
                                LoanUsd: number;
                                /** @description Debt over collateral after the shock. */
                                Ltv: number;
                                /**
                                 * @description State of the loan directly after the shock; absent if open.
                                 * @enum {string}
                                 */
                                Status?: "called" | "liquidated";
                                /** @description Loss in the replay, and mean loss after it. */
                                Loss: number;
                                /** @description Events of the loan in the replay. */
                                Replay?: {
                                    /** @description Whether it was called. */
                                    Called: boolean;
                                    /** @description Whether it was closed out. */
                                    ClosedOut: boolean;
                                    /** @description Whether it was liquidated. */
                                    Liquidated: boolean;
                                    /**
                                     * @description State at the end: a sale may be ordered, or the loan has ended.
                                     * @enum {string}
                                     */
                                    End: "open" | "called" | "ordered" | "ended";
                                    /** @description Debt over collateral at the end; null where it is not open or called then. */
                                    Ltv: number | null;
                                    /** @description Lost by sales. */
                                    Loss: number;
                                    /** @description Collateral sold. */
                                    ForcedSaleUsd: number;
                                    /** @description Collateral that its borrower added. */
                                    ToppedUpUsd: number;
                                };
                                /** @description Its figures in the simulation; absent if it takes no part. */
                                Book?: {
                                    /** @description Mean loss of the lender at the end of the term, with nothing sold. */
                                    AvgLossPct: number;
                                    /** @description Mean share of the term before a liquidation or a closeout. */
                                    AvgSurvivalRate: number;
                                    /** @description Share of the scenarios in which a margin call is not cured by its deadline. */
                                    PrCloseout: number;
                                    /** @description Share of the scenarios in which the ratio falls below L before a closeout. */
                                    PrLiquidation: number;
                                    /** @description Share of the scenarios with at least one margin call. */
                                    PrMarginCall: number;
                                    /** @description Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold. */
                                    PrUnderwater: number;
                                    /** @description Lowest collateral coverage ratio over all scenarios and steps. Null with sampling=tail. */
                                    WorstCaseCCR: number | null;
                                    /** @description Mean loss with delayed and costly sales. */
                                    ExpectedLoss: number;
                                    /** @description Part of the loan in LossCVar of the book. */
                                    CVarContribution: {
                                        [key: string]: number;
                                    };
                                    /**
                                     * @description State of the loan at the start; absent if open.
                                     * @enum {string}
                                     */
                                    Status?: "called" | "liquidated";
                                    /** @description Share of the scenarios in which some of it is sold; with partial_sale. */
                                    PrSale?: number;
                                    /** @description Mean number of sales; with partial_sale. */
                                    AvgSales?: number;
                                    /** @description Mean of what is sold, at the prices of each sale; with partial_sale. */
                                    AvgSoldPct?: number;
                                    /** @description Share of the scenarios in which the borrower answers a margin call; with top_up only. */
                                    PrTopUp?: number;
                                    /** @description Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only. */
                                    AvgTopUpPct?: number;
                                };
                            };
                        };
                    };
                };
                /** @description The same scenarios under the terms of compare. */
                Compared?: {
                    /** @description Figures of each scenario by its name; base is the first. */
                    Scenarios: {
                        [key: string]: {
                            /** @description Collateral of the book after the shock. */
                            CollateralUsd: number;
                            /** @description Debt of the book after the shock. */
                            LoanUsd: number;
                            /** @description Debt over collateral after the shock. */
                            Ltv: number;
                            /** @description Loans called by the shock or before it. */
                            Called: {
                                /** @description Number of loans. */
                                Loans: number;
                                /** @description Their debt after the shock. */
                                LoanUsd: number;
                            };
                            /** @description Loans liquidated by the shock. */
                            Liquidated: {
                                /** @description Number of loans. */
                                Loans: number;
                                /** @description Their debt after the shock. */
                                LoanUsd: number;
                            };
                            /** @description Events of the replay. */
                            Replay?: {
                                /** @description Loans called in the replay or before it. */
                                Called: number;
                                /** @description Loans that were closed out. */
                                ClosedOut: number;
                                /** @description Loans that were liquidated. */
                                Liquidated: number;
                                /** @description Loans with an open call at the end. */
                                CalledAtEnd: number;
                                /** @description Loans with an unfinished sale order at the end. */
                                OrdersOpen: number;
                                /** @description Losses of sales for less than the debt, unfinished orders included. */
                                Loss: number;
                                /** @description Collateral sold, at the prices of each sale. */
                                ForcedSaleUsd: number;
                                /** @description Largest sales within 24 hours. */
                                PeakDayUsd: number;
                                /** @description Collateral that borrowers added. */
                                ToppedUpUsd: number;
                                /** @description Lowest collateral over debt of the book on the way, as if nothing were sold or added. */
                                Lowest: number;
                                /** @description The same hour by hour from the start on; with include=path. 0 where no term goes on. */
                                Path?: number[];
                            };
                            /** @description The simulation from the end of the replay on, of loans whose term continues without a sale order; null if none is left. Absent with mc_iter 0. */
                            Book?: {
                                /** @description Sum of the loan values. */
                                LoanValue: number;
                                /** @description Mean loss. */
                                ExpectedLoss: number;
                                /** @description Share of the scenarios with any loss. */
                                PrLoss: number;
                                /** @description Quantiles of the loss. */
                                LossVar: {
                                    [key: string]: number;
                                };
                                /** @description Mean loss over the worst 1 - q of the scenarios. */
                                LossCVar: {
                                    [key: string]: number;
                                };
                                /** @description The book without sales. */
                                Unsold: {
                                    /** @description Mean loss with nothing sold. */
                                    ExpectedLoss: number;
                                    /** @description Share of the scenarios with any loss with nothing sold. */
                                    PrLoss: number;
                                    /** @description Quantiles of the loss with nothing sold. */
                                    LossVar: {
                                        [key: string]: number;
                                    };
                                    /** @description Mean loss with nothing sold over the worst 1 - q of the scenarios. */
                                    LossCVar: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description Loans that are called. */
                                MarginCalls: {
                                    /** @description Mean number of loans that are called. */
                                    Mean: number;
                                    /** @description Quantiles of that number. */
                                    Quantiles: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description Loans whose collateral is sold. */
                                ForcedSales: {
                                    /** @description Mean number of loans that are liquidated or closed out. */
                                    Mean: number;
                                    /** @description Quantiles of that number. */
                                    Quantiles: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description Sales over the whole term. */
                                ForcedSaleUsd: {
                                    /** @description Mean amount of collateral sold. */
                                    Mean: number;
                                    /** @description Quantiles of the amount of collateral sold. */
                                    Quantiles: {
                                        [key: string]: number;
                                    };
                                    /** @description Mean amount of collateral sold over the largest 1 - q of the scenarios. */
                                    CVar: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description The 24 hours with the largest sales. */
                                PeakDay: {
                                    /** @description Mean amount sold within 24 hours. */
                                    Mean: number;
                                    /** @description Quantiles of the amount sold within 24 hours. */
                                    Quantiles: {
                                        [key: string]: number;
                                    };
                                    /** @description Mean amount sold within 24 hours over the largest 1 - q of the scenarios. */
                                    CVar: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description Collateral that borrowers add; where a loan has top_up. */
                                TopUpUsd?: {
                                    /** @description Mean amount that answers to calls add. */
                                    Mean: number;
                                    /** @description Quantiles of the amount that answers to calls add. */
                                    Quantiles: {
                                        [key: string]: number;
                                    };
                                };
                                /** @description Collateral assets by symbol. */
                                Assets: {
                                    [key: string]: {
                                        /** @description Share of the collateral of the book at the start. */
                                        CollateralShare: number;
                                        /** @description Part of the asset in CVar of PeakDay. */
                                        PeakDayCVar: {
                                            [key: string]: number;
                                        };
                                        /** @description Part of the asset in LossCVar, by its weight in the collateral. */
                                        LossCVar: {
                                            [key: string]: number;
                                        };
                                    };
                                };
                            } | null;
                            /** @description Figures by borrower; absent if no loan names one. */
                            Borrowers?: {
                                [key: string]: {
                                    /** @description Sum of the loan values. */
                                    LoanValue: number;
                                    /** @description Mean loss with delayed and costly sales. */
                                    ExpectedLoss: number;
                                    /** @description Part of the loans in LossCVar of the book. */
                                    CVarContribution: {
                                        [key: string]: number;
                                    };
                                };
                            };
                            /** @description Differences to base on the same paths: losses and sales in the replay and after it. Absent for base. */
                            Change?: {
                                /** @description Of the mean loss. */
                                ExpectedLoss: {
                                    /** @description The difference. */
                                    Value: number;
                                    /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    Low: number | null;
                                    /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    High: number | null;
                                };
                                /** @description Of the tail mean of the loss, by quantile. */
                                LossCVar: {
                                    [key: string]: {
                                        /** @description The difference. */
                                        Value: number;
                                        /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                        Low: number | null;
                                        /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                        High: number | null;
                                    };
                                };
                                /** @description Of the mean sales. */
                                ForcedSaleUsd: {
                                    /** @description The difference. */
                                    Value: number;
                                    /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    Low: number | null;
                                    /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    High: number | null;
                                };
                            };
                            /** @description The 20 loans with the largest losses above 0, the largest first; all with include=loans. */
                            Loans: {
                                [key: string]: {
                                    /** @description Collateral after the shock. */
                                    CollateralUsd: number;
                                    /** @description Debt after the shock. */
                                    LoanUsd: number;
                                    /** @description Debt over collateral after the shock. */
                                    Ltv: number;
                                    /**
                                     * @description State of the loan directly after the shock; absent if open.
                                     * @enum {string}
                                     */
                                    Status?: "called" | "liquidated";
                                    /** @description Loss in the replay, and mean loss after it. */
                                    Loss: number;
                                    /** @description Events of the loan in the replay. */
                                    Replay?: {
                                        /** @description Whether it was called. */
                                        Called: boolean;
                                        /** @description Whether it was closed out. */
                                        ClosedOut: boolean;
                                        /** @description Whether it was liquidated. */
                                        Liquidated: boolean;
                                        /**
                                         * @description State at the end: a sale may be ordered, or the loan has ended.
                                         * @enum {string}
                                         */
                                        End: "open" | "called" | "ordered" | "ended";
                                        /** @description Debt over collateral at the end; null where it is not open or called then. */
                                        Ltv: number | null;
                                        /** @description Lost by sales. */
                                        Loss: number;
                                        /** @description Collateral sold. */
                                        ForcedSaleUsd: number;
                                        /** @description Collateral that its borrower added. */
                                        ToppedUpUsd: number;
                                    };
                                    /** @description Its figures in the simulation; absent if it takes no part. */
                                    Book?: {
                                        /** @description Mean loss of the lender at the end of the term, with nothing sold. */
                                        AvgLossPct: number;
                                        /** @description Mean share of the term before a liquidation or a closeout. */
                                        AvgSurvivalRate: number;
                                        /** @description Share of the scenarios in which a margin call is not cured by its deadline. */
                                        PrCloseout: number;
                                        /** @description Share of the scenarios in which the ratio falls below L before a closeout. */
                                        PrLiquidation: number;
                                        /** @description Share of the scenarios with at least one margin call. */
                                        PrMarginCall: number;
                                        /** @description Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold. */
                                        PrUnderwater: number;
                                        /** @description Lowest collateral coverage ratio over all scenarios and steps. Null with sampling=tail. */
                                        WorstCaseCCR: number | null;
                                        /** @description Mean loss with delayed and costly sales. */
                                        ExpectedLoss: number;
                                        /** @description Part of the loan in LossCVar of the book. */
                                        CVarContribution: {
                                            [key: string]: number;
                                        };
                                        /**
                                         * @description State of the loan at the start; absent if open.
                                         * @enum {string}
                                         */
                                        Status?: "called" | "liquidated";
                                        /** @description Share of the scenarios in which some of it is sold; with partial_sale. */
                                        PrSale?: number;
                                        /** @description Mean number of sales; with partial_sale. */
                                        AvgSales?: number;
                                        /** @description Mean of what is sold, at the prices of each sale; with partial_sale. */
                                        AvgSoldPct?: number;
                                        /** @description Share of the scenarios in which the borrower answers a margin call; with top_up only. */
                                        PrTopUp?: number;
                                        /** @description Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only. */
                                        AvgTopUpPct?: number;
                                    };
                                };
                            };
                        };
                    };
                    /** @description Changes by the terms of compare, by scenario. */
                    Difference: {
                        [key: string]: {
                            /** @description Of the mean loss. */
                            ExpectedLoss: {
                                /** @description The difference. */
                                Value: number;
                                /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                Low: number | null;
                                /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                High: number | null;
                            };
                            /** @description Of the tail mean of the loss, by quantile. */
                            LossCVar: {
                                [key: string]: {
                                    /** @description The difference. */
                                    Value: number;
                                    /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    Low: number | null;
                                    /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                    High: number | null;
                                };
                            };
                            /** @description Of the mean sales. */
                            ForcedSaleUsd: {
                                /** @description The difference. */
                                Value: number;
                                /** @description Lower end of its interval; null for HISTORICAL, and where too few paths differ. */
                                Low: number | null;
                                /** @description Upper end of its interval; null for HISTORICAL, and where too few paths differ. */
                                High: number | null;
                            };
                        };
                    };
                };
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Accuracy?: components["schemas"]["Accuracy"];
            Model?: components["schemas"]["Model"];
            Warnings?: components["schemas"]["Warnings"];
        };
        /** StressRequest_GBM */
        StressRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** StressRequest_GBM_VIX */
        StressRequest_GBM_VIX: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM_VIX";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** StressRequest_HISTORICAL */
        StressRequest_HISTORICAL: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "HISTORICAL";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter?: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** StressRequest_STUDENT_T */
        StressRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** StressRequest_FHS */
        StressRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** StressRequest_FHS_EVT */
        StressRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** StressRequest_BOOTSTRAP */
        StressRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /** @description Last day of the price window, at most today (UTC). Default: today. */
                analysis_date?: string;
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Time from a liquidation or a closeout to the sale of the collateral.
                 * @default 24
                 */
                sale_delay?: number;
                /**
                 * @description Share of the proceeds that a sale costs.
                 * @default 0.01
                 */
                sale_cost?: number;
                /** @description Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %. */
                quantile: number[];
                /**
                 * @description Prices at which amounts are valued; the last close of the window where one is absent.
                 * @example {
                 *       "BTC": 64000
                 *     }
                 */
                prices?: {
                    [key: string]: number;
                };
                /** @description The loans of the book. */
                loans: {
                    /** @description The caller's name of the loan, 1 to 64 characters; each once. */
                    id: string;
                    /**
                     * @description Assets of the collateral and their shares of its value; the sum is 1.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    collateral_weights?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.
                     * @example {
                     *       "BTC": 0.6,
                     *       "ETH": 0.4
                     *     }
                     */
                    loan_weights?: {
                        [key: string]: number;
                    };
                    /** @description Term of the loan. */
                    loan_duration: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up: number;
                    /** @description Value of the loan at the start. */
                    loan_value?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /**
                     * @description Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    collateral?: {
                        [key: string]: number;
                    };
                    /**
                     * @description Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.
                     * @example {
                     *       "BTC": 12.5
                     *     }
                     */
                    loan?: {
                        [key: string]: number;
                    };
                    /** @description Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv. */
                    N?: number;
                    /** @description N as loan over collateral (LTV), in its place: N is 1 / LTV. */
                    initial_ltv?: number;
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Hours since the open margin call. Only for a loan already in call (N below M). */
                    called_hours_ago?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered. */
                    borrower?: string;
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                }[];
                /** @description Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios. */
                scenarios: (string | {
                    /** @description Unique name of the scenario, 1 to 64 characters; not base. */
                    name: string;
                    /** @description For people. */
                    title?: string;
                    /**
                     * @description Changes of prices at once, before the first step: -0.3 is a fall by 30 %. * is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.
                     * @example {
                     *       "BTC": -0.3,
                     *       "*": -0.2
                     *     }
                     */
                    price_shock?: {
                        [key: string]: number;
                    };
                    /** @description Relative change of every volatility, in place of volatility_shock of params. */
                    volatility_shock?: number;
                    /** @description Past hours that are replayed after the shock; every loan is followed hour by hour. */
                    replay?: string | {
                        /** @description Name of a window of GET /scenarios, in place of from and hours. */
                        name?: string;
                        /** @description End of the bar whose close is the first price. */
                        from?: string;
                        /** @description Number of replayed hours. */
                        hours?: number;
                        /** @description Replacements for assets without hourly prices: log returns of another asset times beta. */
                        proxy?: {
                            [key: string]: {
                                /** @description Asset that provides the log returns. */
                                asset: string;
                                /**
                                 * @description Factor of the log returns.
                                 * @default 1
                                 */
                                beta?: number;
                            };
                        };
                    };
                })[];
                /** @description Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths. */
                compare?: {
                    /** @description Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv. */
                    M?: number;
                    /** @description M as loan over collateral (LTV), in its place: M is 1 / LTV. */
                    margin_call_ltv?: number;
                    /** @description Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv. */
                    R?: number;
                    /** @description R as loan over collateral (LTV), in its place: R is 1 / LTV. */
                    recovery_ltv?: number;
                    /** @description Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv. */
                    L?: number;
                    /** @description L as loan over collateral (LTV), in its place: L is 1 / LTV. */
                    liquidation_ltv?: number;
                    /** @description Grace period from a margin call to its deadline. */
                    mc_top_up?: number;
                    /** @description Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest. */
                    interest_rate?: number;
                    /** @description The borrower answers each margin call with this probability and adds collateral. Default: no call is answered. */
                    top_up?: {
                        /** @description Probability that the borrower answers a margin call. */
                        share: number;
                        /** @description Hours from a margin call to the answer; at most mc_top_up. */
                        delay_hours: number;
                        /** @description Ratio after the top-up: above M and at least R. Default: R. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                    };
                    /** @description Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book. */
                    sale_cost?: number;
                    /** @description A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything. */
                    partial_sale?: {
                        /** @description Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv. */
                        to?: number;
                        /** @description The same as an LTV, loan over collateral: 1 / to. */
                        to_ltv?: number;
                        /**
                         * @description Largest share of the debt that one sale repays.
                         * @default 1
                         */
                        max_share?: number;
                    };
                    /** @description Time from a liquidation or a closeout to the sale of the collateral. */
                    sale_delay?: number;
                };
                /** @description Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        BacktestAnswer: {
            Arguments: {
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                weights: {
                    [key: string]: number;
                };
                /** @description Weights as sent, under upper-case symbols; CASH is shown as USD. */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /** @description Horizon, as used. */
                horizon: number;
                /** @description Levels as sent. */
                quantile: number[];
                /**
                 * @description Day of the first forecast.
                 * @example 06-30-2024
                 */
                from: string;
                /**
                 * @description Day of the last forecast.
                 * @example 06-30-2024
                 */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /** @description Relative change of every volatility, as used; absent where the methodology takes none. */
                volatility_shock?: number;
            };
            Output: {
                /** @description Days with a tested forecast. */
                Forecasts: number;
                /** @description Days left out of all figures below, because the close of the forecast or the tested close was carried over a gap. */
                Carried: number;
                /** @description Figures of each level. */
                Levels: {
                    [key: string]: {
                        /** @description Days on which the value fell below its value at risk. */
                        Exceedances: number;
                        /** @description Exceedances expected at the level. */
                        Expected: number;
                        /** @description Exceedances over forecasts. */
                        ExceedanceRate: number;
                        /** @description Mean of (x - v)(1 - q - 1{x < v}), x the value and v its value at risk: the lower, the better. */
                        QuantileScore: number;
                        /** @description Tests of the hypothesis that the model is right. */
                        Tests: {
                            /** @description Tested forecasts: every horizon-th day, so that none overlap. */
                            Forecasts: number;
                            /** @description Days on which the value fell below its value at risk. */
                            Exceedances: number;
                            /** @description Exceedances expected at the level. */
                            Expected: number;
                            /** @description Pairs of tested days that follow each other: none then none, none then one, one then none, one then one exceeds. */
                            Transitions: number[];
                            /** @description Are there as many exceedances as expected? */
                            Kupiec: {
                                /** @description Likelihood ratio; chi-square if the model is right. */
                                Statistic: number;
                                /** @description Degrees of freedom of that law. */
                                DegreesOfFreedom: number;
                                /** @description Chance of a statistic at least this large if the model is right. */
                                PValue: number;
                            };
                            /** @description Does one exceedance change the chance of the next? (Christoffersen) */
                            Independence: {
                                /** @description Likelihood ratio; chi-square if the model is right. */
                                Statistic: number;
                                /** @description Degrees of freedom of that law. */
                                DegreesOfFreedom: number;
                                /** @description Chance of a statistic at least this large if the model is right. */
                                PValue: number;
                            };
                            /** @description Both together. */
                            ConditionalCoverage: {
                                /** @description Likelihood ratio; chi-square if the model is right. */
                                Statistic: number;
                                /** @description Degrees of freedom of that law. */
                                DegreesOfFreedom: number;
                                /** @description Chance of a statistic at least this large if the model is right. */
                                PValue: number;
                            };
                        };
                        /** @description Tests of CVar; null where a forecast of the level is no loss. */
                        Shortfall: {
                            /** @description Were returns beyond the level as many and as bad as forecast? (Acerbi and Szekely) */
                            Z2: {
                                /** @description One less the sum of y/e over days with y <= v, divided by what is expected: negative where risk is understated. */
                                Statistic: number;
                                /** @description Share of 10,000 histories simulated by the forecasts whose statistic is as low or lower. */
                                PValue: number;
                            };
                            /** @description The score FZ0 (Patton, Ziegel and Chen). */
                            FZ0: {
                                /** @description Mean score of value at risk and shortfall together: the lower, the better. */
                                Score: number;
                                /** @description Against GBM with the same window; null for GBM itself, and where one of its forecasts is no loss. */
                                AgainstGbm: {
                                    /** @description Score minus the score of GBM on the same days: negative is better. */
                                    Difference: number;
                                    /** @description null where the differences do not vary. */
                                    T: number | null;
                                } | null;
                            };
                            EsrStrict: {
                                /** @description Constant of the line of shortfalls; 0 if the forecasts are right. */
                                Intercept: number;
                                /** @description Slope of the line by the forecast; 1 if the forecasts are right. */
                                Slope: number;
                                /** @description Wald's statistic; chi-square if the forecasts are right. */
                                Statistic: number;
                                /** @description Degrees of freedom of that law. */
                                DegreesOfFreedom: number;
                                /** @description Chance of a statistic at least this large if the forecasts are right. */
                                PValue: number;
                            } | null;
                            EsrIntercept: {
                                /** @description Constant by which the shortfall differs from its forecast; negative: risk is understated. */
                                Intercept: number;
                                /** @description The constant over its standard error. */
                                T: number;
                                /** @description Chance of a constant at least this far from 0 if the forecasts are right. */
                                PValue: number;
                                /** @description Chance of a constant as low or lower if the forecasts are right. */
                                OneSidedPValue: number;
                            } | null;
                        } | null;
                    };
                };
                /** @description Every forecast and its outcome: lists of one length. */
                Daily: {
                    /** @description Days of the forecasts, YYYY-MM-DD. */
                    Date: string[];
                    /** @description Final value of one unit of the basket, by day; with short_weights, minus one unit of the short basket. */
                    Realised: number[];
                    /** @description Value at risk of one unit of the basket by level, by day. */
                    Var: {
                        [key: string]: number[];
                    };
                    /** @description Expected shortfall of one unit of the basket by level, by day. */
                    CVar: {
                        [key: string]: number[];
                    };
                };
            };
            /**
             * @description Version of the engine.
             * @example 1.2.3
             */
            "Risk engine version": string;
            Warnings?: components["schemas"]["Warnings"];
        };
        /** BacktestRequest_GBM */
        BacktestRequest_GBM: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BacktestRequest_GBM_VIX */
        BacktestRequest_GBM_VIX: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GBM_VIX";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** BacktestRequest_HISTORICAL */
        BacktestRequest_HISTORICAL: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "HISTORICAL";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter?: number;
                /**
                 * @description Not used by this methodology: 0 is accepted, so that one body serves several methodologies.
                 * @constant
                 */
                volatility_shock?: 0;
            };
        };
        /** BacktestRequest_STUDENT_T */
        BacktestRequest_STUDENT_T: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STUDENT_T";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BacktestRequest_FHS */
        BacktestRequest_FHS: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BacktestRequest_FHS_EVT */
        BacktestRequest_FHS_EVT: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "FHS_EVT";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
        /** BacktestRequest_BOOTSTRAP */
        BacktestRequest_BOOTSTRAP: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "BOOTSTRAP";
            params: {
                /**
                 * @description Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                weights: {
                    [key: string]: number;
                };
                /**
                 * @description Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.
                 * @example {
                 *       "BTC": 0.6,
                 *       "ETH": 0.4
                 *     }
                 */
                short_weights?: {
                    [key: string]: number;
                };
                /** @description Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it. */
                model_lookback: number;
                /**
                 * @description Days from a forecast to the close that it is tested against.
                 * @default 1
                 */
                horizon?: number;
                /** @description Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days. */
                quantile: number[];
                /** @description Day of the first forecast, made at its close. */
                from: string;
                /** @description Day of the last forecast; the close that it is tested against must be known. */
                to: string;
                /** @description Number of Monte Carlo paths. */
                mc_iter: number;
                /**
                 * @description Relative change of every volatility: 0.1 is 10 % more.
                 * @default 0
                 */
                volatility_shock?: number;
            };
        };
    };
    responses: {
        /** @description The request or its body is not readable. */
        Status400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is missing or wrong. */
        Status401: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key lacks the scope that the path needs. */
        Status403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is nothing at this path, or it belongs to another key. */
        Status404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path accepts another method. */
        Status405: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                /** @description Methods of the path. */
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The answer has no form that `Accept` names: a plan is not available as CSV, a job result only as JSON. */
        Status406: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "x-seed": components["headers"]["x-seed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The job has not ended; it has no result yet. */
        Status409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The job was cancelled, or its result is no longer in the store of the fleet. */
        Status410: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large for the path. */
        Status413: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not uncompressed JSON in UTF-8. */
        Status415: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported Expect header. */
        Status417: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request cannot be answered as it stands; `type` names the reason, `errors` every fault. */
        Status422: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "x-seed": components["headers"]["x-seed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests are waiting, or the key has used up its share; try again after `Retry-After` seconds. */
        Status429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "x-seed": components["headers"]["x-seed"];
                /** @description Seconds after which to try again; with 503 only where waiting helps. */
                "Retry-After"?: number;
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Fault of the server. */
        Status500: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "x-seed": components["headers"]["x-seed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The requested engine, the market data or the store of jobs is not available. */
        Status503: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "x-seed": components["headers"]["x-seed"];
                /** @description Seconds after which to try again; with 503 only where waiting helps. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request exceeded the time limit of the server, waiting included. */
        Status504: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "x-seed": components["headers"]["x-seed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Seed of the random numbers: the same seed gives the same paths. */
        seed: number;
        /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
        compute: "auto" | "gpu" | "cpu";
        /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
        requestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Name of the request; in every answer, also in a refusal. */
        "x-request-id": string;
        /** @description The seed that was used. */
        "x-seed": number;
        /** @description What ran. */
        "x-compute": "gpu" | "cpu";
        /** @description Device of the run: processor and threads, or adapter and driver. */
        "x-compute-device": string;
        /** @description sample: synthetic prices; else store and the version of the data: same version, seed and body, same answer. */
        "x-market-data": string;
        /** @description Spacing of the prices in the window. */
        "x-market-grid": "hourly" | "daily";
        /** @description Prices carried forward over gaps, `USDC=9,BTC=4h`; absent where there were none. */
        "x-market-data-filled": string;
        /** @description Number of scenarios: simulated paths (equally weighted except with sampling=tail), or historical windows. */
        "x-scenarios": number;
        /** @description The settlements behind a historical funding rate: `BTC/USDT on binance; settlements=90`. */
        "x-funding-rate": string;
        /** @description Maintenance margin rate, a fraction of the notional; perpetuals only. */
        "x-maintenance-margin": number;
        /** @description Codes of the warnings, with commas between; absent where there are none: few-paths, few-tail-scenarios, few-rows, gbm-tail, few-windows, short-lookback, daily-grid, bridged-hours, garch-bound, nu-bound, filled, no-volatility-index, large-shock, grace-covers-term, other-volume, mostly-closed-out, replay-proxy, replay-ended, tape-remark, stair-spans-target. */
        "x-warnings": string;
        /** @description Asset-steps that the key may use (q) in a number of seconds (w); absent without a limit: `"work";q=10000000000;w=60`. */
        "RateLimit-Policy": string;
        /** @description Asset-steps left to the key (r), and seconds until the limit is full again (t); absent without a limit: `"work";r=6480000;t=41`. */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    loanRisk: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: ("accuracy" | "distribution" | "model" | "plan" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
                /** @description How paths are drawn. Absent: independent random numbers. tail: every second path is shifted towards losses, and paths have weights, for GBM and GBM_VIX; WorstCaseCCR is null, and distribution is not offered. */
                sampling?: "tail";
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description L < M <= N and L < R (R may be below M). Weights, N and loan_value are sent, or collateral and loan in their place. Both baskets together name at most 32 distinct symbols, and the weights of each sum to 1 within 1e-6. At most 65536 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoanRiskRequest_GBM"] | components["schemas"]["LoanRiskRequest_GBM_VIX"] | components["schemas"]["LoanRiskRequest_HISTORICAL"] | components["schemas"]["LoanRiskRequest_STUDENT_T"] | components["schemas"]["LoanRiskRequest_FHS"] | components["schemas"]["LoanRiskRequest_FHS_EVT"] | components["schemas"]["LoanRiskRequest_BOOTSTRAP"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoanRiskAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    loanOrigination: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: ("accuracy" | "distribution" | "model" | "plan" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description variable_min < variable_max, and variable_max is above L. score_target is 0 to 1 for a probability, above 0 for WorstCaseCCR. Both baskets together name at most 32 distinct symbols, and the weights of each sum to 1 within 1e-6. At most 65536 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoanOriginationRequest_GBM"] | components["schemas"]["LoanOriginationRequest_GBM_VIX"] | components["schemas"]["LoanOriginationRequest_HISTORICAL"] | components["schemas"]["LoanOriginationRequest_STUDENT_T"] | components["schemas"]["LoanOriginationRequest_FHS"] | components["schemas"]["LoanOriginationRequest_FHS_EVT"] | components["schemas"]["LoanOriginationRequest_BOOTSTRAP"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoanOriginationAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    valueAtRisk: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: ("accuracy" | "distribution" | "model" | "plan" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
                /** @description How paths are drawn. Absent: independent random numbers. sobol: scrambled Sobol points, for GBM and GBM_VIX; mc_iter is rounded up to 16 times a power of two. */
                sampling?: "sobol";
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Both baskets together name at most 32 distinct symbols, and the weights of each sum to 1 within 1e-6. At most 65536 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValueAtRiskRequest_GBM"] | components["schemas"]["ValueAtRiskRequest_GBM_VIX"] | components["schemas"]["ValueAtRiskRequest_HISTORICAL"] | components["schemas"]["ValueAtRiskRequest_STUDENT_T"] | components["schemas"]["ValueAtRiskRequest_FHS"] | components["schemas"]["ValueAtRiskRequest_FHS_EVT"] | components["schemas"]["ValueAtRiskRequest_BOOTSTRAP"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValueAtRiskAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    lowLiquidityLoanRisk: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: ("accuracy" | "distribution" | "model" | "plan" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description L < M <= N and L < R (R may be below M). Weights, N and loan_value are sent, or collateral and loan in their place. Both baskets together name at most 32 distinct symbols, and the weights of each sum to 1 within 1e-6. At most 65536 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LowLiquidityLoanRiskRequest_GBM"] | components["schemas"]["LowLiquidityLoanRiskRequest_GARCH"] | components["schemas"]["LowLiquidityLoanRiskRequest_STUDENT_T"] | components["schemas"]["LowLiquidityLoanRiskRequest_FHS"] | components["schemas"]["LowLiquidityLoanRiskRequest_FHS_EVT"] | components["schemas"]["LowLiquidityLoanRiskRequest_BOOTSTRAP"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LowLiquidityLoanRiskAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    isolatedPerpetualRisk: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: ("accuracy" | "distribution" | "model" | "plan" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description contract_size is required for linear, contract_value_usd for inverse contracts. At most 65536 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IsolatedPerpetualRiskRequest_GBM_linear"] | components["schemas"]["IsolatedPerpetualRiskRequest_GBM_inverse"] | components["schemas"]["IsolatedPerpetualRiskRequest_HISTORICAL_linear"] | components["schemas"]["IsolatedPerpetualRiskRequest_HISTORICAL_inverse"] | components["schemas"]["IsolatedPerpetualRiskRequest_STUDENT_T_linear"] | components["schemas"]["IsolatedPerpetualRiskRequest_STUDENT_T_inverse"] | components["schemas"]["IsolatedPerpetualRiskRequest_FHS_linear"] | components["schemas"]["IsolatedPerpetualRiskRequest_FHS_inverse"] | components["schemas"]["IsolatedPerpetualRiskRequest_FHS_EVT_linear"] | components["schemas"]["IsolatedPerpetualRiskRequest_FHS_EVT_inverse"] | components["schemas"]["IsolatedPerpetualRiskRequest_BOOTSTRAP_linear"] | components["schemas"]["IsolatedPerpetualRiskRequest_BOOTSTRAP_inverse"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IsolatedPerpetualRiskAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    bookRisk: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: ("accuracy" | "model" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
                /** @description How paths are drawn. Absent: independent random numbers. tail: every second path is shifted towards losses, and paths have weights, for GBM and GBM_VIX; WorstCaseCCR is null, and distribution is not offered. */
                sampling?: "tail";
                /** @description text/csv: the methodology. Default: STUDENT_T. */
                type?: string;
                /** @description text/csv: the member of `params`. Default: today. */
                analysis_date?: string;
                /** @description text/csv: the member of `params`. Default: 365. */
                model_lookback?: string;
                /** @description text/csv: the member of `params`. Default: 20000; HISTORICAL has none. */
                mc_iter?: string;
                /** @description text/csv: the member of `params`, separated by commas. Default: 0.95,0.99. */
                quantile?: string;
                /** @description text/csv: the member of `params`. */
                sale_delay?: string;
                /** @description text/csv: the member of `params`. */
                sale_cost?: string;
                /** @description text/csv: the member of `params`. */
                volatility_shock?: string;
                /** @description text/csv: days for which loans are followed, at most to their maturity. Default: 30. */
                days?: string;
                /** @description text/csv: names of columns of the tape, "their name=column", with commas between. */
                columns?: string;
                /** @description text/csv: what stands for empty cells, "column=value", with commas between. */
                default?: string;
                /** @description text/csv: columns in per cent, with commas between. */
                percent?: string;
                /** @description text/csv: columns of fractions, though their names have a sign of per cent, with commas between. */
                fractions?: string;
                /** @description text/csv: order of dates with the year last. */
                dates?: string;
                /** @description text/csv: decimal mark. Default: point. */
                decimal?: string;
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description For each loan L < M and L < R (R may be below M), and weights, N and loan_value are sent, or collateral and loan in their place; ids are unique; all loans together name at most 32 distinct symbols. At most 16777216 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookRiskRequest_GBM"] | components["schemas"]["BookRiskRequest_GBM_VIX"] | components["schemas"]["BookRiskRequest_HISTORICAL"] | components["schemas"]["BookRiskRequest_STUDENT_T"] | components["schemas"]["BookRiskRequest_FHS"] | components["schemas"]["BookRiskRequest_FHS_EVT"] | components["schemas"]["BookRiskRequest_BOOTSTRAP"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookRiskAnswer"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    stress: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. loans: Every loan in Loans of each scenario, in place of the 20 with the largest losses. path: Path of each replay: collateral over debt of the book, hour by hour. */
                include?: ("accuracy" | "loans" | "model" | "path" | "warnings")[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The rules of /book_risk. Names of scenarios are unique and not base; assets of a shock or a proxy are assets of the book. At most 16777216 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StressRequest_GBM"] | components["schemas"]["StressRequest_GBM_VIX"] | components["schemas"]["StressRequest_HISTORICAL"] | components["schemas"]["StressRequest_STUDENT_T"] | components["schemas"]["StressRequest_FHS"] | components["schemas"]["StressRequest_FHS_EVT"] | components["schemas"]["StressRequest_BOOTSTRAP"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StressAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    backtest: {
        parameters: {
            query?: {
                /** @description Members of the answer beside Arguments, the result and the version, separated by commas. */
                include?: "warnings"[];
                /** @description Level of the intervals of `Accuracy`, with at most 12 decimals. */
                confidence?: number;
            };
            header?: {
                /** @description Seed of the random numbers: the same seed gives the same paths. */
                "x-seed"?: components["parameters"]["seed"];
                /** @description Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only. */
                "x-compute"?: components["parameters"]["compute"];
                /** @description Name of the request in answer and log. Default, also in place of an invalid one: a new name. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description to is at least horizon days after from, at most 3649, and the close horizon days after it is known. A long range exceeds the time limit of a request: use `Prefer: respond-async`. At most 65536 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BacktestRequest_GBM"] | components["schemas"]["BacktestRequest_GBM_VIX"] | components["schemas"]["BacktestRequest_HISTORICAL"] | components["schemas"]["BacktestRequest_STUDENT_T"] | components["schemas"]["BacktestRequest_FHS"] | components["schemas"]["BacktestRequest_FHS_EVT"] | components["schemas"]["BacktestRequest_BOOTSTRAP"];
            };
        };
        responses: {
            /** @description The figures, and the request as it was processed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BacktestAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    listJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
        };
    };
    readJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the job, from the header Location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the job, from the header Location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
        };
    };
    readJobResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the job, from the header Location. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the operation. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-seed": components["headers"]["x-seed"];
                    "x-compute": components["headers"]["x-compute"];
                    "x-compute-device": components["headers"]["x-compute-device"];
                    "x-market-data": components["headers"]["x-market-data"];
                    "x-market-grid": components["headers"]["x-market-grid"];
                    "x-market-data-filled": components["headers"]["x-market-data-filled"];
                    "x-scenarios": components["headers"]["x-scenarios"];
                    "x-funding-rate": components["headers"]["x-funding-rate"];
                    "x-maintenance-margin": components["headers"]["x-maintenance-margin"];
                    "x-warnings": components["headers"]["x-warnings"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            405: components["responses"]["Status405"];
            406: components["responses"]["Status406"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
            503: components["responses"]["Status503"];
            504: components["responses"]["Status504"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server can serve. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Status400"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            500: components["responses"]["Status500"];
            /** @description The server requires a GPU and has lost it. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "alive";
                    };
                };
            };
            400: components["responses"]["Status400"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            500: components["responses"]["Status500"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They may come. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ready";
                        /** @description Reasons to send no requests. */
                        reasons: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            500: components["responses"]["Status500"];
            /** @description Not ready: the server is stopping, has lost a required GPU, or has old data. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "not ready";
                        /** @description Reasons to send no requests. */
                        reasons: string[];
                    };
                };
            };
        };
    };
    symbols: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The assets of the current version of the market data. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-market-data": components["headers"]["x-market-data"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SymbolList"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
        };
    };
    prices: {
        parameters: {
            query: {
                /** @description Symbols of assets in any case, 1 to 32, separated by commas. */
                symbols: string;
                /** @description A day, MM-DD-YYYY, at most today (UTC). Default: today, whose close is still to come. */
                date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The closes. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-market-data": components["headers"]["x-market-data"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
        };
    };
    scenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The windows, in the order of time. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioList"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            429: components["responses"]["Status429"];
            500: components["responses"]["Status500"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Status400"];
            405: components["responses"]["Status405"];
            417: components["responses"]["Status417"];
            500: components["responses"]["Status500"];
        };
    };
}
