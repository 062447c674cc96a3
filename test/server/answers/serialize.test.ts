/** Answers as JSON, lines and CSV, and their headers. */
import { describe, expect, it, vi } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { joinedText } from '#src/core/long-text.js';
import { JsonRows, RawJson } from '#src/question/answer-pieces.js';
import type { OperationAnswer } from '#src/question/question.js';
import {
  answerHeaders,
  csvOf,
  gridName,
  jsonOf,
  linesOf,
  strictJson,
} from '#src/server/answers/serialize.js';

const ANSWER: OperationAnswer = {
  ...{ resultMember: 'Output', arguments: { N: 1.5 }, result: { Loss: 2 }, filled: [] },
  engine: { backend: 'cpu', device: 'a processor', software: false },
  basis: { gridHours: 24, paths: 1000 },
};
const STATEMENT = { include: new Set<never>(), version: '1.2.3' };
const answer = (change: Partial<OperationAnswer> = {}): OperationAnswer => ({ ...ANSWER, ...change });
const textOfJson = async (change: Partial<OperationAnswer>) =>
  joinedText(await jsonOf(answer(change), STATEMENT));
async function textOf(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

describe('The headers of an answer', () => {
  const headersOf = (change: Partial<OperationAnswer>) => answerHeaders(answer(change), 'sample');
  const HEADERS = {
    ...{ 'x-compute': 'cpu', 'x-compute-device': 'a processor', 'x-market-data': 'sample' },
    ...{ 'x-market-grid': 'daily', 'x-scenarios': '1000' },
  };

  it('name engine, data, grid and paths', () => {
    expect(headersOf({})).toEqual(HEADERS);
    const engine = { backend: 'gpu', device: 'Grafik™ \t"X"~', software: false } as const;
    expect(headersOf({ engine })).toMatchObject({ 'x-compute-device': 'Grafik? ?"X"~' });
    expect([1, 24].map(gridHours => gridName({ gridHours: gridHours as 1 | 24, paths: 1 }))).toEqual([
      'hourly',
      'daily',
    ]);
  });

  it('name the terms of a perpetual, prices carried forward, and each warning once', () => {
    const funding = { market: { base: 'BTC', quote: 'USDT', exchange: 'binance' }, settlements: 90 };
    const basis = {
      ...ANSWER.basis,
      maintenanceMarginRate: 0,
      funding,
    } as unknown as OperationAnswer['basis'];
    expect(headersOf({ basis })).toEqual({
      ...HEADERS,
      'x-maintenance-margin': '0',
      'x-funding-rate': 'BTC/USDT on binance; settlements=90',
    });
    const warning = { code: 'gbm-tail', message: 'low' } as const;
    expect(headersOf({ warnings: [warning, { ...warning, message: 'lower' }] })).toEqual({
      ...HEADERS,
      'x-warnings': 'gbm-tail',
    });
    const filled = [{ symbol: 'USDC', count: 9, unit: 'day' }] as unknown as OperationAnswer['filled'];
    expect(headersOf({ filled })).toMatchObject({ 'x-market-data-filled': 'USDC=9' });
  });
});

it('An answer as CSV has the members of its JSON', async () => {
  expect((await textOf(csvOf(answer(), STATEMENT))).join('')).toBe(
    'member,key1,key2,key3,value\r\nArguments,N,,,1.5\r\nOutput,Loss,,,2\r\nRisk engine version,,,,1.2.3\r\n',
  );
});

describe('An answer as JSON', () => {
  it('has its members in their order, and warnings only where they are asked for', async () => {
    const text = '{"Arguments":{"N":1.5},"Output":{"Loss":2},"Risk engine version":"1.2.3"}';
    expect(await textOfJson({})).toBe(text);
    const warnings = [{ code: 'gbm-tail', message: 'low' }] as const;
    expect(await textOfJson({ warnings })).toBe(text);
    const asked = { ...STATEMENT, include: new Set(['warnings'] as const) };
    expect(await jsonOf(answer({ warnings, included: {} }), asked, '{"seed":1}')).toBe(
      `${text.slice(0, -1)},"Warnings":[{"code":"gbm-tail","message":"low"}],"Plan":{"seed":1}}`,
    );
  });

  it('has large parts as they are, in objects of up to five levels below the answer, without absent members', async () => {
    const raw = new RawJson('[1, 2]');
    const rows = (count: number) =>
      new JsonRows(
        Array.from({ length: count }, (_, k) => `r${k}`),
        k => ({ k }),
      );
    for (const count of [0, 1, 2, 249, 250, 251, 600])
      expect(
        JSON.parse(await textOfJson({ result: { rows: rows(count) } })).Output.rows,
        `${count} rows`,
      ).toEqual(Object.fromEntries(Array.from({ length: count }, (_, k) => [`r${k}`, { k }])));
    expect(await textOfJson({ result: { absent: undefined, b: raw, c: [1], d: null } })).toContain(
      '"Output":{"b":[1, 2],"c":[1],"d":null}',
    );
    expect(await textOfJson({ result: { a: { b: { c: { d: raw } } } } })).toContain(
      '{"a":{"b":{"c":{"d":[1, 2]}}}}',
    );
    expect(await textOfJson({ result: { a: { b: { c: { d: { e: raw } } } } } })).not.toContain('"e":[1, 2]');
  });

  it('is in pieces where it is long, which are never joined and split no character', async () => {
    const long = `["${'a'.repeat(65_532)}\u{1f600}${'b'.repeat(200_000)}"]`;
    const rows = new JsonRows(Array(600).fill('r'), () => ({ id: 'x'.repeat(300) }));
    const joins = vi.spyOn(Array.prototype, 'join');
    const body = await jsonOf(answer({ result: { raw: new RawJson(long), rows } }), STATEMENT, long);
    const lengths = joins.mock.results.map(({ value }) => String(value).length);
    joins.mockRestore();
    if (typeof body === 'string') throw new Error('the text is one string');
    expect(Math.max(...body.map(({ length }) => length))).toBeLessThan(3 * 65_536);
    expect(body.length).toBeGreaterThan(5);
    expect(body.every(piece => Buffer.from(piece).toString() === piece)).toBe(true);
    expect(Math.max(0, ...lengths)).toBeLessThan(65_536);
    const { Output, Plan } = JSON.parse(body.join('')) as { Output: { raw: unknown }; Plan: unknown };
    expect([Output.raw, Plan]).toEqual([JSON.parse(long), JSON.parse(long)]);
  });

  it('leaves the event loop to others every 250 rows', async () => {
    let turns = 0;
    let ended = false;
    const count = () => {
      turns += 1;
      if (!ended) setImmediate(count);
    };
    for (const [rows, least, most] of [
      [249, 0, 1],
      [250, 1, 2],
      [2500, 10, 12],
    ]) {
      turns = 0;
      ended = false;
      setImmediate(count);
      await textOfJson({ result: { rows: new JsonRows(Array(rows).fill('r'), k => k) } });
      ended = true;
      expect(turns, `${rows} rows`).toBeGreaterThanOrEqual(least);
      expect(turns, `${rows} rows`).toBeLessThanOrEqual(most);
      await new Promise(setImmediate);
    }
  });

  it('is none with a figure that is not a finite number', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const refusal = new RiskError('engine-failed', `The figure Loss is ${value}.`);
      await expect(textOfJson({ result: { Loss: value } })).rejects.toEqual(refusal);
      await expect(
        textOfJson({ result: { rows: new JsonRows(['a'], () => ({ Loss: value })) } }),
      ).rejects.toEqual(refusal);
      expect(() => strictJson({ a: [{ Loss: value }] })).toThrow(refusal);
    }
    expect(strictJson({ a: [1, null, 'NaN'], b: -0 })).toBe('{"a":[1,null,"NaN"],"b":0}');
  });
});

describe('An answer in lines', () => {
  const lines = (count: number) => ({
    rows: new JsonRows(
      Array.from({ length: count }, (_, k) => `r${k}`),
      k => ({ k }),
    ),
    ...{ arguments: { M: 1 }, result: { Rest: 1 } },
  });
  const last = '{"Arguments":{"M":1},"Output":{"Rest":1},"Risk engine version":"1.2.3"}\n';

  it.each([0, 1, 249, 250, 251, 500])(
    'has one for each of %i rows, 250 at a time, then the rest',
    async count => {
      const pieces = await textOf(linesOf(answer({ lines: lines(count) }), STATEMENT));
      const rows = Array.from({ length: count }, (_, k) => `{"id":"r${k}","k":${k}}\n`);
      expect(pieces).toEqual(
        Array.from({ length: Math.floor(count / 250) + 1 }, (_, k) =>
          rows.slice(250 * k, 250 * (k + 1)).join(''),
        ).map((piece, k, all) => (k === all.length - 1 ? piece + last : piece)),
      );
    },
  );

  it('leaves the event loop to others after each piece of a long rest', async () => {
    const rest = { Borrowers: new JsonRows(Array(200).fill('b'), () => 'x'.repeat(2000)) };
    let turns = 0;
    let ended = false;
    const count = () => {
      turns += 1;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    const pieces = await textOf(linesOf(answer({ lines: { ...lines(0), result: rest } }), STATEMENT));
    ended = true;
    expect(pieces.length).toBeGreaterThan(5);
    expect(turns).toBeGreaterThanOrEqual(pieces.length);
  });

  it('is none where the operation has none', () => {
    expect(() => linesOf(answer(), STATEMENT)).toThrow('The answer of this operation has no lines.');
  });
});
