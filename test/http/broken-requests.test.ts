/** Requests that are no HTTP, name no path, or never come to their end: refused, named and logged like any other. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '#src/http/server.js';
import type { OperationAnswer } from '#src/operation/operation.js';
import { ANSWER, KEY, type ProblemBody, serve, testRoutes } from '../support/http-app.ts';
import { collectLog, type LogLine } from '../support/log-lines.ts';
import { LOAN_RISK } from '../support/request-bodies.ts';

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
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'an expectation nobody knows',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n',
      417,
    ],
    ['another version', 'POST /loan_risk HTTP/9.9\r\n\r\n', 400],
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

  it('does not end what HTTP/1.0 and 100-continue may do', async () => {
    server = await serve();
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const continued = await raw(
      `${LOAN_HEAD}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(continued).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
  });
});

describe('A body that does not come to its end', () => {
  const HALF = `${LOAN_HEAD}x-request-id: slow\r\nContent-Length: 100\r\n\r\n{"type":`;

  it('is answered 408 a second after its time at most, with the id that was sent', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log, receiveMs: 500 });
    const start = performance.now();
    const refusal = problemIn(await raw(HALF));
    const milliseconds = performance.now() - start;
    expect(refusal).toMatchObject({ status: 408, request_id: 'slow' });
    expect(milliseconds).toBeGreaterThan(400);
    expect(milliseconds).toBeLessThan(2000);
    expect(lines).toContainEqual(expect.objectContaining({ request_id: 'slow', status: 408 }));
  });

  it('is answered 504 at the deadline where that comes first', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log, requestTimeoutSeconds: 0.3 });
    const start = performance.now();
    expect(problemIn(await raw(HALF))).toMatchObject({ status: 504, request_id: 'slow' });
    expect(performance.now() - start).toBeLessThan(1500);
    expect(lines).toContainEqual(expect.objectContaining({ reason: 'deadline-exceeded', msg: 'not served' }));
  });

  it('because its caller has gone is no refusal', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    const socket = open();
    socket.write(HALF);
    await sleep(100);
    socket.destroy();
    const isOfRequest = (line: LogLine) => line.method === 'POST';
    while (!lines.some(isOfRequest)) await sleep(5);
    expect(lines.filter(isOfRequest)).toMatchObject([{ request_id: 'slow', msg: 'the caller has gone' }]);
  });
});

describe('A connection', () => {
  it('that is kept alive outlasts the time for a request', async () => {
    server = await serve({ receiveMs: 300 });
    const socket = open();
    let answers = '';
    socket.on('data', chunk => {
      answers += chunk;
    });
    socket.write(HEALTH);
    await sleep(2500);
    socket.write(HEALTH);
    await sleep(200);
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answers).toMatch(/Keep-Alive: timeout=75/);
    socket.destroy();
  });

  it('on which nothing is sent does not hold up a drain, and one with a request is waited for', async () => {
    const finish: (() => void)[] = [];
    const held = () => new Promise<OperationAnswer>(resolve => finish.push(() => resolve(ANSWER)));
    server = await serve({ routes: testRoutes(held) });
    const silent = open();
    await once(silent, 'connect');
    const start = performance.now();
    await server.drain(10_000);
    expect(performance.now() - start).toBeLessThan(2000);

    server = await serve({ routes: testRoutes(held) });
    const body = JSON.stringify(LOAN_RISK);
    const answer = raw(`${LOAN_HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
    while (finish.length === 0) await sleep(5);
    const drained = server.drain(10_000);
    await sleep(1000);
    finish[0]();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/);
    await drained;
  });
});
