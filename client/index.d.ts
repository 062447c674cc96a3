import type { Client, ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

export type { components, operations, paths } from './schema.d.ts';

/** A problem document: the body of every refusal. */
export type Problem = components['schemas']['Problem'];
/** One fault of a refusal; `code` stays where `message` changes. */
export type Fault = Problem['errors'][number];
export type FaultCode = Fault['code'];
export type Job = components['schemas']['Job'];

/** The operations. */
export type OperationPath = {
  [P in keyof paths]: paths[P] extends { post: { requestBody: { content: { 'application/json': unknown } } } }
    ? P
    : never;
}[keyof paths];

type Post<P extends OperationPath> = paths[P] extends { post: infer O } ? O : never;
type Sent<P extends OperationPath> =
  Post<P> extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;

/** A loan in one form: by its coverage N, by its LTV, or by amounts, from which both follow. */
type OneForm<M> = M extends { N?: infer N; initial_ltv?: infer V; collateral?: infer C }
  ? Omit<M, 'N' | 'initial_ltv' | 'collateral'> &
      (
        | { N: NonNullable<N>; initial_ltv?: never; collateral?: never }
        | { N?: never; initial_ltv: NonNullable<V>; collateral?: never }
        | { N?: never; initial_ltv?: never; collateral: NonNullable<C> }
      )
  : M;
/** The body of a request. */
export type BodyOf<P extends OperationPath> =
  Sent<P> extends infer B
    ? B extends { params: infer M }
      ? Omit<B, 'params'> & { params: OneForm<M> }
      : B
    : never;
/** The paths, where the bodies of operations have one form. */
type FormedPaths = {
  [P in keyof paths]: P extends OperationPath
    ? Omit<paths[P], 'post'> & {
        post: Omit<Post<P>, 'requestBody'> & {
          requestBody: { content: { 'application/json': BodyOf<P> } };
        };
      }
    : paths[P];
};
/** The answer of an operation, of a direct request, a job and a line of a batch. */
export type AnswerOf<P extends OperationPath> =
  Post<P> extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;

export interface RiskClientOptions extends Omit<ClientOptions, 'baseUrl' | 'headers' | 'fetch'> {
  /** Base address of the service, `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Sent as `x-api-key`. */
  readonly key?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of that of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Further tries after 429 and 503 with `Retry-After`, which is obeyed, and after a failed connection; 5. */
  readonly retries?: number;
  /** Time of a request with all its tries; 300. A later answer is given up (`TimeoutError`). */
  readonly deadlineSeconds?: number;
  /** Most requests at once; 8. Further ones wait in the client. */
  readonly atOnce?: number;
}

export interface JobOptions<P extends OperationPath> {
  readonly body: BodyOf<P>;
  readonly query?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly compute?: 'auto' | 'gpu' | 'cpu';
  /** A program that runs again with the same key and question finds its first job; a new one by default. */
  readonly idempotencyKey?: string;
  /** Its abort cancels the job. */
  readonly signal?: AbortSignal;
  /** Called with the state of the job at each look. */
  readonly onProgress?: (job: Job) => void;
}

/** A line of a batch: a question under a name that is unique in the batch. */
export type BatchLine = {
  [P in OperationPath]: {
    readonly id: string;
    readonly path: P;
    readonly query?: string;
    readonly seed?: number;
    readonly compute?: 'auto' | 'gpu' | 'cpu';
    readonly body: BodyOf<P>;
  };
}[OperationPath];

/** The answer to a line, in the order in which they finish. `A` is the answer of a success. */
export type BatchAnswer<A> = { readonly id: string; readonly headers: Readonly<Record<string, string>> } & (
  | { readonly status: 200; readonly body: A }
  | { readonly status: 400 | 401 | 403 | 413 | 422 | 429 | 500 | 503 | 504; readonly body: Problem }
);

/** Whether client and server were made from the same description of the interface. */
export interface Match {
  /** Version and build of the server. */
  readonly version: string;
  readonly served: string;
  readonly expected: string;
  readonly matches: boolean;
}

interface Helpers {
  /**
   * Runs a question as a job to its end, and resolves with its answer. @throws RiskRefusal; the signal's reason, after the job is cancelled
   */
  runJob<P extends OperationPath>(path: P, options: JobOptions<P>): Promise<AnswerOf<P>>;
  /** Asks many questions in one request. @throws RiskRefusal of the batch; Error where the answer was cut off */
  batch<L extends BatchLine>(
    lines: Iterable<L>,
    options?: { readonly signal?: AbortSignal },
  ): AsyncGenerator<BatchAnswer<AnswerOf<L['path']>>>;
  /** Compares the interface of the server with the one of these types. */
  checkServer(): Promise<Match>;
}

/** Bodies are JSON; a refusal is a problem document. */
export type RiskClient = Client<FormedPaths, 'application/json' | 'application/problem+json'> & Helpers;

/** The refusal of a job or batch. */
export class RiskRefusal extends Error {
  /** Undefined where the refusal is no problem document, as that of a proxy may be. */
  readonly problem: Problem | undefined;
  readonly response: Response;
}

/**
 * A client of the service at `url`.
 *
 * `client.POST('/loan_risk', { body })` returns `{ data, response }`, or `{ error, response }` with a `Problem`. It throws where the
 * answer is incomplete, and where a success is not JSON. A refusal that is not JSON, as a proxy may send, is a text in `error`.
 */
export function createClient(options: RiskClientOptions): RiskClient;
