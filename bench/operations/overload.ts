/**
 * Ten times as many requests as the server can answer, for a minute: what is answered, how fast, and how soon all is normal again.
 *
 * `node build/bench/operations/overload.js [seconds]`. Requests come at random moments (Poisson) whether or not earlier ones are
 * answered, as from many callers. First at half of what the server can do (the unloaded time), then at ten times, then at half
 * again. `MAX_QUEUE` is short here: how long an accepted request waits is how long the queue may be.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_BODIES, withMember } from '../../test/support/request-bodies.ts';
import { quantileOf, report, tally } from './figures.ts';
import { type Answer, startService } from './service.ts';

const seconds = Number(process.argv[2] ?? 60);
const TIMES = 10;
const MAX_QUEUE = 1;
/** Callers that load the server fully without waiting in vain. */
const BUSY_CALLERS = 4;
const CAPACITY_SECONDS = 10;
const NORMAL_SECONDS = 30;
const RECOVERY_SECONDS = 5;
/** Some tenths of a second of work on one thread. */
const BODY = withMember(GOOD_BODIES['/loan_risk'], 'params.mc_iter', 6000);
const ALLOWED = new Set([200, 429, 503]);

interface Timed extends Answer {
  /** Seconds since the phase began. */
  readonly at: number;
}

const server = await startService({ MAX_QUEUE: String(MAX_QUEUE) });
const ask = () => server.ask('/loan_risk', BODY, { 'x-compute': 'cpu' });

/** Answers per second with callers that wait for each. */
async function capacity(): Promise<number> {
  let answered = 0;
  const end = performance.now() + CAPACITY_SECONDS * 1000;
  const caller = async () => {
    while (performance.now() < end) if ((await ask()).status === 200) answered++;
  };
  await Promise.all(Array.from({ length: BUSY_CALLERS }, caller));
  return answered / CAPACITY_SECONDS;
}

/** A generator with a fixed seed (mulberry32), so that the moments are the same in every run. */
let state = 20_261_122;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

/** Requests at random moments at `rate` a second. */
async function arrivals(rate: number, forSeconds: number): Promise<Timed[]> {
  const begin = performance.now();
  const sent: Promise<Timed>[] = [];
  const pause = () => -Math.log(1 - random()) / rate;
  for (let at = pause(); at < forSeconds; at += pause()) {
    const wait = begin + at * 1000 - performance.now();
    if (wait > 0) await sleep(wait);
    const moment = at;
    sent.push(ask().then(answer => ({ ...answer, at: moment })));
  }
  return Promise.all(sent);
}

const figuresOf = (answers: readonly Timed[]) => {
  const accepted = answers.filter(({ status }) => status === 200).map(({ milliseconds }) => milliseconds);
  const refused = answers.filter(({ status }) => status !== 200).map(({ milliseconds }) => milliseconds);
  return {
    requests: answers.length,
    statuses: tally(answers.map(({ status }) => status)),
    acceptedMs: { median: quantileOf(accepted, 0.5), p99: quantileOf(accepted, 0.99) },
    refusedMs: { median: quantileOf(refused, 0.5), p99: quantileOf(refused, 0.99) },
  };
};

// The first runs teach the server how long such a request takes.
await capacity();
const perSecond = await capacity();
const alone: number[] = [];
for (let i = 0; i < 20; i++) alone.push((await ask()).milliseconds);
const unloaded = await arrivals(perSecond / 2, NORMAL_SECONDS);
const overloaded = await arrivals(TIMES * perSecond, seconds);
const after = await arrivals(perSecond / 2, NORMAL_SECONDS);
const recovered = after.filter(({ at }) => at > RECOVERY_SECONDS);
const exit = await server.stop();

const before = figuresOf(unloaded);
const during = figuresOf(overloaded);
const later = figuresOf(recovered);
const all = [...unloaded, ...overloaded, ...after];
report(
  'overload',
  `node build/bench/operations/overload.js ${seconds}`,
  {
    seconds,
    maxQueue: MAX_QUEUE,
    answersPerSecond: { capacity: perSecond, underOverload: (during.statuses['200'] ?? 0) / seconds },
    aloneMs: { median: quantileOf(alone, 0.5), most: Math.max(...alone) },
    atHalfOfCapacity: before,
    atTenTimesCapacity: during,
    fromFiveSecondsAfter: later,
    exit,
  },
  {
    'only 200, 429 and 503 are answered': all.every(({ status }) => ALLOWED.has(status)),
    'the p99 of what is accepted under overload is at most twice that at half of capacity':
      during.acceptedMs.p99 <= 2 * before.acceptedMs.p99,
    'at least eight tenths of what the server can do is done under overload':
      (during.statuses['200'] ?? 0) / seconds >= 0.8 * perSecond,
    'five seconds later all is as before: none refused beyond what was, p99 at most twice':
      later.acceptedMs.p99 <= 2 * before.acceptedMs.p99 && exit === 0,
  },
);
