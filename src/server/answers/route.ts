/**
 * A row of the table of operations: path, schema, operation.
 *
 * A row does not expose the type of its request: it has a function from a body to a prepared request that can be run.
 */
import type { z } from 'zod';
import type { Asker } from '../../core/turns.ts';
import type { SymbolTable } from '../../market/symbols.ts';
import { METHODOLOGIES, type MethodologyName } from '../../models/methodology/methodologies.ts';
import type { FitCost } from '../../models/methodology/methodology.ts';
import type { OperationAnswer, OperationContext, Question } from '../../question/question.ts';
import type { AmountSides, PricesOf } from '../../question/request/amounts.ts';
import { type Checked, checkRequest } from '../../question/request/parse.ts';
import type { OperationPath } from '../../question/request/paths.ts';
import { DEFAULT_QUERY, type QuerySupport, type Sampling } from '../../question/request/query.ts';
import { atMembers, type SentNames, sentNames, type Workload } from '../../question/workload.ts';
import { type Day, formatIsoDate } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';

/** A valid request. */
export interface PreparedRequest {
  /** The product, model, number of assets and work of the run. */
  readonly workload: Workload;
  /** `type` or `model` as sent. */
  readonly methodology: string;
  /** The cost of its fits. */
  readonly fitCost: FitCost;
  /** `YYYY-MM-DD`; of a back-test the last forecast. */
  readonly analysisDate: string;
  /** Days. */
  readonly lookback: number;
  run(context: OperationContext): Promise<OperationAnswer>;
}

export interface Route {
  readonly path: OperationPath;
  /** The values of its query. */
  readonly querySupport: QuerySupport;
  /** Largest body in bytes. */
  readonly bodyBytes: number;
  /** The amounts in its bodies; none by default. */
  readonly amounts?: AmountSides;
  /** Whether it can answer in lines. */
  readonly lines?: boolean;
  /** Whether it accepts a loan tape as text/csv. */
  readonly takesTapes?: boolean;
  /** The schema of its bodies on the day `today`; openapi.json is made from it. */
  schema(today: Day): z.ZodType;
  /**
   * Checks a body sent on the day `today` whose amounts have been valued, and reports all its faults.
   *
   * @param sampling from the query; `random` by default
   */
  read(body: unknown, today: Day, resolve?: ResolveSymbol, sampling?: Sampling): Checked<PreparedRequest>;
  /**
   * The same from bytes and outside the event loop, for operations with large bodies.
   * @throws HttpRefusal where the bytes are not JSON
   */
  readBytes?(
    bytes: Uint8Array,
    today: Day,
    symbols: SymbolTable,
    asker: Asker,
    pricesOf: PricesOf,
    sampling?: Sampling,
  ): Promise<Checked<PreparedRequest>>;
}

/** Twenty times the largest request of one loan; parsed within some milliseconds. */
const BODY_BYTES = 64 * 1024;

/** Members of every body, in `params` or beside its model. */
type AnyRequest =
  | { readonly type: MethodologyName; readonly params: RequestTerms }
  | (RequestTerms & { readonly model: MethodologyName });
type RequestTerms = { readonly model_lookback: number } & (
  | { readonly analysis_date: Day }
  | { readonly to: Day }
);

/** The route of a question whose bodies are read on the event loop. */
export function route<R extends AnyRequest>(
  question: Question<R>,
  querySupport: QuerySupport = question.query,
): Route {
  const { path, schema, amounts } = question;
  return {
    path,
    ...(amounts && { amounts }),
    querySupport,
    bodyBytes: BODY_BYTES,
    schema,
    read(body, today, resolve, sampling) {
      const checked = checkRequest(schema(today, resolve) as z.ZodType<R>, body);
      return prepared(checked, question, () => sentNames(body, resolve), sampling);
    },
  };
}

/**
 * A checked request, ready to run, or its faults.
 *
 * @param sentOf returns the names of assets in the body; called for a valid request
 */
export function prepared<R extends AnyRequest>(
  checked: Checked<R>,
  question: Question<R>,
  sentOf: () => SentNames,
  sampling: Sampling = DEFAULT_QUERY.sampling,
): Checked<PreparedRequest> {
  if (!checked.ok) return checked;
  const request = checked.value;
  const faults = question.samplingFaults?.(request, sampling) ?? [];
  if (faults.length > 0) return { ok: false, faults };
  const sent = sentOf();
  const [methodology, terms] = 'type' in request ? [request.type, request.params] : [request.model, request];
  const value: PreparedRequest = {
    workload: question.workload(request, sampling),
    methodology,
    fitCost: METHODOLOGIES[methodology].fitCost,
    analysisDate: formatIsoDate('to' in terms ? terms.to : terms.analysis_date),
    lookback: terms.model_lookback,
    run: context =>
      question.answer(request, context).catch((error: unknown) => {
        throw atMembers(request, error, question, sent);
      }),
  };
  return { ok: true, value };
}
