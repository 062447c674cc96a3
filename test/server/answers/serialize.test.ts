/** Answers as JSON, lines and CSV, and their headers. */
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
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
  Buffer.from(await jsonOf(answer(change), STATEMENT)).toString();
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
    const planned = await jsonOf(answer({ warnings, included: {} }), asked, '{"seed":1}');
    expect(Buffer.from(planned).toString()).toBe(
      `${text.slice(0, -1)},"Warnings":[{"code":"gbm-tail","message":"low"}],"Plan":{"seed":1}}`,
    );
  });

  const rowsOf = (count: number) =>
    new Map(Array.from({ length: count }, (_, k) => [`${count - k}`, { k }] as const));

  it('has maps as objects in their order, and long lists and objects as JSON has them', async () => {
    for (const count of [0, 1, 2, 499, 500, 600]) {
      const rows = [...rowsOf(count)].map(([id, row]) => `"${id}":${JSON.stringify(row)}`);
      expect(await textOfJson({ result: { a: { rows: rowsOf(count) } } }), `${count} rows`).toContain(
        `"Output":{"a":{"rows":{${rows.join(',')}}}}`,
      );
      const list = Array.from({ length: count }, (_, k) => (k % 2 === 0 ? { k } : undefined));
      const object = Object.fromEntries(list.map((each, k) => [`r${k}`, each]));
      const result = { list, b: { object }, absent: undefined, d: null };
      expect(JSON.stringify(JSON.parse(await textOfJson({ result })).Output)).toBe(JSON.stringify(result));
    }
  });

  it('leaves the event loop to others where it is long', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const text = await textOfJson({ result: { list: Array(3000).fill('x'.repeat(100)) } });
    clearImmediate(immediate);
    expect(turns).toBeGreaterThan(Math.floor(text.length / 2 ** 17));
  });

  it('is none with a figure that is not a finite number', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const refusal = new RiskError('engine-failed', `The figure Loss is ${value}.`);
      await expect(textOfJson({ result: { Loss: value } })).rejects.toEqual(refusal);
      await expect(textOfJson({ result: { rows: new Map([['a', { Loss: value }]]) } })).rejects.toEqual(
        refusal,
      );
      expect(() => strictJson({ a: [{ Loss: value }] })).toThrow(refusal);
    }
    expect(strictJson({ a: [1, null, 'NaN'], b: -0 })).toBe('{"a":[1,null,"NaN"],"b":0}');
  });
});

describe('An answer in lines', () => {
  it.each([0, 1, 3000])('has one for each of %i rows, then the rest, in pieces', async count => {
    const rows = new Map(Array.from({ length: count }, (_, k) => [`r${k}`, { k, text: 'x'.repeat(50) }]));
    const asked = { rows, arguments: { M: 1 }, result: { Rest: 1 } };
    const pieces = await textOf(linesOf(answer({ lines: asked }), STATEMENT));
    expect(pieces.length).toBe(count === 3000 ? 4 : 1);
    expect(pieces.join('').split('\n')).toEqual([
      ...[...rows].map(([id, row]) => JSON.stringify({ id, ...row })),
      '{"Arguments":{"M":1},"Output":{"Rest":1},"Risk engine version":"1.2.3"}',
      '',
    ]);
  });

  it('is none where the operation has none', () => {
    expect(() => linesOf(answer(), STATEMENT)).toThrow('The answer of this operation has no lines.');
  });
});
