/**
 * Callers that a server is attacked by, in a process of their own: `attackers.js NAME URL KEY`, until it is killed.
 *
 * What the server answers them is counted on standard output, one status a line.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GOOD_BODIES } from '../../test/support/request-bodies.ts';
import { QUESTION_ATTACKS, type QuestionAttack } from './question-attacks.ts';

const MIB = 2 ** 20;
/** And not imported for the names. */
const isProgram = process.argv[1] === fileURLToPath(import.meta.url);
const [, , name, url, key] = process.argv;
const { hostname, port } = new URL(isProgram ? url : 'http://none');
const HEADERS = { 'x-api-key': key, 'content-type': 'application/json' };

const count = (status: number) => process.stdout.write(`${status}\n`);

/** Sends a body and takes the answer. */
function post(path: string, body: string | Buffer, agent: Agent | undefined): Promise<number> {
  return new Promise(resolve => {
    const sent = request(
      { hostname, port, path, method: 'POST', headers: HEADERS, ...(agent && { agent }) },
      response => {
        response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

/** So many callers that ask over and over; one that is refused for a while waits a little, as no polite one would. */
async function ask(callers: number, path: string, body: string | Buffer): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const caller = async () => {
    for (;;) {
      const status = await post(path, body, agent);
      count(status);
      if (status !== 200 && status !== 422) await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

const bookLoan = (id: number) => ({
  ...{ id: `loan ${id}`, collateral_weights: { ETH: 1 }, loan_weights: { USD: 1 }, loan_duration: 30 },
  ...{ mc_top_up: 24, loan_value: 250_000, N: 1.3, M: 1.2, L: 1.1, R: 1.3 + (id % 7) / 20 },
});
function book(loans: number, paths: number, terms: object = {}): string {
  const params = {
    analysis_date: '06-30-2024',
    model_lookback: 90,
    mc_iter: paths,
    quantile: [0.9, 0.99],
    ...terms,
  };
  return JSON.stringify({
    type: 'GBM',
    params: { ...params, loans: Array.from({ length: loans }, (_, i) => bookLoan(i)) },
  });
}

/** Sends a large body and leaves before the answer. */
async function leaveAfterSending(callers: number, body: Buffer): Promise<void> {
  const caller = async () => {
    for (;;) {
      await new Promise<void>(resolve => {
        const sent = request(
          { hostname, port, path: '/book_risk', method: 'POST', headers: HEADERS },
          response => {
            count(response.statusCode ?? 0);
            response.resume();
          },
        );
        sent.on('error', () => resolve()).on('close', () => resolve());
        sent.end(body, () => sent.destroy());
      });
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Asks for a large answer, and reads nothing of it. */
async function neverRead(callers: number, body: string): Promise<void> {
  // A socket that reads nothing and has nothing to write keeps no process alive.
  setInterval(() => {}, 1000);
  const caller = async () => {
    for (;;) {
      await new Promise<void>(resolve => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => resolve()).on('close', () => resolve());
        socket.write(
          `POST /book_risk HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
        );
        socket.write(body);
        socket.pause();
      });
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Connections on which nothing is sent; one that is closed is opened again. */
function staySilent(connections: number): Promise<never> {
  const open = () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}).on('close', () => setTimeout(open, 100));
  };
  for (let i = 0; i < connections; i++) open();
  return new Promise(() => {});
}

/** A body that is not refused within this time is computed. */
const REFUSED_WITHIN_MS = 400;
/** After this time a caller leaves without its answer. */
const PATIENCE_MS = 700;

/** The status of a question; 0 where its caller left before the answer. */
function postAndLeave({ path, compute }: QuestionAttack, body: object, patienceMs: number): Promise<number> {
  return new Promise(resolve => {
    const headers = { ...HEADERS, 'x-compute': compute };
    const sent = request({ hostname, port, path, method: 'POST', headers }, response => {
      response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sent.on('error', () => resolve(0));
    sent.end(JSON.stringify(body));
    setTimeout(() => sent.destroy(), patienceMs).unref();
  });
}

/** Asks for the largest of a question that the server takes: two callers wait for their answers, two leave before. */
async function askLargest(attack: QuestionAttack): Promise<void> {
  let largest: object | undefined;
  for (const body of attack.bodies) {
    const status = await postAndLeave(attack, body, REFUSED_WITHIN_MS);
    if (status !== 0 && status !== 200) continue;
    largest = body;
    break;
  }
  if (largest === undefined) throw new Error(`the server takes no body of ${attack.name}`);
  const body = largest;
  const caller = async (patienceMs: number) => {
    for (;;) {
      const status = await postAndLeave(attack, body, patienceMs);
      count(status);
      if (status !== 200) await sleep(20);
    }
  };
  await Promise.all([2 ** 30, 2 ** 30, PATIENCE_MS, PATIENCE_MS].map(caller));
}

/** A new name for each value: what takes most memory of what is let through. */
const manyNames = () =>
  `{"params":{"loans":[${Array.from(
    { length: 90_000 },
    (_, i) => `{${Array.from({ length: 60 }, (_, k) => `"${(i * 60 + k).toString(36)}":1`).join()}}`,
  ).join()}]}}`;

const BACKTEST = JSON.stringify({
  type: 'FHS',
  params: {
    ...{ weights: { ETH: 0.25, BTC: 0.75 }, model_lookback: 365, horizon: 3, quantile: [0.99, 0.9] },
    ...{ from: '01-01-2024', to: '05-20-2024', mc_iter: 2000 },
  },
});

const ATTACKS: Readonly<Record<string, () => Promise<unknown>>> = {
  brackets: () => ask(2, '/book_risk', '['.repeat(15 * MIB)),
  'many names': () => ask(2, '/book_risk', manyNames()),
  'faulty bodies': () =>
    leaveAfterSending(24, Buffer.from(book(20_000, 100).replaceAll('"N":1.3', '"N":"x"'))),
  'long lists': () => ask(4, '/book_risk', `[${'1,'.repeat(7_400_000)}1]`),
  backtests: () => ask(60, '/backtest', BACKTEST),
  '200 busy connections': () => ask(200, '/loan_risk', JSON.stringify(GOOD_BODIES['/loan_risk'])),
  '500 busy connections': () => ask(500, '/loan_risk', JSON.stringify(GOOD_BODIES['/loan_risk'])),
  'silent connections': () => staySilent(400),
  'unread answers': () => neverRead(24, book(20_000, 100)),
};
/** Those that are written here; the tables make the others. */
export const ATTACK_NAMES = Object.keys(ATTACKS);

if (isProgram) {
  const question = QUESTION_ATTACKS.find(each => each.name === name);
  await (question === undefined ? ATTACKS[name]() : askLargest(question));
}
