/**
 * A row of the table of operations: path, schema, operation.
 *
 * A row forgets the type of its request: what is left is a function from a body to a prepared request that can be run.
 */
import type { z } from 'zod';
import { type Day, formatIsoDate } from '../calendar-date.ts';
import type { Asker } from '../core/turns.ts';
import type { SymbolTable } from '../market/symbols.ts';
import { METHODOLOGIES, type MethodologyName } from '../methodology/methodologies.ts';
import type { FitCost } from '../methodology/methodology.ts';
import { atMembers, sentNames } from '../question/fault-members.ts';
import type { OperationAnswer, OperationContext, Question } from '../question/question.ts';
import type { SentNames, Workload } from '../question/workload.ts';
import type { AmountSides, PricesOf } from '../request/amounts.ts';
import { type Checked, checkRequest } from '../request/parse.ts';
import type { OperationPath } from '../request/paths.ts';
import { DEFAULT_QUERY, type QuerySupport, type Sampling } from '../request/query.ts';
import type { ResolveSymbol } from '../request/symbols.ts';

/** A request that has been read without a fault. */
export interface PreparedRequest {
  /** Historical requests run on the CPU whatever engines there are. */
  readonly historical: boolean;
  /** What the engines will do, with how many assets, and how much work that is. */
  readonly workload: Workload;
  /** `type` or `model` as sent. */
  readonly methodology: string;
  /** What its fits cost. */
  readonly fitCost: FitCost;
  /** `YYYY-MM-DD`; of a back-test the last forecast. */
  readonly analysisDate: string;
  /** Days. */
  readonly lookback: number;
  run(context: OperationContext): Promise<OperationAnswer>;
}

export interface Route {
  readonly path: OperationPath;
  /** What its query can ask for. */
  readonly querySupport: QuerySupport;
  /** Largest body in bytes. */
  readonly bodyBytes: number;
  /** Which amounts its bodies take; none where absent. */
  readonly amounts?: AmountSides;
  /** Whether it answers in lines, too. */
  readonly lines?: boolean;
  /** Whether it takes a loan tape as text/csv, too. */
  readonly takesTapes?: boolean;
  /** What validates its bodies on the day `today`; openapi.json is made from it. */
  schema(today: Day): z.ZodType;
  /**
   * Understands a body sent on the day `today`, whose amounts have been valued, or reports every fault of it.
   *
   * @param sampling as the query asks for it; `random` by default
   */
  read(body: unknown, today: Day, resolve?: ResolveSymbol, sampling?: Sampling): Checked<PreparedRequest>;
  /**
   * The same from bytes and off the event loop, for operations whose bodies are large.
   * @throws HttpRefusal where the bytes are no JSON
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

/** Twenty times the largest request of one loan, and parsed within some milliseconds. */
const BODY_BYTES = 64 * 1024;

/** What every body says of itself, in `params` or beside its model. */
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
    read(body, today, resolve, sampling = DEFAULT_QUERY.sampling) {
      const checked = checkRequest(schema(today, resolve) as z.ZodType<R>, body);
      if (!checked.ok) return checked;
      const faults = question.samplingFaults?.(checked.value, sampling) ?? [];
      if (faults.length > 0) return { ok: false, faults };
      return { ok: true, value: prepare(checked.value, question, sentNames(body, resolve), sampling) };
    },
  };
}

/** A request that has been read, and what will answer it. */
export function prepare<R extends AnyRequest>(
  request: R,
  question: Question<R>,
  sent: SentNames,
  sampling?: Sampling,
): PreparedRequest {
  const [methodology, terms] = 'type' in request ? [request.type, request.params] : [request.model, request];
  return {
    historical: !METHODOLOGIES[methodology].draws,
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
}
