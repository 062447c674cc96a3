/**
 * Three processes on one port are replaced one after another, again and again, under load: whether a request is lost.
 *
 * `node build/bench/operations/rolling-restart.js [rounds]`. Callers reuse their connections, as a proxy does, and send the
 * next request as soon as they have an answer.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_BODIES } from '../../test/support/request-bodies.ts';
import { quantileOf, report, tally } from './figures.ts';
import { startService } from './service.ts';

const rounds = Number(process.argv[2] ?? 10);
const PROCESSES = 3;
const CALLERS = 6;
const POLL_MS = 50;

const server = await startService({ PROCESSES: String(PROCESSES), DRAIN_SECONDS: '1', LOG_LEVEL: 'info' });
const replaced = () => server.log.filter(line => line.includes('all processes were replaced')).length;
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
const outcomes: string[] = [];
const times: number[] = [];
let over = false;

async function caller(): Promise<void> {
  while (!over) {
    const { status, milliseconds, error } = await server.ask(
      '/loan_risk',
      GOOD_BODIES['/loan_risk'],
      {},
      agent,
    );
    outcomes.push(error === undefined ? String(status) : `no answer: ${error}`);
    times.push(milliseconds);
  }
}

const callers = Array.from({ length: CALLERS }, caller);
const secondsOfRounds: number[] = [];
for (let round = 0; round < rounds; round++) {
  const begin = performance.now();
  server.process.kill('SIGUSR2');
  while (replaced() <= round) await sleep(POLL_MS);
  secondsOfRounds.push((performance.now() - begin) / 1000);
}
over = true;
await Promise.all(callers);
agent.destroy();
const exit = await server.stop('SIGTERM');
const lost = outcomes.filter(outcome => outcome !== '200');
report(
  'rolling-restart',
  `node build/bench/operations/rolling-restart.js ${rounds}`,
  {
    rounds,
    processesReplaced: rounds * PROCESSES,
    requests: outcomes.length,
    outcomes: tally(outcomes),
    secondsOfARound: { median: quantileOf(secondsOfRounds, 0.5), most: Math.max(...secondsOfRounds) },
    milliseconds: { median: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) },
    exit,
  },
  {
    'no request is lost': lost.length === 0,
    'the service ends in good order': exit === 0,
  },
);
