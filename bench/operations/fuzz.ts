/**
 * Generated requests, from the request schemas and not, against a server process: none may end it, be answered 5xx, or be refused in
 * another form than a problem document. Books (generated-books.ts) are answered as openapi.json says, and their figures add up.
 *
 * `node build/bench/operations/fuzz.js [requests] [seed] [kind of the table, such as books]`.
 */
import { Agent } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { QUESTIONS } from '../../src/question/questions.ts';
import { jsonSchemaOf } from '../../src/server/openapi/json-schema.ts';
import { answerFaults } from '../../test/support/openapi.ts';
import { GOOD_BODIES } from '../../test/support/request-bodies.ts';
import { madeConsistent, valuesOf } from '../../test/support/schema-values.ts';
import { brokenIdentities } from './book-identities.ts';
import { report, tally } from './figures.ts';
import { type BookRequest, bookRequests } from './generated-books.ts';
import { type Answer, KEY, startService } from './service.ts';

const requests = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 20_261_122);
const only = process.argv[4];
const AT_ONCE = 16;
/** Schemas do not differ by the day but in their bounds of dates. */
const SOME_DAY = 20_500;

const paths = Object.keys(GOOD_BODIES) as (keyof typeof GOOD_BODIES)[];
const strange = fc.constantFrom<unknown>(
  ...[0, -0, 1, -1, 0.5, 1e-324, 5e-324, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e15, 1e16],
  ...[
    '',
    '0',
    '1',
    'NaN',
    'Infinity',
    '\u0000',
    '\ud800',
    '\ufffd',
    'a'.repeat(5000),
    '__proto__',
    'constructor',
  ],
  ...[
    null,
    true,
    false,
    [],
    {},
    [[]],
    [{}],
    { '': 0 },
    { length: -1 },
    '02-30-2026',
    '13-01-2026',
    '01-01-1900',
  ],
  ...[
    { BTC: 1, btc: 1 },
    { $proto: 1 },
    { USD: 0.5, USDC: 0.5 },
    [['BTC', 'USD', 'kraken']],
    'HISTORICAL',
    'GBM_VIX',
  ],
);
const value = fc.oneof(strange, fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.integer(), fc.string());
const name = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'type',
    'params',
    'mc_iter',
    'N',
    'x',
    'volatility_shock',
  ),
);

/** Every place in a JSON value, as a list of keys. */
function placesIn(node: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof node !== 'object' || node === null) return [at];
  return [at, ...Object.entries(node).flatMap(([key, child]) => placesIn(child, [...at, key]))];
}

function replaced(node: unknown, [first, ...others]: readonly string[], by: unknown): unknown {
  if (first === undefined) return by;
  if (typeof node !== 'object' || node === null) return node;
  const child = replaced(Reflect.get(node, first), others, by);
  if (Array.isArray(node)) return Object.assign([...node], { [first]: child });
  return Object.fromEntries([...Object.entries(node).filter(([key]) => key !== first), [first, child]]);
}

interface Sent {
  readonly kind: string;
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** The book in `body`, whose answer is looked at. */
  readonly book?: BookRequest;
}

const usual = { 'content-type': 'application/json', 'x-api-key': KEY };
const path = fc.constantFrom(...paths);
const goodText = (route: keyof typeof GOOD_BODIES) => JSON.stringify(GOOD_BODIES[route]);

const SYMBOLS = ['BTC', 'ETH', 'USD', 'USDC', 'SOL', 'btc', 'NOPE', 'binance'];
/** Bodies that the schema of a route allows. */
const bodies: ReadonlyMap<string, fc.Arbitrary<unknown>> = new Map(
  QUESTIONS.map(route => [route.path, valuesOf(jsonSchemaOf(route.schema(SOME_DAY)), SYMBOLS)]),
);
const bodyOf = (route: string) => bodies.get(route) as fc.Arbitrary<unknown>;
const anyRoute = fc.constantFrom(...bodies.keys());
const sentAs = (kind: string, route: string, body: unknown): Sent => ({
  kind,
  path: route,
  body: Buffer.from(JSON.stringify(body) ?? 'null'),
  headers: usual,
});

const fromSchema = anyRoute.chain(route => bodyOf(route).map(body => sentAs('from the schema', route, body)));
const consistent = anyRoute.chain(route =>
  bodyOf(route).map(body => sentAs('from the schema, consistent', route, madeConsistent(body))),
);
/** A few of its places replaced by what does not belong there. */
const bentFrom = (kind: string, route: string, good: unknown) =>
  fc.array(fc.tuple(fc.constantFrom(...placesIn(good)), value), { minLength: 1, maxLength: 3 }).map(bends =>
    sentAs(
      kind,
      route,
      bends.reduce<unknown>((node, [place, by]) => replaced(node, place, by), good),
    ),
  );
const bentSchema = anyRoute.chain(route =>
  bodyOf(route).chain(body => bentFrom('from the schema, bent', route, madeConsistent(body))),
);
const bent = path.chain(route => bentFrom('bent', route, GOOD_BODIES[route]));
/** A member twice, or one that nobody knows, as text: an object could not hold it. */
const doubled = fc.tuple(path, name, value).map(([route, member, by]): Sent => {
  const extra = `${JSON.stringify(member)}:${JSON.stringify(by) ?? 'null'}`;
  const text = goodText(route).replace(/("params":)?\{/, found => `${found}${extra},`);
  return { kind: 'doubled', path: route, body: Buffer.from(text), headers: usual };
});
const deep = fc
  .tuple(path, fc.integer({ min: 1, max: 30_000 }), fc.boolean())
  .map(([route, depth, list]): Sent => {
    const [open, close] = list ? ['[', ']'] : ['{"a":', '}'];
    const levels = Math.floor(list ? depth : depth / 5);
    const text = `{"type":"GBM","params":${open.repeat(levels)}${list ? '' : '1'}${close.repeat(levels)}}`;
    return { kind: 'deep', path: route, body: Buffer.from(text), headers: usual };
  });
const bytes = fc
  .tuple(path, fc.uint8Array({ maxLength: 300 }))
  .map(([route, body]): Sent => ({ kind: 'bytes', path: route, body: Buffer.from(body), headers: usual }));
/** A good body with some of its bytes replaced, so that invalid UTF-8 stands within strings too. */
const broken = fc
  .tuple(path, fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { minLength: 1, maxLength: 4 }))
  .map(([route, changes]): Sent => {
    const body = Buffer.from(goodText(route));
    for (const [at, byte] of changes) body[at % body.length] = byte;
    return { kind: 'broken bytes', path: route, body, headers: usual };
  });
const text = fc.string({ unit: fc.constantFrom(...'aZ09 ,;:=/"()<>@[]{}?!#$%&*+-._~'), maxLength: 40 });
const headed = fc
  .record({
    route: path,
    seed: text,
    compute: text,
    type: text,
    id: text,
    key: text,
    prefer: text,
    accept: text,
  })
  .map(
    ({ route, ...sent }): Sent => ({
      kind: 'headers',
      path: route,
      body: Buffer.from(goodText(route)),
      headers: {
        ...usual,
        'x-request-id': sent.id,
        accept: sent.accept,
        prefer: sent.prefer,
        ...(sent.seed.length % 2 === 0 ? { 'x-seed': sent.seed } : {}),
        ...(sent.compute.length % 3 === 0 ? { 'x-compute': sent.compute } : {}),
        ...(sent.type.length % 2 === 0 ? { 'content-type': sent.type } : {}),
        ...(sent.key.length % 3 === 0 ? { 'x-api-key': sent.key } : {}),
      },
    }),
  );
const wild = fc.tuple(fc.webPath(), fc.webQueryParameters()).map(
  ([target, query]): Sent => ({
    kind: 'targets',
    path: `${target === '' ? '/loan_risk' : target}?${query}`,
    body: Buffer.from(goodText('/loan_risk')),
    headers: usual,
  }),
);
const huge = fc.tuple(path, fc.integer({ min: 1000, max: 80_000 })).map(
  ([route, length]): Sent => ({
    kind: 'huge',
    path: route,
    body: Buffer.from(goodText(route).replace('{', `{"${'m'.repeat(length)}":1,`)),
    headers: usual,
  }),
);
const books = bookRequests.map((book): Sent => ({ ...sentAs('books', book.path, book.body), book }));
const KINDS: Readonly<Record<string, { readonly weight: number; readonly arbitrary: fc.Arbitrary<Sent> }>> = {
  books: { weight: 2, arbitrary: books },
  fromSchema: { weight: 15, arbitrary: fromSchema },
  consistent: { weight: 15, arbitrary: consistent },
  bentSchema: { weight: 15, arbitrary: bentSchema },
  bent: { weight: 5, arbitrary: bent },
  doubled: { weight: 12, arbitrary: doubled },
  deep: { weight: 4, arbitrary: deep },
  bytes: { weight: 8, arbitrary: bytes },
  broken: { weight: 10, arbitrary: broken },
  headed: { weight: 10, arbitrary: headed },
  wild: { weight: 4, arbitrary: wild },
  huge: { weight: 2, arbitrary: huge },
};
const anything = fc.oneof(
  ...Object.entries(KINDS)
    .filter(([kind]) => kind === only || only === undefined)
    .map(([, row]) => row),
);

// A small machine answers many: no request may ask for more than a moment.
const server = await startService({
  MAX_WORK_CPU: '3e7',
  MAX_QUEUE: '1000',
  // A 504 on a machine that does other work as well would say nothing of the requests.
  REQUEST_TIMEOUT_SECONDS: '600',
});
const faults: string[] = [];
const statuses: string[] = [];

/** What is wrong with an answer, or undefined. */
function faultOf({ book }: Sent, { status, headers, body, error }: Answer): string | undefined {
  if (status === 0) return `no answer: ${error}`;
  if (status >= 500) return `status ${status}: ${body}`;
  if (status < 400) {
    if (book === undefined) return undefined;
    const answer = JSON.parse(body) as Record<string, unknown>;
    const faults = [...answerFaults(book.path.split('?')[0], answer), ...brokenIdentities(book, answer)];
    return faults.length === 0 ? undefined : faults.join('; ');
  }
  const type = String(headers['content-type']).split(';')[0];
  if (type !== 'application/problem+json') return `status ${status} as ${type}`;
  const problem = JSON.parse(body) as Record<string, unknown>;
  const good =
    problem.status === status &&
    typeof problem.title === 'string' &&
    typeof problem.detail === 'string' &&
    Array.isArray(problem.errors) &&
    problem.request_id === headers['x-request-id'];
  return good ? undefined : `no problem document: ${body}`;
}

/** A body of which only half is sent: the connection is dropped, and nothing else may happen. */
function sendHalf({ path: target, body }: Sent): Promise<void> {
  const { hostname, port } = new URL(server.url);
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    const head = `POST ${target.split('?')[0]} HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${body.length + 1}\r\n\r\n`);
    socket.write(body, () => setTimeout(() => socket.destroy(), 5));
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const queue = fc.sample(anything, { numRuns: Math.min(requests, 2000), seed });
let made = queue.length;
let done = 0;

function next(): Sent | undefined {
  if (queue.length === 0 && made < requests) {
    const more = Math.min(2000, requests - made);
    queue.push(...fc.sample(anything, { numRuns: more, seed: seed + made }));
    made += more;
  }
  return queue.pop();
}

async function caller(): Promise<void> {
  for (let sent = next(); sent !== undefined; sent = next()) {
    if (done % 100 === 99) await sendHalf(sent);
    const { path: target, body, headers } = sent;
    const safe = Object.fromEntries(Object.entries(headers).map(([key, each]) => [key, each.trim()]));
    const answer = await server.call(target, { method: 'POST', headers: safe, body, agent });
    const fault = faultOf(sent, answer);
    if (fault !== undefined) {
      faults.push(
        `${sent.kind} ${target} ${JSON.stringify(safe)} ${body.toString('base64').slice(0, 4000)}: ${fault}`,
      );
      process.stderr.write(`${faults[faults.length - 1]}\n`);
    }
    statuses.push(`${sent.kind} ${answer.status}`);
    done++;
    if (done % 5000 === 0) process.stderr.write(`${done} requests, ${faults.length} faults\n`);
  }
}

const begin = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, caller));
const seconds = (performance.now() - begin) / 1000;
const alive = (await server.call('/livez')).status === 200;
const found = await server.metrics();
const exit = await server.stop();
report(
  'fuzz',
  `node build/bench/operations/fuzz.js ${requests} ${seed} ${only ?? ''}`.trim(),
  {
    requests: statuses.length,
    seconds,
    statuses: Object.fromEntries(Object.entries(tally(statuses)).sort()),
    loopP99Ms: (found.get('nodejs_eventloop_lag_p99_seconds') ?? Number.NaN) * 1000,
    faults: faults.slice(0, 20),
    exit,
  },
  {
    'no answer is 5xx, none is missing, each refusal is a problem document, and figures of books add up':
      faults.length === 0,
    'the server is alive at the end and stops in good order': alive && exit === 0,
  },
);
