/**
 * The tables of figures in README.md and docs/performance.md, taken from the reports of the bench.
 *
 *   node docs/tools/performance-tables.mjs [--check]
 *
 * A place for a table is `<!-- bench TABLE REPORT -->` to `<!-- /bench -->`, where REPORT is the name of a file in
 * bench/results without its ending. Above each table stands the machine: ratios differ by
 * class of processor, so there is a report for each class. `--check` writes nothing and fails where a document is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Documents that have such places. */
export const PERFORMANCE_DOCUMENTS = ['README.md', 'docs/performance.md', 'docs/books.md'];

const PLACE = /(<!-- bench ([\w-]+) ([\w./-]+) -->\n)[\s\S]*?(<!-- \/bench -->)/g;
/** Native kernels, the widest first: `auto` takes the first that the processor supports, else WebAssembly. */
const NATIVE = {
  avx512: 'native SIMD, AVX-512',
  avx2: 'native SIMD, AVX2',
  neon: 'native SIMD, NEON',
  sse: 'native SIMD, SSE 4.1',
};

/** The engine that `auto` takes of those with results, and its name. */
function simdOf(rows, nameOf) {
  const native = Object.keys(NATIVE).find(name => rows.some(row => nameOf(row) === `${name}-1`));
  return native === undefined
    ? { engine: 'wasm', title: 'WebAssembly SIMD' }
    : { engine: native, title: NATIVE[native] };
}

/**
 * The text of a document with every table written anew.
 * @param {string} text
 * @param {(name: string) => object} readReport
 * @returns {string}
 * @throws Error for a table or a report that there is not
 */
export function withTables(text, readReport = reportNamed) {
  return text.replace(PLACE, (_, start, name, report, end) => {
    const table = TABLES[name];
    if (table === undefined) throw new Error(`There is no table ${name}.`);
    const content = readReport(report);
    return `${start}*${headOf(content)}*\n\n${table(content)}\n${end}`;
  });
}

/** Where the figures of a report are from. A first session names its GPU (bench/first.ts). */
const headOf = report =>
  report.machine === undefined
    ? `GPU: ${[report.device, report.date].filter(word => word !== '').join(', ')}`
    : `${machineOf(report)}${conditionsOf(report)}`;

/** The class of machine, and the version and day of a report. */
function machineOf({ machine: { processor, processorClass, cores, version }, date }) {
  const kind = processorClass === undefined ? processor : `${processor}, ${processorClass}`;
  return `${kind}, ${cores} cores; version ${version}, ${date}`;
}

/** What a reader must know of how a report of books came about; reports of the bench are of whole runs on quiet machines. */
function conditionsOf({ scale, machine: { loadBefore } }) {
  if (scale === undefined) return '';
  const trial = scale < 1 ? `; a trial with ${scale} of the paths` : '';
  return loadBefore > 1 ? `${trial}; the machine had other work` : trial;
}

function reportNamed(name) {
  return JSON.parse(readFileSync(resolve(root, 'bench/results', `${name}.json`), 'utf8'));
}

const TABLES = {
  peers: peersTable,
  rates: ratesTable,
  service: serviceTable,
  origination: originationTable,
  growth: growthTable,
  workgroups: workgroupsTable,
  http: httpTable,
  books: booksTable,
  'book-fleet': bookFleetTable,
  'credit-costs': creditCostsTable,
  first: firstTable,
};

/** Path-steps per second and thread of everything in the run, over NumPy. */
function peersTable({ peers: { rates } }) {
  const perThread = row => (row === undefined ? undefined : row.pathStepsPerSecond.median / row.threads);
  const find = (name, work) => rates.find(row => row.name === name && row.work === work);
  const bases = {
    w1: perThread(find('NumPy Generator, double', 'w1')),
    'loan-five-assets': perThread(find('NumPy loan, double', 'loan-five-assets')),
  };
  const cells = (work, row) => {
    const value = perThread(row);
    return value === undefined ? ['', ''] : [rateOf(value), (value / bases[work]).toFixed(2)];
  };
  const auto = simdOf(rates, row => row.name);
  const ours = [
    ['cpu-1', 'TypeScript, double (the reference)'],
    ...(auto.engine === 'wasm' ? [] : [['wasm-1', 'WebAssembly SIMD, single']]),
    [`${auto.engine}-1`, `${auto.title}, single (what \`auto\` takes)`],
  ].map(([name, title]) => [
    title,
    ...cells('w1', find(name, 'w1')),
    ...cells('loan-five-assets', find(name, 'loan-five-assets')),
  ]);
  const numpy = [
    'NumPy Generator, double',
    ...cells('w1', find('NumPy Generator, double', 'w1')),
    ...cells('loan-five-assets', find('NumPy loan, double', 'loan-five-assets')),
  ];
  const others = rates
    .filter(row => !row.ours && row.work === 'w1' && row.name !== 'NumPy Generator, double')
    .map(row => [row.name, ...cells('w1', row), '', '']);
  return markdownTable(
    ['one thread, path-steps/s', 'W1', 'against NumPy', 'loan of five assets, all states', 'against NumPy'],
    [numpy, ...ours, ...others],
  );
}

/** Every plan by every engine of the processor, and what the second thread brings. */
function ratesTable({ plans }) {
  const auto = simdOf(plans, row => row.engine);
  const native = auto.engine === 'wasm' ? [] : [auto];
  const body = namesOf(plans).map(plan => {
    const of = engine => measured(plans, plan, engine);
    const rate = engine => (of(engine) === undefined ? '' : rateOf(of(engine).pathStepsPerSecond));
    const gain = engine => {
      const [one, two] = [of(`${engine}-1`), of(`${engine}-2`)];
      return one === undefined || two === undefined
        ? ''
        : (two.pathStepsPerSecond / one.pathStepsPerSecond).toFixed(2);
    };
    const cells = ['cpu', 'wasm', ...native.map(({ engine }) => engine)];
    return [`\`${plan}\``, ...cells.flatMap(engine => [rate(`${engine}-1`), gain(engine)])];
  });
  return markdownTable(
    [
      'path-steps/s',
      'TypeScript, one thread',
      'two over one',
      'WebAssembly SIMD, one thread',
      'two over one',
      ...native.flatMap(({ title }) => [`${title}, one thread`, 'two over one']),
    ],
    body,
  );
}

/** What a request waits for: the run, a cold start, memory, the event loop. */
function serviceTable({ plans }) {
  const simd = [...new Set(['wasm-2', `${simdOf(plans, row => row.engine).engine}-2`])];
  const body = namesOf(plans).flatMap(plan =>
    ['cpu-2', ...simd, 'gpu', 'gpu-served', 'gpu-software'].flatMap(engine => {
      const row = measured(plans, plan, engine);
      if (row === undefined) return [];
      const kernel =
        row.kernelMilliseconds === undefined ? '' : millisecondsOf(row.kernelMilliseconds.median);
      return [
        [
          `\`${plan}\``,
          `\`${engine}\``,
          row.paths.toLocaleString('en-US'),
          kernel,
          millisecondsOf(row.runMilliseconds.median),
          millisecondsOf(row.coldMilliseconds.median),
          (row.peakMemoryBytes / 2 ** 20).toFixed(0),
          millisecondsOf(row.loopDelay.p99),
        ],
      ];
    }),
  );
  return markdownTable(
    ['plan', 'engine', 'paths', 'kernel ms', 'run ms', 'cold ms', 'peak MiB', 'loop delay p99 ms'],
    body,
  );
}

/** What 4,097 candidates cost, in runs of one loan on as many paths. */
function originationTable({ plans }) {
  const body = ['path-minimum', 'liquidation', 'closeout'].map(score => [
    score,
    ...['cpu-1', 'wasm-1', 'gpu-software', 'gpu'].map(engine => {
      const scan = measured(plans, `origination-${score}`, engine);
      const loan = measured(plans, 'w1', engine);
      if (scan === undefined || loan === undefined) return '';
      return (loan.pathStepsPerSecond / scan.pathStepsPerSecond).toFixed(1);
    }),
  ]);
  return markdownTable(['score', '`cpu-1`', '`wasm-1`', '`gpu-software`', '`gpu`'], body);
}

/** What a first session on a GPU found, and what of it is missing. */
function firstTable({ rows }) {
  const body = rows.map(({ what, goal, found, missing }) => [what, goal, found ?? `missing: ${missing}`]);
  return markdownTable(['wanted', 'goal', 'found'], body);
}

/** Cost against size. */
function growthTable({ growth }) {
  const body = growth
    .filter(({ growth: found }) => found !== undefined)
    .map(({ axis, engine, clock, points, growth: { slope, linearFrom } }) => [
      axis,
      `\`${engine}\``,
      clock,
      `${points[0].size.toLocaleString('en-US')} to ${points.at(-1).size.toLocaleString('en-US')}`,
      `${millisecondsOf(points[0].milliseconds)} to ${millisecondsOf(points.at(-1).milliseconds)}`,
      slope.toFixed(2),
      linearFrom === undefined ? 'no' : `from ${linearFrom.toLocaleString('en-US')}`,
    ]);
  return markdownTable(['W1 against', 'engine', 'clock', 'sizes', 'ms', 'slope', 'linear'], body);
}

/** Kernel time by workgroup size. */
function workgroupsTable({ workgroups }) {
  const sizes = [...new Set(workgroups.flatMap(({ points }) => points.map(({ size }) => size)))];
  const body = workgroups.map(({ plan, engine, paths, points }) => [
    `\`${plan}\``,
    `\`${engine}\``,
    paths.toLocaleString('en-US'),
    ...sizes.map(size => {
      const point = points.find(each => each.size === size);
      return point === undefined ? '' : millisecondsOf(point.kernelMilliseconds.median);
    }),
  ]);
  return markdownTable(['kernel ms', 'engine', 'paths', ...sizes.map(String)], body);
}

/** Requests per second. */
function httpTable({ http }) {
  const body = http
    .filter(({ status }) => status === 'measured')
    .map(row => [
      `\`${row.server}\``,
      `${row.paths.toLocaleString('en-US')} x ${row.steps}`,
      String(row.connections),
      row.requestsPerSecond.toFixed(1),
      millisecondsOf(row.p50Milliseconds),
      millisecondsOf(row.p99Milliseconds),
      millisecondsOf(row.aloneMilliseconds.median),
    ]);
  return markdownTable(
    ['engine', 'paths x steps', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'alone ms'],
    body,
  );
}

/** What a book costs in runs of one loan on its paths; a wrong answer has no figure. */
function booksTable({ cases }) {
  const units = value => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(2));
  const body = cases.map(({ baskets, loans, mood, called, units: found, referenceGoal, simdGoal }) => [
    `(${baskets}) ${mood}`,
    loans.toLocaleString('en-US'),
    `${(100 * called).toFixed(0)} %`,
    ...(found === undefined
      ? ['wrong', 'wrong', 'wrong']
      : [units(found.reference.median), units(found.simd.median), units(found.numpy)]),
    String(referenceGoal),
    simdGoal === undefined ? '' : String(simdGoal),
  ]);
  return markdownTable(
    ['units', 'loans', 'called', 'double', 'SIMD', 'NumPy', 'goal, double', 'goal, SIMD'],
    body,
  );
}

/** What credit figures and their like cost, in times of what stands beside them. */
function creditCostsTable({ cases }) {
  const body = cases.map(({ name, baseMilliseconds, times, most }) => [
    name,
    millisecondsOf(baseMilliseconds),
    times.median.toFixed(2),
    `${times.least.toFixed(2)} to ${times.largest.toFixed(2)}`,
    String(Number(most.toFixed(2))),
  ]);
  return markdownTable(['', 'ms of the processors beside it', 'times', 'rounds', 'goal'], body);
}

/** A book over the workers of a fleet. */
function bookFleetTable({ fleet }) {
  const workers = [...new Set(fleet.map(row => row.workers))];
  const body = ['small', 'usual'].map(parts => [
    `${parts} parts`,
    ...workers.map(count => {
      const row = fleet.find(each => each.parts === parts && each.workers === count);
      return `${row.seconds.toPrecision(3)} s (${row.gain.toFixed(2)})`;
    }),
  ]);
  return markdownTable(['', ...workers.map(count => `${count} worker${count === 1 ? '' : 's'}`)], body);
}

function namesOf(plans) {
  return [...new Set(plans.map(({ plan }) => plan))];
}

function measured(plans, plan, engine) {
  return plans.find(row => row.plan === plan && row.engine === engine && row.status === 'measured');
}

function rateOf(perSecond) {
  const [value, unit] = perSecond >= 1e9 ? [perSecond / 1e9, 'G'] : [perSecond / 1e6, 'M'];
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
}

function millisecondsOf(value) {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A Markdown table, the first column to the left and the others to the right. */
function markdownTable(head, rows) {
  const line = cells => `| ${cells.join(' | ')} |`.replace(/\| {2}\|/g, '| |').replace(/\| {2}\|/g, '| |');
  const rule = `|---|${head
    .slice(1)
    .map(() => '---:|')
    .join('')}`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const onlyCheck = process.argv.includes('--check');
  for (const path of PERFORMANCE_DOCUMENTS) {
    const file = resolve(root, path);
    const text = readFileSync(file, 'utf8');
    const written = withTables(text);
    if (written === text) continue;
    if (onlyCheck) process.exitCode = 1;
    else writeFileSync(file, written);
    console.log(`${path}: ${onlyCheck ? 'not up to date' : 'rewritten'}`);
  }
}
