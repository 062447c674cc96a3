/** BOOTSTRAP with a stablecoin that has daily prices only: its hours within the rows of the others, and the warnings of the answer. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { BootstrapScenarios } from '#src/core/plan/model/bootstrap.js';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import type { MarketData } from '#src/market/market-data.js';
import { isStablecoin } from '#src/models/calibration/degrees-of-freedom.js';
import { BACKTEST_QUESTION } from '#src/question/backtest/back-test.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import type { OperationAnswer, OperationContext } from '#src/question/question.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Asked, type Operations, openOperations } from '../support/operations.ts';
import { describeWithSharedData } from '../support/shared-data.ts';

const type = 'BOOTSTRAP';
const baskets = { collateral_weights: { BTC: 1 }, loan_weights: { USDC: 1 } };
const ratios = { N: 1.15, M: 1.1, R: 1.12 };
const terms = { ...baskets, loan_duration: 3, mc_top_up: 6, loan_value: 1000, L: 1.05 };
const query = { ...DEFAULT_QUERY, include: new Set(['model' as const, 'warnings' as const]) };

let operations: Operations;

type Overrides = Partial<OperationContext>;
const ask = (question: Asked, body: unknown, overrides: Overrides) =>
  operations.answer(question, body, { query, ...overrides });
const askLoan = (params: object, overrides: Overrides = {}) =>
  ask(LOAN_QUESTION, { type, params }, overrides);

/** A market without hours of stablecoins. */
const withoutStableHours = (market: MarketData): MarketData =>
  new Proxy(market, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...sent: unknown[]) =>
        name === 'hourlyCloses' && isStablecoin(sent[0] as string)
          ? Promise.resolve({ missing: `no hours of ${sent[0]}`, partlyHeld: false })
          : Reflect.apply(member, target, sent);
    },
  });

const scenariosOf = ({ plan }: OperationAnswer) => plan?.scenarios as BootstrapScenarios;
/** The returns of the asset of a rank in the rows. */
function column(answer: OperationAnswer, rank: number): Float64Array {
  const { rows, assets } = scenariosOf(answer);
  return rows.filter((_, k) => k % assets === rank);
}
const warningsOf = ({ fitted, warnings = [] }: OperationAnswer) => [...warnings, ...(fitted?.warnings ?? [])];
const modelOf = ({ included }: OperationAnswer) => (included?.Model ?? {}) as { correlation: number[][] };
const codesOf = (answer: OperationAnswer) => warningsOf(answer).map(({ code }) => code);

describe('Hours of a stablecoin with daily prices, on the sample market', () => {
  beforeAll(async () => {
    operations = await openOperations('sample');
    market = withoutStableHours(operations.market);
  });
  let market: MarketData;
  const loanOf = (params: object, seed = 0, more: Overrides = {}) =>
    askLoan(params, { market, seed, ...more });
  const window = { analysis_date: '06-30-2024', model_lookback: 40, mc_iter: 500 };
  const loan = { ...window, ...terms, ...ratios };

  it('differ between two seeds, while the hours of the coin stay the same', { tags: ['slow'] }, async () => {
    const [first, second] = [await loanOf(loan, 7), await loanOf(loan, 8)];
    expect(scenariosOf(first)).toMatchObject({ assets: 2, stepsPerRow: 1 });
    expect(column(second, 0)).toEqual(column(first, 0));
    const [usdc, other] = [column(first, 1), column(second, 1)];
    const equal = usdc.filter((r, k) => r === other[k]);
    expect(equal.length, 'hours of USDC that are equal under the seeds 7 and 8').toBeLessThan(10);
    for (let day = 0; day < 40; day++) {
      const sum = (hours: Float64Array) => hours.slice(24 * day, 24 * day + 24).reduce((a, b) => a + b, 0);
      expect(sum(other), `day ${day}`).toBeCloseTo(sum(usdc), 14);
    }
  });

  it('are equal bytes where a seed is asked again', async () => {
    const [first, again] = [await loanOf(loan, 7), await loanOf(loan, 7)];
    expect(scenariosOf(again)).toEqual(scenariosOf(first));
    expect(again.result).toEqual(first.result);
  });

  it.each(['cpu', 'auto'] as const)(
    'are equal bytes on the engine that x-compute %s takes',
    async compute => {
      expect(scenariosOf(await loanOf(loan, 7, { compute }))).toEqual(scenariosOf(await loanOf(loan, 7)));
    },
  );

  it('are equal bytes on the GPU', { tags: ['slow'] }, async () => {
    const log = createLogger('silent');
    const limits = { cpu: 1e12, gpu: 1e12 };
    const engines = await openEngines({ compute: 'auto', softwareGpu: true, threads: 2, limits, log });
    onTestFinished(() => engines.close());
    const given = await loanOf(loan, 7, { engines, compute: 'gpu' });
    expect(given.engine.backend).toBe('gpu');
    const onReference = await loanOf(loan, 7);
    expect(scenariosOf(given)).toEqual(scenariosOf(onReference));
    expect(given.result.PrMarginCall).toBeCloseTo(onReference.result.PrMarginCall as number, 2);
  });

  it('are those of the seed of each day in a back-test', async () => {
    const judged = { model_lookback: 40, quantile: [0.9], mc_iter: 500, volatility_shock: 0 };
    const weights = { BTC: 0.01, USDC: 0.99 };
    const days = { from: '06-20-2024', to: '06-22-2024' };
    const { result } = await ask(
      BACKTEST_QUESTION,
      { type, params: { ...judged, ...days, weights } },
      { market, seed: 7 },
    );
    const forecasts = (result.Daily as { Var: Record<string, number[]> }).Var['0.9'];
    for (const rank of [0, 1, 2]) {
      const exposure = {
        ...judged,
        collateral_weights: weights,
        loan_weights: weights,
        analysis_date: `06-${20 + rank}-2024`,
        var_duration: [1],
        loan_value: 1,
        collateral_value: 1,
      };
      const params = exposure;
      const { result: asked } = await ask(
        VALUE_AT_RISK_QUESTION,
        { type, params },
        { market, seed: 7 + rank },
      );
      const horizon = asked['1'] as Record<string, Record<string, number>>;
      expect(forecasts[rank], `day ${rank}, seed ${7 + rank}`).toBe(horizon['0.9'].CollateralVar);
    }
  });

  it('are the same in every question of a seed, whatever the other assets are', {
    tags: ['slow'],
  }, async () => {
    const usdc = column(await loanOf(loan, 7), 1);
    const { N: _n, M: _m, R: _r, ...searched } = loan;
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.2,
      variable_min: 1.12,
      variable_max: 3,
      error_tolerance: 0.05,
    };
    const capped = { volume_lookback: 30, markets: [['BTC', 'USDT', 'binance']], participation_ratio: 0.1 };
    const exposure = { var_duration: [1], quantile: [0.95], loan_value: 1, collateral_value: 1 };
    const booked = { id: 'a', ...terms, ...ratios, collateral_weights: { BTC: 0.5, ETH: 0.5 } };
    const answers: [string, Asked, object, number][] = [
      ['/loan_origination', ORIGINATION_QUESTION, { ...searched, opt_param }, 1],
      ['/loan_risk_low_liquidity', CAPPED_LOAN_QUESTION, { ...loan, ...capped }, 1],
      ['/var', VALUE_AT_RISK_QUESTION, { ...window, ...baskets, ...exposure }, 1],
      ['/book_risk', BOOK_QUESTION, { ...window, quantile: [0.9], loans: [booked] }, 2],
    ];
    for (const [path, question, params, rank] of answers) {
      const given = await ask(question, { type, params }, { market, seed: 7 });
      expect(column(given, rank), path).toEqual(usdc);
      expect(codesOf(given), path).toContain('bridged-hours');
    }
  });

  it('bring the warning bridged-hours, which names the assets', async () => {
    const messages = (answer: OperationAnswer) =>
      warningsOf(answer).flatMap(({ code, message }) => (code === 'bridged-hours' ? [message] : []));
    const one = messages(await loanOf(loan));
    expect(one).toHaveLength(1);
    expect(one[0]).toContain('USDC has daily prices only');
    const two = messages(await loanOf({ ...loan, loan_weights: { USDC: 0.5, USDT: 0.5 } }));
    expect(two[0]).toContain('USDC, USDT have daily prices only');
    expect(messages(await loanOf({ ...loan, loan_weights: { ETH: 1 } }))).toEqual([]);
    expect(messages(await loanOf({ ...loan, loan_weights: { USD: 1 } }))).toEqual([]);
  });

  it('leave the volatilities and correlations of the answer as they are, whatever the seed is', async () => {
    const [first, second] = [await loanOf(loan, 7), await loanOf(loan, 8)];
    for (const name of ['Collateral Volatility', 'Loan Volatility', 'Collateral/Loan Correlation'])
      expect(second.result[name], name).toBe(first.result[name]);
    const fitted = (answer: OperationAnswer) => {
      // The mean loss is one of the paths, which the seed decides on.
      const {
        expected_loss_usd: _loss,
        loss_spread: _spread,
        ...others
      } = modelOf(answer) as Record<string, unknown>;
      return others;
    };
    expect(fitted(second)).toEqual(fitted(first));
    expect(modelOf(first).correlation).toHaveLength(2);
  });
});

describeWithSharedData('BOOTSTRAP on real prices', () => {
  beforeAll(async () => {
    operations = await openOperations();
  });
  const window = { analysis_date: '03-20-2023', model_lookback: 60, mc_iter: 100 };
  const loan = { ...window, ...terms, ...ratios };

  it('shows by several seeds that rare events depend on the drawn hours', { tags: ['slow'] }, async () => {
    const paths = 20_000;
    const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
    const params = { ...loan, mc_iter: paths };
    const answers = await Promise.all(seeds.map(seed => askLoan(params, { seed })));
    const shares = answers.map(({ result }) => result.PrLiquidation as number);
    // The rows of the first seed under the paths of the others: the effect of sampling alone.
    const [{ plan }] = answers;
    const sampled = await Promise.all(
      seeds.map(async seed => {
        const outcome = await operations.engines.reference.run({ ...plan, seed } as never);
        return (outcome as unknown as { liquidations: number }).liquidations / paths;
      }),
    );
    /** Chi-square of equal shares with 7 degrees of freedom; 99.9 % of binomial ones stay below 24.3. */
    const spread = (values: number[]) => {
      const p = values.reduce((a, b) => a + b, 0) / values.length;
      return values.reduce((sum, v) => sum + (v - p) ** 2, 0) / ((p * (1 - p)) / paths);
    };
    const shown = `rows of each seed: ${shares.join(', ')}; rows of seed 0: ${sampled.join(', ')}`;
    expect(spread(sampled), shown).toBeLessThan(24.3);
    expect(spread(shares), shown).toBeGreaterThan(30);
  });

  it('warns of a daily grid where the hours of an asset end before its days, or are not held', async () => {
    const of = (asset: string, analysis_date: string) =>
      askLoan({ ...loan, collateral_weights: { [asset]: 1 }, analysis_date });
    const daily = await of('LINK', '03-01-2024');
    expect(scenariosOf(daily).stepsPerRow).toBe(24);
    expect(codesOf(daily)).toContain('daily-grid');
    expect(codesOf(daily)).not.toContain('bridged-hours');
    const [within, beyond] = [await of('PEPE', '03-01-2026'), await of('PEPE', '03-03-2026')];
    expect([scenariosOf(within).stepsPerRow, scenariosOf(beyond).stepsPerRow]).toEqual([1, 24]);
    expect(codesOf(within)).not.toContain('daily-grid');
    expect(codesOf(beyond)).toContain('daily-grid');
  });
});
