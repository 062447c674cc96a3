/**
 * Entry point of the bench: options, measurements, report.
 *
 * Every measurement is a process of its own and checks its answer first. Ends with code 1 where an answer was wrong, a
 * measurement failed, or a GPU was required and there is none.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Discovery, discover } from './discover.ts';
import { describeMachine, hostClass } from './machine.ts';
import { measureGrowth } from './measure-growth.ts';
import { type HttpRow, loadsFor, measureHttp } from './measure-http.ts';
import { measurePeers } from './measure-peers.ts';
import { measurePlan } from './measure-plans.ts';
import { isChosen, type Options, readOptions, USAGE } from './options.ts';
import { PLANS } from './plans.ts';
import { PROJECT } from './project.ts';
import { markdown, type Report } from './report.ts';
import { serversFor } from './server.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

async function bench(options: Options): Promise<number> {
  const machine = describeMachine();
  const found = await discover(({ name }) => isChosen(name, options.engine));
  for (const { name, why } of found.absent) say(`${name} is not here: ${why}`);
  if (options.requireGpu && !found.engines.some(({ size }) => size === 'gpu')) {
    say('--gpu was given and there is no GPU.');
    return 1;
  }
  if (found.engines.length === 0) {
    say('There is no engine to measure.');
    return 1;
  }
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine,
    processes: options.processes,
    engines: found.facts,
    ...(await measureSections(options, found)),
  };
  const text = markdown(report);
  process.stdout.write(text);
  if (options.out !== undefined) write(report, text, options.out, hostClass(machine, gpuName(found)));
  return troubles(report).reduce((code, trouble) => {
    say(trouble);
    return code || 1;
  }, 0);
}

async function measureSections(options: Options, { engines }: Discovery) {
  const wants = (section: Options['sections'][number]) => options.sections.includes(section);
  const plans: Report['plans'][number][] = [];
  const growth: Report['growth'][number][] = [];
  const http: HttpRow[] = [];
  if (wants('plans')) {
    for (const plan of PLANS.filter(({ name }) => isChosen(name, options.only))) {
      say(`plan ${plan.name}`);
      plans.push(...(await measurePlan(plan, engines, options)));
    }
  }
  if (wants('growth')) {
    // One thread shows the cost of the work itself; a device in this process has the kernel clock.
    for (const engine of engines.filter(
      ({ name, threads }) => threads === 1 || /^gpu(-software)?$/.test(name),
    )) {
      say(`growth on ${engine.name}`);
      growth.push(...(await measureGrowth(engine, options)));
    }
  }
  if (wants('http')) {
    for (const server of await serversFor(engines.map(({ name }) => name))) {
      say(`HTTP on ${server.name}`);
      http.push(...(await measureHttp(server, loadsFor(server.name, options.quick))));
    }
  }
  const folder = options.peers;
  if (folder === undefined) return { plans, growth, http };
  say('peers');
  const ours = engines.filter(({ name }) => name !== 'gpu-served' && name !== 'gpu-software');
  return {
    plans,
    growth,
    http,
    peers: await measurePeers(ours, { ...options, folder: resolve(PROJECT, folder) }),
  };
}

function gpuName({ facts, engines }: Discovery): string | undefined {
  const gpu = engines.find(({ size }) => size === 'gpu');
  return facts.find(({ name }) => name === gpu?.name)?.adapter?.device;
}

function write(report: Report, text: string, folder: string, host: string): void {
  const target = resolve(PROJECT, folder);
  mkdirSync(target, { recursive: true });
  const name = `${report.date}-${host}`;
  writeFileSync(join(target, `${name}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(join(target, `${name}.md`), text);
  say(`written: ${join(folder, name)}.json and .md`);
}

/** What must not pass unnoticed: wrong answers and measurements that failed. */
function troubles({ plans, growth, http }: Report): string[] {
  return [
    ...plans.flatMap(row =>
      row.status === 'wrong' || row.status === 'failed'
        ? [`${row.plan} on ${row.engine}: ${row.message}`]
        : [],
    ),
    ...growth.flatMap(({ axis, engine, message }) =>
      message === undefined ? [] : [`W1 against ${axis} on ${engine}: ${message}`],
    ),
    ...http.flatMap(({ server, name, message }) =>
      message === undefined ? [] : [`HTTP ${name} on ${server}: ${message}`],
    ),
  ];
}

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
}
process.exitCode = options === undefined ? 2 : await bench(options);
