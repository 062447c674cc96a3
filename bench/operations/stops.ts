/**
 * Servers are stopped by SIGTERM under load, one after another, while the next takes over: whether a request is lost.
 *
 * `node build/bench/operations/stops.js [stops]`. The callers stand for a balancer: they ask /readyz of each server every
 * 100 ms, and send requests to one that was ready at the last look, on connections that they keep.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_BODIES } from '../../test/support/shared/request-bodies.ts';
import { quantileOf, report, tally } from './figures.ts';
import { type ServiceProcess, startService } from './service.ts';

const stops = Number(process.argv[2] ?? 100);
const CALLERS = 6;
const LOOK_MS = 100;
/** Several looks long, so that every balancer has noticed. */
const DRAIN_SECONDS = 1;

/** A server as the balancer sees it. */
interface Target {
  readonly server: ServiceProcess;
  readonly agent: Agent;
  ready: boolean;
}

const targets = new Set<Target>();
const outcomes: string[] = [];
const times: number[] = [];
let over = false;
let turn = 0;

async function look(target: Target): Promise<void> {
  while (targets.has(target)) {
    target.ready = (await target.server.call('/readyz')).status === 200;
    await sleep(LOOK_MS);
  }
}

async function caller(): Promise<void> {
  while (!over) {
    const ready = [...targets].filter(target => target.ready);
    const target = ready[turn++ % ready.length];
    if (target === undefined) {
      outcomes.push('no server was ready');
      await sleep(LOOK_MS);
      continue;
    }
    const { server, agent } = target;
    const answer = await server.ask('/loan_risk', GOOD_BODIES['/loan_risk'], {}, agent);
    outcomes.push(answer.error === undefined ? String(answer.status) : `no answer: ${answer.error}`);
    times.push(answer.milliseconds);
  }
}

async function add(): Promise<Target> {
  const server = await startService({ DRAIN_SECONDS: String(DRAIN_SECONDS), CPU_THREADS: '1' });
  const target: Target = { server, agent: new Agent({ keepAlive: true }), ready: false };
  targets.add(target);
  void look(target);
  while (!target.ready) await sleep(LOOK_MS);
  return target;
}

let present = await add();
const callers = Array.from({ length: CALLERS }, caller);
const exits: (number | string)[] = [];
const seconds: number[] = [];
for (let stop = 1; stop <= stops; stop++) {
  const next = await add();
  const begin = performance.now();
  present.server.process.kill('SIGTERM');
  exits.push(await present.server.ended);
  seconds.push((performance.now() - begin) / 1000);
  targets.delete(present);
  present.agent.destroy();
  present = next;
  if (stop % 10 === 0) process.stderr.write(`${stop} stops, ${outcomes.length} requests\n`);
}
over = true;
await Promise.all(callers);
targets.delete(present);
present.agent.destroy();
await present.server.stop();
const lost = outcomes.filter(outcome => outcome !== '200');
report(
  'stops',
  `node build/bench/operations/stops.js ${stops}`,
  {
    stops,
    requests: outcomes.length,
    outcomes: tally(outcomes),
    exits: tally(exits),
    secondsOfAStop: { median: quantileOf(seconds, 0.5), most: Math.max(...seconds) },
    milliseconds: { median: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) },
  },
  {
    'no request is lost': lost.length === 0,
    'every server ends in good order': exits.every(exit => exit === 0),
  },
);
