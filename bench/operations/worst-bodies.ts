/**
 * How long the worst bodies of 64 KiB occupy the event loop: read, refused and put into words.
 *
 * `node build/bench/operations/worst-bodies.js`. In CPU time of this process, collection of garbage included, so that other load on the
 * machine does not count; each is read first by a process that has read nothing, then again and again.
 */
import { ROUTES } from '../../src/http/routes.ts';
import { repeatedMembers } from '../../src/request/repeated-members.ts';
import { quantileOf, report } from './figures.ts';

const BYTES = 64 * 1024;
const TODAY = 25_000;
const ROUNDS = 40;
const MAX_MS = 20;

/** An object of as many members as fit. */
function members(value: unknown, prefix: string, rest = 200): Record<string, unknown> {
  const each = JSON.stringify(value).length + 4 + prefix.length;
  const count = Math.floor((BYTES - rest) / (each + 3));
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [prefix + i.toString(36), value]));
}
const list = (value: unknown) =>
  Array(Math.floor((BYTES - 200) / (JSON.stringify(value).length + 1))).fill(value) as unknown[];

const BODIES: Readonly<Record<string, unknown>> = {
  'unknown type, bad symbols': { type: 'Q', params: { collateral_weights: members('x', '!') } },
  'bad symbols': { type: 'GBM', params: { collateral_weights: members('x', '!') } },
  'unknown members': { type: 'GBM', params: members(0, 'm') },
  'unknown type and members': { type: 'Q', params: members(0, 'm') },
  'unknown members at the top': { type: 'Q', ...members(0, 'm') },
  'a list of quantiles': { type: 'GBM', params: { quantile: list('x') } },
  'a list of markets': { type: 'GBM', params: { markets: list([0, 0, 0, 0]) } },
  'a market of thousands': { type: 'GBM', params: { markets: [list(0)] } },
  'a long string': { type: 'x'.repeat(BYTES - 20) },
  'a long name': { ['y'.repeat(BYTES - 20)]: 1 },
  'perpetual without model': { model: 'Q', contract_type: 'linear', ...members(0, 'm') },
  'perpetual members': { model: 'GBM', contract_type: 'linear', ...members(0, 'm') },
};
const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(BODIES).map(([name, body]) => [name, JSON.stringify(body)])),
  'one member thousands of times': `{${Array(8000).fill('"N":1').join()}}`,
  brackets: `{"params":${'['.repeat(BYTES / 2 - 10)}${']'.repeat(BYTES / 2 - 10)}}`,
  backslashes: JSON.stringify({ params: '\\'.repeat(BYTES / 2 - 20) }),
};

const milliseconds = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const figures: Record<string, { bytes: number; firstMs: number; medianMs: number; mostMs: number }> = {};
for (const [name, text] of Object.entries(TEXTS)) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const route of ROUTES) {
      const begin = milliseconds();
      const read = route.read(JSON.parse(text), TODAY);
      const repeats = repeatedMembers(text);
      if (read.ok) throw new Error(`${name} was accepted by ${route.path}`);
      JSON.stringify([...repeats, ...read.faults]);
      times.push(milliseconds() - begin);
    }
  }
  figures[name] = {
    bytes: text.length,
    firstMs: Math.max(...times.slice(0, ROUTES.length)),
    medianMs: quantileOf(times, 0.5),
    mostMs: Math.max(...times.slice(ROUTES.length)),
  };
}
report(
  'worst-bodies',
  'node build/bench/operations/worst-bodies.js',
  { figures },
  {
    [`no body takes more than ${MAX_MS} ms of the event loop, the median of ${ROUNDS} rounds over all operations`]:
      Object.values(figures).every(({ medianMs }) => medianMs < MAX_MS),
    'none is larger than a body may be': Object.values(figures).every(({ bytes }) => bytes <= BYTES),
  },
);
