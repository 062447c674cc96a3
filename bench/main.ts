/**
 * Entry point of the bench: options, measurements, report.
 *
 * Every measurement is a process of its own and checks its answer first. Ends with code 1 where an answer was wrong, a
 * measurement failed, or a GPU was required and there is none.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Discovery, discover } from './discover.ts';
import type { BenchEngine } from './engines.ts';
import { describeMachine, hostClass } from './machine.ts';
import { measureGrowth } from './measure-growth.ts';
import { loadsFor, measureHttp } from './measure-http.ts';
import { measureKernels } from './measure-kernels.ts';
import { measurePeers } from './measure-peers.ts';
import { measurePlan } from './measure-plans.ts';
import { measureWorkgroups, type WorkgroupSeries } from './measure-workgroups.ts';
import { isChosen, type Options, readOptions, USAGE } from './options.ts';
import { PLANS } from './plans.ts';
import { PROJECT } from './project.ts';
import { type Findings, markdown, type Report } from './report.ts';
import { serversFor } from './server.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const say = (line: string) => process.stderr.write(`${line}\n`);

/** After so long a quick bench begins nothing more: with what is under way it ends within two minutes. */
const QUICK_MILLISECONDS = 75_000;

async function bench(options: Options): Promise<number> {
  const machine = describeMachine();
  say('opening the engines of this machine');
  const found = await discover(engine => isWanted(engine, options), say);
  for (const { name, why } of found.absent) say(`${name} is not here: ${why}`);
  if (options.requireGpu && !found.engines.some(({ size }) => size === 'gpu')) {
    say('--gpu was given and there is no GPU.');
    return 1;
  }
  if (found.engines.length === 0) {
    say('There is no engine to measure.');
    return 1;
  }
  const head = {
    date: new Date().toISOString().slice(0, 10),
    machine,
    processes: options.processes,
    engines: found.facts,
  };
  const target = join(
    resolve(PROJECT, options.out ?? '.'),
    `${head.date}-${hostClass(machine, gpuName(found))}`,
  );
  let report: Report = { ...head, plans: [], growth: [], workgroups: [], http: [] };
  // Written after every measurement: a run that is cut short leaves what it found.
  for await (const findings of measureSections(options, found)) {
    report = { ...head, ...findings };
    if (options.out !== undefined) write(report, target);
  }
  process.stdout.write(markdown(report));
  if (options.out !== undefined) say(`written: ${options.out}/${basename(target)}.json and .md`);
  const wrong = troubles(report);
  for (const trouble of wrong) say(trouble);
  return wrong.length === 0 ? 0 : 1;
}

/** What was found so far, again after every measurement. */
async function* measureSections(options: Options, { engines }: Discovery): AsyncGenerator<Findings> {
  const wants = (section: Options['sections'][number]) => options.sections.includes(section);
  const findings: Mutable<Required<Omit<Findings, 'peers'>>> = {
    ...{ plans: [], growth: [], kernels: [], workgroups: [], http: [] },
  };
  const start = performance.now();
  /** Announces a measurement; false where a quick bench leaves it out. */
  const begin = (what: string): boolean => {
    const seconds = (performance.now() - start) / 1000;
    // Who wants a report of a quick bench gets all of it.
    const inTime = !options.quick || options.out !== undefined || seconds * 1000 < QUICK_MILLISECONDS;
    say(inTime ? `${seconds.toFixed(0).padStart(4)} s  ${what}` : `left out for time: ${what}`);
    return inTime;
  };
  for (const plan of wants('plans') ? PLANS.filter(({ name }) => isChosen(name, options.only)) : []) {
    if (!begin(`plan ${plan.name}`)) continue;
    findings.plans = [...findings.plans, ...(await measurePlan(plan, engines, options))];
    yield findings;
  }
  // One thread shows the cost of the work itself; a device in this process has the kernel clock.
  const single = engines.filter(({ name, threads }) => threads === 1 || /^gpu(-software)?$/.test(name));
  for (const engine of wants('growth') ? single : []) {
    if (!begin(`growth on ${engine.name}`)) continue;
    findings.growth = [...findings.growth, ...(await measureGrowth(engine, options))];
    yield findings;
  }
  const devices = engines.filter(({ name }) => /^gpu(-software)?$/.test(name));
  for (const engine of wants('kernels') ? devices : []) {
    if (!begin(`cold kernels on ${engine.name}`)) continue;
    findings.kernels = [...findings.kernels, await measureKernels(engine, options)];
    yield findings;
  }
  for (const engine of wants('workgroups') ? devices : []) {
    if (!begin(`workgroup sizes on ${engine.name}`)) continue;
    const isChosenPlan = (plan: string) => isChosen(plan, options.only);
    const earlier = findings.workgroups;
    const own = new Map<string, WorkgroupSeries>();
    for await (const series of measureWorkgroups(engine, options, isChosenPlan)) {
      own.set(series.plan, series);
      findings.workgroups = [...earlier, ...own.values()];
      yield findings;
    }
  }
  for (const server of wants('http') ? await serversFor(engines.map(({ name }) => name)) : []) {
    if (!begin(`HTTP on ${server.name}`)) continue;
    const loads = loadsFor(server.name, options.quick);
    findings.http = [...findings.http, ...(await measureHttp(server, loads))];
    yield findings;
  }
  if (options.peers === undefined) return;
  say('peers');
  const folder = resolve(PROJECT, options.peers);
  const ours = engines.filter(({ name }) => name !== 'gpu-served' && name !== 'gpu-software');
  for await (const peers of measurePeers(ours, { ...options, folder })) yield { ...findings, peers };
}

/** Engines that are asked for; a quick bench takes one of each kind unless they are named. */
function isWanted({ name, threads }: BenchEngine, { engine, quick }: Options): boolean {
  if (!quick || engine.length > 0) return isChosen(name, engine);
  return name !== 'gpu-served' && (threads === undefined || threads === availableParallelism());
}

function gpuName({ facts, engines }: Discovery): string | undefined {
  const gpu = engines.find(({ size }) => size === 'gpu');
  return facts.find(({ name }) => name === gpu?.name)?.adapter?.device;
}

function write(report: Report, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  // Renamed to its place: a kill leaves the report of before, whole.
  for (const [ending, text] of [
    ['json', `${JSON.stringify(report, undefined, 2)}\n`],
    ['md', markdown(report)],
  ]) {
    writeFileSync(`${target}.${ending}.part`, text);
    renameSync(`${target}.${ending}.part`, `${target}.${ending}`);
  }
}

/** What must not pass unnoticed: wrong answers and measurements that failed. */
function troubles({ plans, growth, kernels = [], workgroups, http, peers }: Report): string[] {
  return [
    ...plans.flatMap(row =>
      row.status === 'wrong' || row.status === 'failed'
        ? [`${row.plan} on ${row.engine}: ${row.message}`]
        : [],
    ),
    ...growth.flatMap(({ axis, engine, message }) =>
      message === undefined ? [] : [`W1 against ${axis} on ${engine}: ${message}`],
    ),
    ...kernels.flatMap(({ engine, message }) =>
      message === undefined ? [] : [`cold kernels on ${engine}: ${message}`],
    ),
    ...workgroups.flatMap(({ plan, engine, message }) =>
      message === undefined ? [] : [`workgroup sizes of ${plan} on ${engine}: ${message}`],
    ),
    ...http.flatMap(({ server, name, message }) =>
      message === undefined ? [] : [`HTTP ${name} on ${server}: ${message}`],
    ),
    ...(peers?.without ?? []).flatMap(({ name, why, absent }) => (absent ? [] : [`peer ${name}: ${why}`])),
  ];
}

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
}
process.exitCode = options === undefined ? 2 : await bench(options);
