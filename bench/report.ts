/**
 * The report: one record of a run, as JSON for machines and Markdown for people.
 *
 * Takes: rows of measurements. Gives: text. Must not know: how anything was measured.
 */
import type { EngineFacts } from './discover.ts';
import type { Machine } from './machine.ts';
import type { GrowthSeries } from './measure-growth.ts';
import type { HttpRow } from './measure-http.ts';
import type { ColdRow } from './measure-kernels.ts';
import type { PeerReport, RateRow } from './measure-peers.ts';
import type { PlanRow } from './measure-plans.ts';
import type { WorkgroupSeries } from './measure-workgroups.ts';
import type { Spread } from './statistics.ts';
import { count, milliseconds, rate, table } from './table.ts';

/** What was measured. */
export interface Findings {
  readonly plans: readonly PlanRow[];
  readonly growth: readonly GrowthSeries[];
  /** Absent from reports before version 0.5. */
  readonly kernels?: readonly ColdRow[];
  readonly workgroups: readonly WorkgroupSeries[];
  readonly http: readonly HttpRow[];
  readonly peers?: PeerReport;
}

/** What was measured, on what, when. */
export interface Report extends Findings {
  readonly date: string;
  readonly machine: Machine;
  readonly processes: number;
  readonly engines: readonly EngineFacts[];
}

const BYTES_PER_MEBIBYTE = 2 ** 20;

/** The report as Markdown. */
export function markdown(report: Report): string {
  const sections = [
    heading(report),
    plansSection(report.plans),
    growthSection(report.growth),
    kernelsSection(report.kernels ?? []),
    workgroupsSection(report.workgroups),
    httpSection(report.http),
    peersSection(report.peers),
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

function heading({ date, machine, engines, processes }: Report): string {
  const {
    processor,
    processorClass,
    cores,
    memoryGibibytes,
    system,
    node,
    webgpu,
    version,
    commit,
    loadBefore,
  } = machine;
  const lines = engines.map(({ name, what, device }) => `- \`${name}\`: ${what}. ${device}.`);
  return `# Bench of ${date}

${processor}${processorClass === undefined ? '' : ` (${processorClass})`}, ${cores} cores, ${memoryGibibytes} GiB, ${system}. Node ${node}, webgpu ${webgpu}, version ${version} (${commit}).
Medians over ${processes} ${processes === 1 ? 'process' : 'processes'}, least and largest in brackets. Load of the machine before the run: ${loadBefore}.
Every rate below belongs to an answer that agreed with what is known of it.

${lines.join('\n')}`;
}

function plansSection(rows: readonly PlanRow[]): string {
  if (rows.length === 0) return '';
  const body = rows.map(row => {
    const head = [row.plan, row.engine, count(row.paths)];
    if (row.status !== 'measured')
      return [...head, row.status === 'unsupported' ? 'not supported' : row.status];
    return [
      ...head,
      `${row.steps} x ${row.assets}`,
      between(row.runMilliseconds),
      row.kernelMilliseconds === undefined ? '' : between(row.kernelMilliseconds),
      between(row.coldMilliseconds),
      rate(row.pathStepsPerSecond),
      row.pathStepsPerKernelSecond === undefined ? '' : rate(row.pathStepsPerKernelSecond),
      (row.peakMemoryBytes / BYTES_PER_MEBIBYTE).toFixed(0),
      `${milliseconds(row.loopDelay.p99)} / ${milliseconds(row.loopDelay.max)}`,
      `${row.checkedFigures}, ${row.largestZ.toFixed(1)}`,
    ];
  });
  const head = [
    ...['plan', 'engine', 'paths', 'steps x assets', 'run ms', 'kernel ms', 'cold ms'],
    ...['path-steps/s', 'by kernel time', 'peak MiB', 'loop delay ms, p99 / max', 'figures, largest z'],
  ];
  return `## Plans

Run: from call to answer, transfers included. Kernel: by the device's own time stamps. Cold: from asking for a new process
to its first answer. Loop delay: of the event loop of the process that waits for the engine.

${table(head, body)}`;
}

function growthSection(series: readonly GrowthSeries[]): string {
  if (series.length === 0) return '';
  const body = series.map(({ axis, engine, paths, clock, points, growth, message }) => [
    axis,
    engine,
    paths === undefined ? '' : count(paths),
    clock,
    points.map(({ size, milliseconds: ms }) => `${count(size)}: ${milliseconds(ms)}`).join(', '),
    growth === undefined ? (message ?? '') : growth.localSlopes.map(slope => slope.toFixed(2)).join(', '),
    growth === undefined ? '' : growth.slope.toFixed(2),
    growth === undefined ? '' : growth.linearFrom === undefined ? 'no' : `from ${count(growth.linearFrom)}`,
  ]);
  const head = [
    'W1 against',
    'engine',
    'paths',
    'clock',
    'size: ms',
    'slope from each to the next',
    'slope',
    'linear',
  ];
  return `## Growth

Slopes of ln time against ln size: 1 is linear, 0 a fixed cost. Linear: from this size on every slope lies within 0.1 of 1.
With more assets the correlation costs a triangle of products besides, so there a slope above 1 is expected.

${table(head, body)}`;
}

function kernelsSection(rows: readonly ColdRow[]): string {
  if (rows.length === 0) return '';
  const body = rows.flatMap(({ engine, kernels, message }) => [
    ...kernels.map(({ kernel, milliseconds: ms }) => [engine, kernel, milliseconds(ms)]),
    ...(message === undefined ? [] : [[engine, message]]),
  ]);
  return `## Cold kernels

The first run of every usual kernel, one path of a day, in a new process.

${table(['engine', 'kernel', 'ms'], body)}`;
}

function workgroupsSection(series: readonly WorkgroupSeries[]): string {
  if (series.length === 0) return '';
  const sizes = [...new Set(series.flatMap(({ points }) => points.map(({ size }) => size)))];
  const body = series.map(({ plan, engine, paths, points, message }) => [
    plan,
    engine,
    count(paths),
    ...sizes.map(size => {
      const point = points.find(each => each.size === size);
      return point === undefined ? (message ?? '') : between(point.kernelMilliseconds);
    }),
  ]);
  return `## Workgroup sizes

Kernel ms by invocations per workgroup.

${table(['plan', 'engine', 'paths', ...sizes.map(String)], body)}`;
}

function httpSection(rows: readonly HttpRow[]): string {
  if (rows.length === 0) return '';
  const body = rows.map(row => [
    row.server,
    `${row.name}: ${count(row.paths)} x ${row.steps}`,
    String(row.connections),
    ...(row.status === 'measured'
      ? [
          row.requestsPerSecond!.toFixed(1),
          String(row.p50Milliseconds),
          String(row.p99Milliseconds),
          between(row.aloneMilliseconds!),
        ]
      : [row.status]),
  ]);
  const head = ['server', 'request', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'alone ms'];
  return `## HTTP

\`/loan_risk\`, one asset against one, against a server process on the loopback. Alone: one request at a time after the load, from sending
to the whole answer.

${table(head, body)}`;
}

function peersSection(peers: PeerReport | undefined): string {
  if (peers === undefined) return '';
  const groups = [...new Set(peers.rates.map(groupOf))].map(group =>
    ratioTable(peers.rates.filter(row => groupOf(row) === group)),
  );
  const without = peers.without.map(({ name, why }) => `- ${name}: ${why}`);
  const rest = without.length === 0 ? '' : `\n\nWithout a rate:\n\n${without.join('\n')}`;
  return `## Peers

In one run, in turns; medians over rounds. On a processor, rates are per thread. On a GPU, rates by the kernel's time are compared with
such rates, and rates from call to answer with such. The last columns say how many times the row's rate ours is.

${groups.join('\n\n')}${rest}`;
}

const groupOf = ({ work, on, paths, clock }: RateRow) =>
  on === 'cpu' ? `${work} cpu` : `${work} gpu ${paths} ${clock}`;

/** Rates of one group, each over the rates of ours. */
function ratioTable(rows: readonly RateRow[]): string {
  const perThread = ({ pathStepsPerSecond, threads = 1 }: RateRow) => pathStepsPerSecond.median / threads;
  const ours = rows.filter(row => row.ours);
  const body = rows.map(row => [
    row.name,
    row.on === 'gpu' ? count(row.paths) : String(row.threads),
    rate(perThread(row)),
    `${rate(row.pathStepsPerSecond.least / (row.threads ?? 1))} to ${rate(row.pathStepsPerSecond.largest / (row.threads ?? 1))}`,
    ...ours.map(each => (perThread(each) / perThread(row)).toFixed(2)),
  ]);
  const { work, on, clock } = rows[0];
  const head = [
    on === 'gpu' ? `${work}, gpu, ${clock} time` : `${work}, cpu`,
    on === 'gpu' ? 'paths' : 'threads',
    on === 'gpu' ? 'path-steps/s' : 'path-steps/s per thread',
    'over rounds',
    ...ours.map(({ name }) => `${name} over it`),
  ];
  return table(head, body);
}

function between({ median, least, largest }: Spread): string {
  if (least === largest) return milliseconds(median);
  return `${milliseconds(median)} (${milliseconds(least)} to ${milliseconds(largest)})`;
}
