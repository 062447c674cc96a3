/** Bodies of books: refused before they are read or parsed where they would take the memory of others. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { SERVICE_KEY, useSampleService } from '../../support/sample-service.ts';

const OTHER_KEY = 'another-key-of-the-service-tests';
const app = useSampleService({ API_KEYS: `${SERVICE_KEY},${OTHER_KEY}` });

const BOOK = {
  type: 'GBM',
  params: {
    analysis_date: '06-30-2024',
    model_lookback: 30,
    mc_iter: 100,
    quantile: [0.9],
    loans: [
      {
        id: 'a',
        collateral_weights: { ETH: 1 },
        loan_weights: { USD: 1 },
        loan_duration: 2,
        mc_top_up: 4,
        loan_value: 1000,
        N: 1.3,
        M: 1.2,
        L: 1.1,
        R: 1.3,
      },
    ],
  },
};

const DEPTH = 2_000_000;

it.each([
  ['levels', '['.repeat(DEPTH), /^The body must be at most 8 levels deep; byte 8 begins another one$/],
  ['levels inside a book', `{"type":"GBM","params":{"loans":${'['.repeat(DEPTH)}`, /at most 8 levels deep/],
  ['lists and objects', `[${'{},'.repeat(600_000)}{}]`, /of at most 502000 lists and objects/],
])('A body of too many %s is 422 without being parsed', async (_, body, message) => {
  const response = await app.post('/book_risk', body);
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
  expect(response.status).toBe(422);
  expect(errors).toEqual([{ code: 'out_of_range', path: 'body', message: expect.stringMatching(message) }]);
});

interface BegunBody {
  readonly sent: ClientRequest;
  readonly answered: Promise<IncomingMessage>;
  readonly closed: Promise<void>;
}

/** Begins a body, and sends no more than its first byte. @param bytes its announced length; unknown by default */
function beginBody(bytes?: number): BegunBody {
  const { hostname, port } = new URL(app.service.url);
  const sent = request({
    hostname,
    port,
    path: '/book_risk',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': SERVICE_KEY,
      ...(bytes === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes }),
    },
  });
  sent.on('error', () => {});
  sent.write('{');
  return {
    sent,
    answered: new Promise(resolve => sent.once('response', resolve)),
    closed: new Promise(resolve => sent.once('close', () => resolve())),
  };
}

it('A key at its limit of body bytes is answered 429 before a further body is read, and another key is served', async () => {
  // Eight of the nine are read, whichever they are.
  const begun = Array.from({ length: 9 }, () => beginBody(16 * 2 ** 20));
  try {
    const refused = await Promise.race(begun.map(each => each.answered));
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(await json(refused)).toMatchObject({
      detail: 'The bodies of the key may use 128 MiB at the same time; try again later.',
    });
    expect((await app.post('/book_risk', BOOK)).status).toBe(429);
    const other = await app.post('/book_risk', BOOK, { 'x-api-key': OTHER_KEY });
    expect(other.status).toBe(200);
    const loan = await app.post('/loan_risk', {
      type: 'GBM',
      params: {
        ...BOOK.params.loans[0],
        id: undefined,
        analysis_date: '06-30-2024',
        model_lookback: 30,
        mc_iter: 100,
      },
    });
    expect(loan.status).toBe(200);
  } finally {
    for (const { sent } of begun) sent.destroy();
    await Promise.all(begun.map(each => each.closed));
  }
  // What the callers held is free once they have gone.
  await eventually(async () => (await app.post('/book_risk', BOOK)).status === 200);
});

it('Bodies of unknown length count as they arrive: a key has more than two of them at a time', async () => {
  const begun = Array.from({ length: 8 }, () => beginBody());
  try {
    const { statusCode } = await new Promise<IncomingMessage>(resolve => {
      for (const { answered } of begun) void answered.then(resolve);
      void begun[7].sent.end('}');
    });
    expect(statusCode).toBe(422);
    expect((await app.post('/book_risk', BOOK)).status).toBe(200);
  } finally {
    for (const { sent } of begun) sent.destroy();
    await Promise.all(begun.map(each => each.closed));
  }
});

it('A body is not read after its client has disconnected, and the next body of the key is', async () => {
  const faulty = JSON.stringify({
    ...BOOK,
    params: { ...BOOK.params, loans: BOOK.params.loans.map(each => ({ ...each, N: 'x' })) },
  });
  const leaving = new AbortController();
  const gone = app.post('/book_risk', faulty, {}, leaving.signal).catch((error: Error) => error.name);
  leaving.abort();
  expect(await gone).toBe('AbortError');
  expect((await app.post('/book_risk', BOOK)).status).toBe(200);
});
