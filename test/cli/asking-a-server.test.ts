/** Requests of commands to a server at an address: their paths, and reports on a server that ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '#src/cli/ask.js';
import { backtestCommand } from '#src/cli/backtest.js';
import { recorded } from '../support/recorded-output.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'asking-'));
  file = join(folder, 'request.json');
  writeFileSync(file, '{"type":"GBM","params":{}}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let server: Server | undefined;
afterEach(() => server?.close());

type Answer = (response: ServerResponse) => unknown;

/** A server that answers by method and path, and records its requests. */
async function serve(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const listening = createServer(({ method, url }: IncomingMessage, response) => {
    const question = `${method} ${url}`;
    asked.push(question);
    const answer = answers[question];
    if (answer === undefined) response.writeHead(404).end(`no answer to ${question}`);
    else answer(response);
  });
  server = listening;
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  return { asked, url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
}

/** The head of an answer and a part of its body; then the connection ends. */
const cut =
  (status: number, headers: Record<string, string> = {}): Answer =>
  response => {
    response.writeHead(status, headers);
    response.write('data: {"state":"running","share_done":0.5}\n\n', () => response.socket?.end());
  };

const whole =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  response =>
    void response.writeHead(status, headers).end(body);

const EVENTS = 'data: {"state":"done","share_done":1}\n\n';

const asking = (url: string) => recorded(output => ask(file, { url, format: 'json' }, {}, output));
const backtesting = (url: string) =>
  recorded(output => backtestCommand(file, { url, format: 'json' }, {}, output));

describe('A server that ends while its answer is read', () => {
  it('is reported in one line by ask', async () => {
    const { url } = await serve({ 'POST /loan_risk': cut(200) });
    expect(await asking(url)).toEqual({ code: 1, out: '', err: `${url}: other side closed\n` });
  });

  const taken = whole(202, '{}', { location: '/jobs/7' });
  it.each<[string, Readonly<Record<string, Answer>>]>([
    ['that a job was taken', { 'POST /backtest': cut(202, { location: '/jobs/7' }) }],
    ['how far the job is', { 'POST /backtest': taken, 'GET /jobs/7': cut(200) }],
    [
      'the result',
      { 'POST /backtest': taken, 'GET /jobs/7': whole(200, EVENTS), 'GET /jobs/7/result': cut(200) },
    ],
  ])('is reported in one line by backtest, while it sends %s', async (_, answers) => {
    const { asked, url } = await serve(answers);
    const { code, out, err } = await backtesting(url);
    expect([code, out]).toEqual([1, '']);
    expect(err.replace(/^back-test, .+\n/gm, '')).toBe(`${url}: other side closed\n`);
    expect(asked).toEqual(Object.keys(answers));
  });
});

describe('The path of an address', () => {
  it.each(['/risk', '/risk/'])('precedes the path of an operation: %s', async prefix => {
    const { url } = await serve({ 'POST /risk/loan_risk': whole(200, '{"Output":{}}') });
    expect(await asking(url + prefix)).toEqual({ code: 0, out: '{"Output":{}}\n', err: '' });
  });

  it.each(['/jobs/7', '/risk/jobs/7'])('precedes the paths of a job at %s', async location => {
    const { asked, url } = await serve({
      'POST /risk/backtest': whole(202, '{}', { location }),
      'GET /risk/jobs/7': whole(200, EVENTS),
      'GET /risk/jobs/7/result': whole(200, '{"Output":{}}'),
    });
    expect(await backtesting(`${url}/risk`)).toMatchObject({ code: 0, out: '{"Output":{}}\n' });
    expect(asked).toEqual(['POST /risk/backtest', 'GET /risk/jobs/7', 'GET /risk/jobs/7/result']);
  });
});

it('An address with a user and a password is refused without showing them', async () => {
  const { asked, url } = await serve({});
  const withPassword = url.replace('//', '//desk:hidden@');
  const err = `${url}: leave the user and the password out; a key is sent from API_KEY\n`;
  expect(await asking(withPassword)).toEqual({ code: 1, out: '', err });
  expect(await backtesting(withPassword)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(err),
  });
  expect(asked).toEqual([]);
});

it('How far a job is may come in pieces of lines', async () => {
  const pieces = [': hello\ndata: {"state":"runn', 'ing","share_done":0.5}\n\ndata', EVENTS.slice(4)];
  const inPieces: Answer = async response => {
    response.writeHead(200);
    for (const piece of pieces) {
      await new Promise<void>(resolve => response.write(piece, () => resolve()));
      // What is written at once may arrive as one piece.
      await setTimeout(20);
    }
    response.end();
  };
  const { url } = await serve({
    'POST /backtest': whole(202, '{}', { location: '/jobs/7' }),
    'GET /jobs/7': inPieces,
    'GET /jobs/7/result': whole(200, '{"Output":{}}'),
  });
  const { code, out, err } = await backtesting(url);
  expect({ code, out }).toEqual({ code: 0, out: '{"Output":{}}\n' });
  expect(err).toMatch(/^back-test, running: 50 % done, \d+ s left\n/);
});

it('A server that accepts a job without its name is reported in one line', async () => {
  const { url } = await serve({ 'POST /backtest': whole(202, '{}') });
  expect(await backtesting(url)).toEqual({
    code: 1,
    out: '',
    err: `${url}: the answer 202 names no job in its Location\n`,
  });
});
