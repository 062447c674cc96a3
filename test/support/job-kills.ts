/**
 * Kills of servers of a fleet while jobs of every operation are submitted to them: every job that was accepted must be found
 * after each kill, be answered once, and have the bytes of an answer at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerProcess, startServerProcess } from './fleet-servers.ts';
import { GOOD_BODIES, LOAN_RISK, withMember } from './request-bodies.ts';

export interface JobKills {
  readonly url: string;
  /** Of the fleet. */
  readonly name: string;
  readonly kills: number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly report?: (round: number, unfinished: number) => void;
}

/** What became of the jobs. */
export interface JobKillsReport {
  readonly kills: number;
  /** Kills of servers that had not answered a submission yet. */
  readonly killsBeforeAnswer: number;
  readonly accepted: number;
  /** Jobs that the store lists; more than were accepted are doubled. */
  readonly listed: number;
  readonly lost: readonly string[];
  /** With their state, or `other bytes`. */
  readonly wrong: readonly string[];
}

const bookLoan = (id: number) => ({
  ...{ id: `loan ${id}`, collateral_weights: { ETH: 1 }, loan_weights: { USD: 1 }, loan_duration: 30 },
  ...{ mc_top_up: 24, loan_value: 250_000, N: 1.3, M: 1.2, L: 1.1, R: 1.3 + (id % 7) / 20 },
});
const book = (loans: number, paths: number) => ({
  type: 'GBM',
  params: {
    ...{ analysis_date: '06-30-2024', model_lookback: 90, mc_iter: paths, quantile: [0.9, 0.99] },
    loans: Array.from({ length: loans }, (_, i) => bookLoan(i)),
  },
});
const BACKTEST = {
  type: 'GBM',
  params: {
    ...{ weights: { ETH: 0.25, BTC: 0.75 }, model_lookback: 60, horizon: 3, quantile: [0.99, 0.9] },
    ...{ from: '05-01-2024', to: '05-20-2024', mc_iter: 2000 },
  },
};

/** Every operation; the larger ones take about a second, and are handed out in parts where there is a worker. */
const QUESTIONS: readonly (readonly [path: string, body: object])[] = [
  ...Object.entries(GOOD_BODIES),
  ['/backtest', BACKTEST],
  ['/book_risk', book(1, 2000)],
  ['/book_risk', book(100, 2000)],
  ['/book_risk', book(2000, 1000)],
  ['/loan_risk', withMember(LOAN_RISK, 'params.mc_iter', 50_000)],
];

/** Unfinished jobs beyond which no more are submitted for a while. */
const MAX_UNFINISHED = 8;
const LONGEST_DELAY_MS = 400;
const RETRY_MS = 50;
const LOOK_MS = 100;

interface Accepted {
  readonly question: number;
  readonly location: string;
}

/** Kills servers, one after another, and waits until every accepted job has ended. */
export async function killServers({ url, name, kills, random, report }: JobKills): Promise<JobKillsReport> {
  const start = () => startServerProcess({ url, name }, { MAX_JOBS: '10000', LOG_LEVEL: 'error' });
  const servers: ServerProcess[] = await Promise.all([start(), start(), start()]);
  const starting = new Map<number, Promise<void>>();
  const accepted: Accepted[] = [];
  const lost = new Set<string>();
  let killsBeforeAnswer = 0;
  const alive = () => servers.map((_, i) => i).filter(i => !starting.has(i));
  const pick = (among: readonly number[]) => among[Math.floor(random() * among.length)];
  const submit = async (question: number, key: string, first: number): Promise<void> => {
    const [path, body] = QUESTIONS[question];
    const headers = { prefer: 'respond-async', 'idempotency-key': key };
    for (let at = first; ; at = pick(alive())) {
      const sent = servers[at].request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      const response = await sent.catch(() => undefined);
      const location = response?.status === 202 ? response.headers.get('location') : null;
      await response?.arrayBuffer().catch(() => {});
      if (location !== null) {
        accepted.push({ question, location });
        return;
      }
      if (response !== undefined && response.status < 429)
        throw new Error(`${path} was answered ${response.status}`);
      await sleep(RETRY_MS);
    }
  };
  /** States by the jobs' places, as a server that is there has them; asked again where that server is killed meanwhile. */
  const states = async (): Promise<Map<string, string>> => {
    for (;;) {
      const response = await servers[pick(alive())].request('/jobs').catch(() => undefined);
      const found = (await response?.json().catch(() => undefined)) as
        | { readonly jobs?: readonly { readonly id: string; readonly state: string }[] }
        | undefined;
      if (found?.jobs !== undefined)
        return new Map(found.jobs.map(({ id, state }) => [`/jobs/${id}`, state]));
      await sleep(RETRY_MS);
    }
  };
  const unfinished = async () => {
    const known = [...accepted];
    const found = await states();
    for (const { location } of known) if (!found.has(location)) lost.add(location);
    return known.filter(({ location }) => ['queued', 'running'].includes(found.get(location) ?? '')).length;
  };
  try {
    for (let round = 0; round < kills; round++) {
      while (alive().length < 2) await Promise.race(starting.values());
      const victim = pick(alive());
      let answered = false;
      const question = Math.floor(random() * QUESTIONS.length);
      const submitted = submit(question, `${name}-${round}`, victim).then(() => {
        answered = true;
      });
      await sleep(random() * random() * LONGEST_DELAY_MS);
      if (!answered) killsBeforeAnswer += 1;
      const killed = servers[victim].kill();
      starting.set(
        victim,
        killed.then(start).then(server => {
          servers[victim] = server;
          starting.delete(victim);
        }),
      );
      await killed;
      await submitted;
      let waiting = await unfinished();
      report?.(round + 1, waiting);
      while (waiting > MAX_UNFINISHED) {
        await sleep(LOOK_MS);
        waiting = await unfinished();
      }
    }
    await Promise.all(starting.values());
    while ((await unfinished()) > 0) await sleep(LOOK_MS);
    const wrong: string[] = [];
    const expected = new Map<number, string>();
    const [server] = servers;
    for (const { question, location } of accepted) {
      const [path, body] = QUESTIONS[question];
      if (!expected.has(question)) {
        const atOnce = await server.request(path, { method: 'POST', body: JSON.stringify(body) });
        expected.set(question, await atOnce.text());
      }
      const result = await server.request(`${location}/result`);
      const same = (await result.text()) === expected.get(question);
      if (result.status !== 200 || !same)
        wrong.push(`${path} ${location}: ${result.status === 200 ? 'other bytes' : result.status}`);
    }
    const listed = (await states()).size;
    return { kills, killsBeforeAnswer, accepted: accepted.length, listed, lost: [...lost], wrong };
  } finally {
    await Promise.all(starting.values());
    await Promise.all(servers.map(server => server.kill()));
  }
}
