/**
 * What a first session on a GPU has found (`./run.sh first`), a line for everything that is wanted of it: a figure, or why there is none.
 *
 *   node build/bench/first.js FOLDER [--write]
 *
 * Reads the reports and the summary in the folder, whatever part of them there is, and prints the table; `--write` makes it
 * bench/results/first.json, from which docs/tools/performance-tables.mjs fills docs/performance.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MeasuredRow, PlanRow } from './measure-plans.ts';
import { projectFile } from './project.ts';
import type { Report } from './report.ts';
import { milliseconds, rate, table } from './table.ts';

/** A line of the table: a figure, or why it is missing. */
export interface FirstRow {
  readonly part: string;
  readonly what: string;
  readonly goal: string;
  readonly found?: string;
  readonly missing?: string;
}

export interface FirstSession {
  readonly date: string;
  /** The GPU, as its driver names it. */
  readonly device: string;
  readonly rows: readonly FirstRow[];
}

type Parts = readonly Partial<Report>[];
/** A figure, or why there is none. */
type Outcome = { readonly found: string } | { readonly missing: string };

const ON_GPU = /^gpu(-software)?$/;
const NOT_RUN = { missing: 'not run' };
/** Programs of others for W1 on a GPU (bench/peers.ts), and how the names of their rates begin. The goal of each ratio is 1.0. */
const PEERS: readonly (readonly [name: string, rates: RegExp])[] = [
  ['CUDA', /^CUDA /],
  ['CUDA, the kernel of the shaders', /^CUDA,/],
  ['CUDA, Philox and cuRAND', /^(Philox|cuRAND)/],
  ['JAX', /^JAX/],
  ['PyTorch', /^PyTorch/],
];
/**
 * Path-steps/s of W1: half of what an H100 can issue (docs/performance.md), and a hundred times the fastest WebGPU Monte Carlo that is
 * published, 2.1e9.
 */
const W1_GOAL = '390 G, 210 G at least';
const PLANS: readonly (readonly [plan: string, goal: string])[] = [
  ['w1', W1_GOAL],
  ['loan-five-assets', ''],
  ['garch', ''],
];

function planOn(parts: Parts, plan: string): PlanRow | undefined {
  return parts.flatMap(({ plans = [] }) => plans).find(row => row.plan === plan && ON_GPU.test(row.engine));
}

function ofPlan(parts: Parts, plan: string, figure: (row: MeasuredRow) => string | undefined): Outcome {
  const row = planOn(parts, plan);
  if (row === undefined) return NOT_RUN;
  if (row.status !== 'measured') return { missing: 'message' in row ? row.message : 'not supported' };
  const found = figure(row);
  return found === undefined ? { missing: 'no kernel clock' } : { found };
}

const kernelTime = ({ kernelMilliseconds }: MeasuredRow) =>
  kernelMilliseconds === undefined ? undefined : `${milliseconds(kernelMilliseconds.median)} ms`;

/** W1 over a peer, both on the most paths that both ran, by the same clock. */
function overPeer(parts: Parts, name: string, ofPeerRates: RegExp): Outcome {
  const reports = parts.flatMap(({ peers }) => peers ?? []);
  const without = reports.flatMap(peers => peers.without).find(each => each.name === name);
  if (without !== undefined) return { missing: without.why };
  const rates = reports.flatMap(peers => peers.rates).filter(({ on, work }) => on === 'gpu' && work === 'w1');
  const ofPeer = rates
    .filter(row => !row.ours && ofPeerRates.test(row.name))
    .sort((a, b) => b.paths - a.paths);
  const ratios = ofPeer.flatMap(({ name: full, paths, clock, pathStepsPerSecond }) => {
    const own = rates.find(row => row.ours && row.paths === paths && row.clock === clock);
    if (own === undefined) return [];
    const ratio = own.pathStepsPerSecond.median / pathStepsPerSecond.median;
    return [{ full, paths, text: `${ratio.toFixed(2)} (${full}, ${paths.toLocaleString('en-US')} paths)` }];
  });
  const largest = ratios.filter(({ paths }) => paths === ratios[0].paths);
  if (reports.length > 0 && largest.length === 0) return { missing: 'no rate beside ours' };
  return largest.length === 0 ? NOT_RUN : { found: largest.map(({ text }) => text).join('; ') };
}

function coldTimes(parts: Parts): Outcome {
  const row = parts.flatMap(({ kernels = [] }) => kernels).find(({ engine }) => ON_GPU.test(engine));
  if (row === undefined) return NOT_RUN;
  if (row.message !== undefined) return { missing: row.message };
  const slowest = [...row.kernels].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 3);
  const sum = row.kernels.reduce((total, each) => total + each.milliseconds, 0);
  const named = slowest.map(each => `${each.kernel} ${milliseconds(each.milliseconds)}`).join(', ');
  return { found: `${row.kernels.length} kernels ${milliseconds(sum)} ms; slowest: ${named}` };
}

function distribution(parts: Parts): Outcome {
  const without = planOn(parts, 'w1');
  return ofPlan(parts, 'w1-distribution', row => {
    const own = row.kernelMilliseconds;
    if (own === undefined || without?.status !== 'measured' || without.kernelMilliseconds === undefined)
      return undefined;
    // On other numbers of paths: by path-step.
    return (without.pathStepsPerKernelSecond! / row.pathStepsPerKernelSecond!).toFixed(2);
  });
}

function bookKernels(parts: Parts): Outcome {
  return ofPlan(parts, 'book', row => {
    const each = row.kernels?.map(({ kernel, milliseconds: ms }) => `${kernel} ${milliseconds(ms)}`);
    return each && `${kernelTime(row)}: ${each.join(', ')}`;
  });
}

function clients(parts: Parts): Outcome {
  const row = parts.flatMap(({ http = [] }) => http).find(each => each.name === 'small');
  if (row === undefined) return NOT_RUN;
  if (row.status !== 'measured') return { missing: row.message ?? row.status };
  const alone = 1000 / row.aloneMilliseconds!.median;
  return {
    found: `${row.requestsPerSecond!.toFixed(0)} requests/s of ${row.connections} clients, ${alone.toFixed(0)} of one`,
  };
}

function workgroup(parts: Parts): Outcome {
  const series = parts.flatMap(({ workgroups = [] }) => workgroups).filter(({ points }) => points.length > 0);
  if (series.length === 0) return NOT_RUN;
  const best = series.map(({ plan, points }) => {
    const [fastest] = [...points].sort((a, b) => a.kernelMilliseconds.median - b.kernelMilliseconds.median);
    return `${plan} ${fastest.size}`;
  });
  return { found: best.join(', ') };
}

/** How a part of the session ended, from its line of the summary. */
function ended(summary: string, part: string): Outcome {
  const line = new RegExp(`^${part}: (.*)$`, 'm').exec(summary)?.[1];
  if (line === undefined) return NOT_RUN;
  return line.startsWith('done') ? { found: line } : { missing: line };
}

/** Everything that is wanted, in the order of the session. */
export function firstRows(parts: Parts, summary: string): readonly FirstRow[] {
  const row = (part: string, what: string, goal: string, outcome: Outcome): FirstRow => {
    // A part that did not end well says why, where its report does not.
    const how = ended(summary, part);
    const isMute = 'missing' in outcome && outcome === NOT_RUN && 'missing' in how;
    return { part, what, goal, ...(isMute ? how : outcome) };
  };
  return [
    row('smoke', 'a GPU is found, and W1 is right', '', ended(summary, 'smoke')),
    ...PEERS.map(([name, rates]) => row('peers', `W1 over ${name}`, '1.0', overPeer(parts, name, rates))),
    row('kernels', 'cold times', '', coldTimes(parts)),
    ...PLANS.map(([plan, goal]) =>
      row('plans', `\`${plan}\`, path-steps/s by kernel time`, goal, ofPlan(parts, plan, rateOfKernel)),
    ),
    row('plans', 'W1 with a distribution, times W1', '', distribution(parts)),
    row('plans', 'a book of 1,000 loans, kernel time', '', bookKernels(parts)),
    row('http', '`/loan_risk` on 1,000 paths', '', clients(parts)),
    row('agreement', 'agreement with the processor', 'no failure', ended(summary, 'agreement')),
    row('workgroups', 'best size of a workgroup', '', workgroup(parts)),
    row('tests', 'all quick tests', 'no failure', ended(summary, 'tests')),
  ];
}

const rateOfKernel = ({ pathStepsPerKernelSecond }: MeasuredRow) =>
  pathStepsPerKernelSecond === undefined ? undefined : rate(pathStepsPerKernelSecond);

/** What lies in the folder of a session. */
export function readSession(folder: string): FirstSession {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.json'))
    : [];
  const parts = files
    .sort()
    .map((file): Partial<Report> => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const summary = join(folder, 'summary.txt');
  const [device = 'none yet'] = parts.flatMap(({ engines = [] }) =>
    engines.filter(({ name }) => ON_GPU.test(name)).map(each => each.device),
  );
  const [date = ''] = parts.flatMap(part => part.date ?? []);
  return {
    date,
    device,
    rows: firstRows(parts, existsSync(summary) ? readFileSync(summary, 'utf8') : ''),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const session = readSession(process.argv[2] ?? 'first');
  const body = session.rows.map(({ what, goal, found, missing }) => [
    what,
    goal,
    found ?? `missing: ${missing}`,
  ]);
  process.stdout.write(`GPU: ${session.device}\n\n${table(['wanted', 'goal', 'found'], body)}\n`);
  if (process.argv.includes('--write')) {
    const file = projectFile('bench/results/first.json');
    writeFileSync(file, `${JSON.stringify(session, undefined, 1)}\n`);
  }
}
