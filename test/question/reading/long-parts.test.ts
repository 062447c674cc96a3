/** Long members of a read request, apart from the others and back. */
import { expect, it, vi } from 'vitest';
import { joinedText, type LongText } from '#src/core/long-text.js';
import { attachLong, detachLong } from '#src/question/reading/long-parts.js';

const LONG = `${'é'.repeat(65_535)}\u{1f600}${'b'.repeat(70_000)}`;
const NAMES = Array.from({ length: 2500 }, (_, k) => (k % 7 === 0 ? null : `name ${k} "é"`));
const VALUE = {
  ok: true,
  none: undefined,
  value: {
    doubles: Float64Array.from({ length: 600 }, (_, k) => 1 / k),
    numbers: Uint32Array.from({ length: 1100 }, (_, k) => k * k),
    short: Float64Array.of(1, Number.NaN),
    loans: [{ ids: NAMES, echo: LONG, few: ['a', null] }, { ids: ['x'] }],
  },
};

it('A value is put together from its short rest and the bytes of its long members', async () => {
  const { rest, parts, pieces } = detachLong(VALUE);
  expect(JSON.stringify(rest).length).toBeLessThan(200);
  expect(parts.map(({ path, kind }) => `${path.join('.')} ${kind}`)).toEqual([
    'value.doubles doubles',
    'value.numbers numbers',
    'value.loans.0.ids list',
    'value.loans.0.echo text',
  ]);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
  const bytes = Buffer.concat(pieces);
  let at = 0;
  const read = (await attachLong(structuredClone(rest), parts, async into => {
    into.set(bytes.subarray(at, at + into.length));
    at += into.length;
    return into;
  })) as typeof VALUE;
  expect(at).toBe(bytes.length);
  const echo = read.value.loans[0].echo as LongText;
  expect((echo as readonly string[]).length).toBeGreaterThan(1);
  expect(joinedText(echo)).toBe(LONG);
  const [first, second] = read.value.loans;
  const shared = [read.value.doubles, read.value.numbers].map(
    ({ buffer }) => buffer instanceof SharedArrayBuffer,
  );
  expect(shared).toEqual([true, true]);
  expect({ ...read, value: { ...read.value, loans: [{ ...first, echo: LONG }, second] } }).toEqual(VALUE);
});

it('Members of short lists and texts, and of lists of other things, stay where they are', () => {
  const value = {
    a: Array(2000).fill(1),
    b: Array(1000).fill('x'),
    c: 'x'.repeat(4096),
    d: new Uint32Array(1024),
  };
  expect(detachLong(value)).toEqual({ rest: value, parts: [], pieces: [] });
});

it('A long list is parsed in turns of the event loop, though all of it has arrived', async () => {
  const { rest, parts, pieces } = detachLong({ ids: Array.from({ length: 100_000 }, (_, k) => `loan ${k}`) });
  const parse = vi.spyOn(JSON, 'parse');
  let [parsed, most] = [0, 0];
  const count = () => {
    most = Math.max(most, parse.mock.calls.length - parsed);
    parsed = parse.mock.calls.length;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const all = [...pieces];
  const read = (await attachLong(rest, parts, async into => {
    into.set(all.shift() ?? []);
    return into;
  })) as {
    ids: string[];
  };
  clearImmediate(immediate);
  expect(parse.mock.calls).toHaveLength(100);
  parse.mockRestore();
  expect(read.ids).toHaveLength(100_000);
  expect(read.ids.at(-1)).toBe('loan 99999');
  expect(most).toBeLessThanOrEqual(20);
});
