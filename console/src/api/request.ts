/**
 * Requests to the server that served this page, through the client generated from its description.
 *
 * Gives: the answer and the headers on its run, or a `Refusal` with the faults by member.
 */
import type { FaultCode } from '#core/errors.ts';
import { createClient, type operations, type Problem, type paths } from '../../../client/index.js';
import type { OperationBody } from '../compute/answer.ts';
import { reportAnswer, reportOutage } from '../state/outage.ts';
import { apiKey, refusedKey } from '../state/session.ts';

/** A member that the server refused. */
export interface Fault {
  readonly code: FaultCode;
  readonly path: string;
  readonly message: string;
}

/** A problem document of the server (RFC 9457), a connection that failed (status 0), or a failure of this page (status -1). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly faults: readonly Fault[];
  /** After how long the server takes the request again, where it says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, faults: readonly Fault[] = [], retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.faults = faults;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether no server has answered: none is there, or a proxy finds none. */
  get isOutage(): boolean {
    const { status } = this;
    return (
      status === 0 ||
      status === 502 ||
      status === 504 ||
      (status === 503 && this.retryAfterSeconds === undefined)
    );
  }

  /** Whether the same request may be answered later. */
  get mayPass(): boolean {
    return this.status <= 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** An answer and the headers on its run. */
export interface Answered<T> {
  readonly body: T;
  readonly device: string;
  readonly scenarios: number;
  /** `hourly` or `daily`: the prices behind the answer; empty where none are. */
  readonly grid: string;
  /** Prices that were carried forward: `USDC=9`. */
  readonly filled: string;
  readonly market: string;
  /** Milliseconds from sending to the last byte. */
  readonly milliseconds: number;
}

export interface SendOptions {
  readonly compute?: string;
  readonly seed?: string;
  readonly include?: string;
  /** Query parameters beside `include`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The paths of the service that answer a body. */
export type PostPath = {
  [P in keyof paths]: paths[P] extends { post: { responses: { 200: unknown } } } ? P : never;
}[keyof paths];

/** The body of the 200 of an operation. */
type JsonOf<O> = O extends { responses: { 200: { content: { 'application/json': infer T } } } } ? T : never;

/** The answer of a path to a body. */
export type AnswerOf<P extends PostPath> = JsonOf<paths[P]['post']>;

/** The answer of `GET /symbols`. */
export type SymbolsAnswer = JsonOf<operations['symbols']>;

/** The answer of `GET /scenarios`. */
export type ScenariosAnswer = JsonOf<operations['scenarios']>;

/** The answer of `GET /prices`. */
export type PricesAnswer = JsonOf<operations['prices']>;

/** The answer of `GET /healthz`. */
export type HealthAnswer = JsonOf<operations['health']>;

const client = () =>
  createClient({
    url: location.origin,
    // The page says what is the matter, and tries again in sight.
    retries: 0,
    ...(apiKey.value === '' ? {} : { key: apiKey.value }),
  });

/**
 * Sends the body of an operation. A body may have what a person typed: the server refuses it by member.
 * @throws Refusal, or the signal's reason
 */
export function post<P extends PostPath>(
  path: P,
  body: unknown,
  options: SendOptions = {},
): Promise<Answered<AnswerOf<P>>> {
  const { compute = 'auto', seed = '0', include = '', query = {}, signal } = options;
  const asked = { ...query, ...(include === '' ? {} : { include }) };
  const init = {
    params: {
      ...(Object.keys(asked).length === 0 ? {} : { query: asked }),
      header: { 'x-compute': compute, 'x-seed': seed },
    },
    body,
    ...(signal === undefined ? {} : { signal }),
  };
  // The paths differ in their bodies only, and a form's body is for the server to judge.
  const { POST } = client();
  return answered<AnswerOf<P>>(() => POST(path as '/loan_risk', init as never), signal);
}

/** The same where the path is one of several operations. @throws Refusal, or the signal's reason */
export const postOperation = (path: PostPath, body: unknown, options: SendOptions = {}) =>
  post(path, body, options) as Promise<Answered<unknown>> as Promise<Answered<OperationBody>>;

/** Every asset that has a price. @throws Refusal, or the signal's reason */
export const getSymbols = (signal?: AbortSignal): Promise<Answered<SymbolsAnswer>> =>
  answered(() => client().GET('/symbols', signal === undefined ? {} : { signal }), signal);

/** The scenarios that the server has by name. @throws Refusal, or the signal's reason */
export const getScenarios = (signal?: AbortSignal): Promise<Answered<ScenariosAnswer>> =>
  answered(() => client().GET('/scenarios', signal === undefined ? {} : { signal }), signal);

/** The last closes of assets. @param date `MM-DD-YYYY`; the newest where it is absent @throws Refusal */
export const getPrices = (assets: readonly string[], date?: string): Promise<Answered<PricesAnswer>> =>
  answered(
    () =>
      client().GET('/prices', {
        params: { query: { symbols: assets.join(','), ...(date === undefined ? {} : { date }) } },
      }),
    undefined,
  );

/** What the server has to work with; 503 where its configuration demands a GPU and it has none. @throws Refusal */
export const getHealth = (): Promise<Answered<HealthAnswer>> =>
  answered(() => client().GET('/healthz'), undefined);

/** What a call of the client gives. */
interface Reply {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

async function answered<T>(
  send: () => Promise<Reply>,
  signal: AbortSignal | undefined,
): Promise<Answered<T>> {
  const begin = performance.now();
  let reply: Reply;
  try {
    reply = await send();
  } catch (error) {
    if (signal?.aborted) throw error;
    reportOutage();
    // The client reads JSON: what is none has an end missing.
    const isCut = error instanceof SyntaxError;
    throw new Refusal(0, isCut ? 'The answer of the server was cut off.' : 'The server cannot be reached.');
  }
  const { data, error, response } = reply;
  const milliseconds = performance.now() - begin;
  if (response.status === 401) refusedKey.value = apiKey.value;
  if (!response.ok || data === undefined) {
    const refusal = refusalOf(response, error);
    if (refusal.isOutage) reportOutage();
    throw refusal;
  }
  reportAnswer();
  const header = (name: string) => response.headers.get(name) ?? '';
  return {
    body: data as T,
    device: header('x-compute-device'),
    scenarios: Number(header('x-scenarios')),
    grid: header('x-market-grid'),
    filled: header('x-market-data-filled'),
    market: header('x-market-data'),
    milliseconds,
  };
}

/** What a proxy without its server answers. */
const OF_PROXY: Readonly<Record<number, string>> = {
  502: 'The server cannot be reached: what stands before it answered 502.',
  503: 'The server takes no requests at the moment: 503.',
  504: 'The server did not answer in time: what stands before it answered 504.',
};

/** A problem document; of anything else the status is shown alone. */
function refusalOf({ status, headers }: Response, error: unknown): Refusal {
  const problem = (typeof error === 'object' && error !== null ? error : {}) as Partial<Problem>;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new Refusal(
    status,
    problem.detail ?? problem.title ?? OF_PROXY[status] ?? `The server answered ${status}.`,
    problem.errors ?? [],
    Number.isFinite(seconds) ? Math.max(1, seconds) : undefined,
  );
}
