/** Requests that are no HTTP, name no path, or never come to their end: refused, named and logged like any other. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { OperationAnswer } from '#src/question/question.js';
import { KEEP_ALIVE_MS, type RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { ANSWER, KEY, observation, type ProblemBody, serve, testRoutes } from '../../support/http-app.ts';
import { collectLog, type LogLine } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

/** Milliseconds that pass only where something hangs. */
const HOURS = 10_000_000;
/** Node has no clock but the real one for the time of a request, and looks after it in intervals of the same length. */
const RECEIVE_MS = 500;

let server: RunningServer;
afterEach(() => server.drain(1000));

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const LOAN_HEAD = `POST /loan_risk HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Type: application/json\r\n`;

function open(): Socket {
  const { hostname, port } = new URL(server.url);
  return connect(Number(port), hostname).setEncoding('utf8');
}

/** What comes back until the server closes the connection. */
async function answerTo(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', chunk => {
    answer += chunk;
  });
  await once(socket, 'close');
  return answer;
}

/** Sends text as it is, and leaves its own side of the connection open. */
function raw(text: string): Promise<string> {
  const socket = open();
  socket.write(text);
  return answerTo(socket);
}

/** Status and body of an answer that must be a problem document with an id. */
function problemIn(answer: string): ProblemBody {
  const [head, body] = answer.split('\r\n\r\n');
  expect(head).toMatch(/Content-Type: application\/problem\+json/i);
  const document = JSON.parse(body) as ProblemBody;
  expect(head).toContain(`HTTP/1.1 ${document.status} `);
  expect(head.toLowerCase()).toContain(`x-request-id: ${document.request_id}`);
  expect(document.request_id).toMatch(/^\S+$/);
  return document;
}

describe('A request that cannot be read', () => {
  it.each([
    [
      'a target that is no URL',
      'GET http://[::1/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 405],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'an expectation nobody knows',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n',
      417,
    ],
    [
      'another transfer coding',
      'POST /loan_risk HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      400,
    ],
    ['another version', 'POST /loan_risk HTTP/9.9\r\n\r\n', 400],
    ['no version, as in HTTP/0.9', 'GET /healthz\r\n\r\n', 400],
    ['the version 0.9', 'GET /healthz HTTP/0.9\r\nHost: x\r\n\r\n', 400],
    ['the version 2.0', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n', 400],
    ['the version 1.2', 'GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n', 400],
    ['a version of one number', 'GET /healthz HTTP/1\r\nHost: x\r\n\r\n', 400],
    ['a version without a point', 'GET /healthz HTTP/11\r\nHost: x\r\n\r\n', 400],
    ['a version of small letters', 'GET /healthz http/1.1\r\nHost: x\r\n\r\n', 400],
    ['more after the version', 'GET /healthz HTTP/1.1 x\r\nHost: x\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('for %s is refused with a problem document and one line of the log', async (_, text, status) => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    const refusal = problemIn(await raw(text));
    expect(refusal.status).toBe(status);
    const ofRequest = lines.filter(line => line.request_id === refusal.request_id);
    expect(ofRequest).toMatchObject([{ status, level: 30 }]);
    expect(ofRequest[0].msg).toMatch(/^refused/);
  });

  it('for a tunnel is answered with all methods of the server in Allow', async () => {
    server = await serve();
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
    const allowed = await Promise.all(
      Object.keys(paths).map(async path => {
        const refusal = await fetch(server.url + path.replace(/\{\w+\}/, 'x'), { method: 'PUT' });
        return refusal.headers.get('allow')?.split(', ') ?? [];
      }),
    );
    const answer = await raw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
    const methods = /^Allow: (.*)$/m.exec(answer)?.[1].trimEnd().split(', ');
    expect(methods?.sort()).toEqual([...new Set(allowed.flat())].sort());
    expect(methods).toContain('DELETE');
  });

  it('is not one with more than a thousand headers, and one without a body is refused for that', async () => {
    server = await serve();
    const headers = `${LOAN_HEAD}Connection: close\r\n`;
    const many = await raw(`${headers}${'a:b\r\n'.repeat(1500)}Content-Length: 2\r\n\r\n{}`);
    expect(problemIn(many)).toMatchObject({ status: 422, detail: 'The request is not valid.' });
    const none = problemIn(await raw(`${headers}\r\n`));
    expect(none).toMatchObject({ status: 400, detail: 'The body is empty; it must be JSON.' });
  });

  it('is not one of HTTP/1.0, or one with 100-continue', async () => {
    server = await serve();
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const continued = await raw(
      `${LOAN_HEAD}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(continued).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
  });
});

describe('Pipelined requests', () => {
  /** Status lines in the order in which they came. */
  const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(found => found[1]);

  it('have their answers in order, and then the refusal of unreadable data', async () => {
    server = await serve();
    expect(statuses(await raw(`${HEALTH}${HEALTH}no HTTP at all\r\n\r\n`))).toEqual(['200', '200', '400']);
  });

  it('are answered before unreadable data is refused', async () => {
    const finish: (() => void)[] = [];
    const held = () => new Promise<OperationAnswer>(resolve => finish.push(() => resolve(ANSWER)));
    server = await serve({ routes: testRoutes(held) });
    const body = JSON.stringify(LOAN_RISK);
    const answers = raw(`${LOAN_HEAD}Content-Length: ${body.length}\r\n\r\n${body}no HTTP\r\n\r\n`);
    await eventually(() => finish.length > 0);
    finish[0]();
    expect(statuses(await answers)).toEqual(['200', '400']);
  });
});

describe('A request that is refused before its body has arrived', () => {
  it('has one answer, and its connection is closed, though the time for the request runs out', {
    tags: ['slow'],
  }, async () => {
    server = await serve({ receiveMs: RECEIVE_MS, lingerMs: 2 * RECEIVE_MS + 200 });
    const [withoutKey, tooLarge] = await Promise.all([
      raw('POST /loan_risk HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n'),
      raw(`${LOAN_HEAD}Content-Length: 10000000\r\n\r\n{`),
    ]);
    expect(problemIn(withoutKey).status).toBe(401);
    expect(problemIn(tooLarge).status).toBe(413);
    for (const answer of [withoutKey, tooLarge]) expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('leaves its connection usable where the body arrives soon', async () => {
    server = await serve();
    const socket = open();
    let answers = '';
    socket.on('data', chunk => {
      answers += chunk;
    });
    socket.write('POST /loan_risk HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n');
    await eventually(() => answers.includes('request_id'));
    socket.write(`abc${HEALTH}`);
    await eventually(() => answers.includes('"status":"ok"'));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
    socket.destroy();
  });
});

describe('A body that is not complete', () => {
  const HALF = `${LOAN_HEAD}x-request-id: slow\r\nContent-Length: 100\r\n\r\n{"type":`;

  /** The answer to a text, which must be logged once, and counted once, with that status. */
  async function refusedOnce(text: string, terms: Parameters<typeof serve>[0], status: number) {
    const { log, lines } = collectLog();
    const observed = observation();
    server = await serve({ log, observation: observed, ...terms });
    const answer = await raw(text);
    await eventually(() => lines.length > 0);
    expect(lines).toMatchObject([{ request_id: 'slow', path: '/loan_risk', status, msg: 'refused' }]);
    const counted = (await observed.metrics.text()).match(/^risk_requests_total.*$/gm);
    expect(counted).toEqual([
      `risk_requests_total{operation="/loan_risk",methodology="none",engine="none",status="${status}"} 1`,
    ]);
    return answer;
  }

  it('is answered 408 at its time limit, with the id that was sent', { tags: ['slow'] }, async () => {
    expect(problemIn(await refusedOnce(HALF, { receiveMs: RECEIVE_MS }, 408))).toMatchObject({
      ...{ status: 408, request_id: 'slow' },
    });
  });

  it('is answered 400 where one of its chunks is faulty', async () => {
    const odd = `${LOAN_HEAD}x-request-id: slow\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"typ\r\nxyz\r\n`;
    expect(problemIn(await refusedOnce(odd, {}, 400))).toMatchObject({ status: 400, request_id: 'slow' });
  });

  it('is answered 504 at the deadline where that is earlier', async () => {
    const { log, lines } = collectLog();
    const clock = new ManualClock();
    server = await serve({ log, requestTimeoutSeconds: 0.3, clock, receiveMs: HOURS, lingerMs: 100 });
    const refusal = raw(HALF);
    await eventually(() => clock.pending === 1);
    clock.advance(300);
    expect(problemIn(await refusal)).toMatchObject({ status: 504, request_id: 'slow' });
    expect(lines).toContainEqual(expect.objectContaining({ reason: 'deadline-exceeded', msg: 'not served' }));
  });

  it('is not refused where its client has disconnected', async () => {
    const { log, lines } = collectLog();
    const clock = new ManualClock();
    server = await serve({ log, clock });
    const socket = open();
    socket.write(HALF);
    await eventually(() => clock.pending === 1);
    socket.destroy();
    const isOfRequest = (line: LogLine) => line.method === 'POST';
    await eventually(() => lines.some(isOfRequest));
    expect(lines.filter(isOfRequest)).toMatchObject([{ request_id: 'slow', msg: 'the caller has gone' }]);
  });
});

describe('A connection', () => {
  it('stays open for longer than the time limit of a request', { tags: ['slow'] }, async () => {
    server = await serve({ receiveMs: RECEIVE_MS, keepAliveMs: KEEP_ALIVE_MS });
    const socket = open();
    let answers = '';
    socket.on('data', chunk => {
      answers += chunk;
    });
    socket.write(HEALTH);
    const count = () => answers.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
    await eventually(() => count() === 1);
    await sleep(2 * RECEIVE_MS + 200);
    socket.write(HEALTH);
    await eventually(() => count() === 2);
    expect(answers).toMatch(/Keep-Alive: timeout=75/);
    socket.destroy();
  });

  it('whose request has not ended when the time of a drain is over is closed, which is logged', async () => {
    const { log, lines } = collectLog();
    let begun = false;
    const held = () => {
      begun = true;
      return new Promise<OperationAnswer>(() => {});
    };
    server = await serve({ routes: testRoutes(held), log });
    const body = JSON.stringify(LOAN_RISK);
    const answer = raw(`${LOAN_HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
    await eventually(() => begun);
    await server.drain(1);
    expect(await answer).toBe('');
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ level: 40, requests: 1 },
        msg: 'requests had not ended when the time of the stop was over; they are aborted',
      }),
    );
  });

  it('without a request does not delay a drain, which waits for one with a request', {
    tags: ['slow'],
  }, async () => {
    const finish: (() => void)[] = [];
    const held = () => new Promise<OperationAnswer>(resolve => finish.push(() => resolve(ANSWER)));
    server = await serve({ routes: testRoutes(held) });
    const silent = open();
    await once(silent, 'connect');
    await server.drain(HOURS);

    server = await serve({ routes: testRoutes(held) });
    const body = JSON.stringify(LOAN_RISK);
    const answer = raw(`${LOAN_HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
    await eventually(() => finish.length === 1);
    const drained = server.drain(HOURS);
    // Longer than a connection without a request is kept.
    await sleep(1000);
    finish[0]();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
    await drained;
  });
});
