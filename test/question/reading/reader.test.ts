/** Bodies of books, short and in a thread. */
import { describe, expect, it } from 'vitest';
import type { Asker } from '#src/core/turns.js';
import { type ReadingTerms, readBytes } from '#src/question/reading/read-bytes.js';
import { createBookReader } from '#src/question/reading/reader.js';
import { dayOf } from '#src/text/calendar-date.js';

const TERMS: ReadingTerms<'book'> = {
  question: 'book',
  today: dayOf(new Date('2024-06-30T00:00:00Z')),
  aliases: [['GOLD', 'PAXG']],
  scenarios: [],
  maxLoans: 3000,
};
/** A reader of bodies that have no amounts. */
function openReader(maxHeapMib: number) {
  const read = createBookReader(maxHeapMib);
  return (bytes: Uint8Array, terms: ReadingTerms<'book'>, of: Asker) =>
    read(bytes, terms, of, async () => new Map());
}
/** A text that is read in the thread. */
const long = (text: string) => text + ' '.repeat(2 ** 15);
const asker = (signal = new AbortController().signal, caller = 'desk') => ({ caller, signal });
const encode = (text: string) => new TextEncoder().encode(text);

const LOAN = {
  ...{ id: 'a', collateral_weights: { GOLD: 1 }, loan_weights: { USD: 1 }, loan_duration: 2, mc_top_up: 4 },
  ...{ loan_value: 1000, N: 1.3, M: 1.2, L: 1.1, R: 1.3 },
};
const book = (loan: object) => ({
  type: 'GBM',
  params: {
    ...{ analysis_date: '06-29-2024', model_lookback: 30, mc_iter: 100, quantile: [0.9] },
    loans: [loan],
  },
});
const GOOD = JSON.stringify(book(LOAN));
/** About as large as a heap of 64 MiB once it is parsed. */
const LONG_LIST = `[${'1,'.repeat(7_400_000)}1]`;
/** Three times as large once it is parsed: beside a text every fraction takes memory of its own. */
const GREEDY_LIST = `["a",${'1.5,'.repeat(7_399_998)}1]`;

describe('A reader of books', () => {
  const read = openReader(256);

  it('gives the loans by columns, with aliases replaced by assets', async () => {
    const found = await read(encode(GOOD), TERMS, asker());
    expect(found).toMatchObject({
      ok: true,
      value: {
        remarks: [],
        request: { methodology: 'GBM', terms: { loans: { ids: ['a'], loanValue: Float64Array.of(1000) } } },
      },
    });
    expect(found.ok && found.value.request.terms.loans.symbols).toEqual(['PAXG', 'USD']);
  });

  it('gives many loans as they are read, whatever their names', async () => {
    const loans = Array.from({ length: 2500 }, (_, k) => ({ ...LOAN, id: `é${k}`, borrower: `"${k % 9}` }));
    const text = encode(JSON.stringify({ ...book(LOAN), params: { ...book(LOAN).params, loans } }));
    const [found, direct] = [
      await read(text, TERMS, asker()),
      await readBytes(text, TERMS, async () => new Map()),
    ];
    expect(found.ok && found.value.request.terms.loans.ids).toHaveLength(2500);
    expect(found).toEqual(direct);
  });

  it.each([
    ['a member that is none', JSON.stringify(book({ ...LOAN, N: 'x' })), 'params.loans.0.N'],
    ['a member that is named twice', GOOD.replace('"N":', '"N":1.4,"N":'), 'params.loans.0.N'],
    ['too many levels', '['.repeat(9), 'body'],
  ])('names the place of %s', async (_, text, path) => {
    for (const sent of [text, long(text)])
      expect(await read(encode(sent), TERMS, asker())).toMatchObject({ ok: false, faults: [{ path }] });
  });

  it.each([
    ['no JSON', encode('{"type":'), 'The body is not JSON.'],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'The body is not valid UTF-8.'],
  ])('refuses a body that is %s as unreadable', async (_, bytes, unreadable) => {
    expect(await read(bytes, TERMS, asker())).toEqual({ ok: false, unreadable });
  });

  it('gives the thread the prices of amounts, or the error of their source', async () => {
    const { loan_value: _, collateral_weights: __, loan_weights: ___, N: ____, ...terms } = LOAN;
    const text = long(JSON.stringify(book({ ...terms, collateral: { GOLD: 2 }, loan: { USD: 1300 } })));
    const own = createBookReader(256);
    const valued = await own(encode(text), TERMS, asker(), async ({ symbols }) => {
      expect(symbols).toEqual(['PAXG', 'USD']);
      return new Map(symbols.map(symbol => [symbol, { price: symbol === 'USD' ? 1 : 1000, carried: false }]));
    });
    expect(valued).toMatchObject({ ok: true });
    const failing = own(encode(text), TERMS, asker(), () => Promise.reject(new Error('no market')));
    await expect(failing).rejects.toThrow('no market');
  });

  it('refuses more loans than it takes, with the remedy', async () => {
    const loans = Array.from({ length: 3001 }, (_, k) => ({ ...LOAN, id: `${k}` }));
    const text = JSON.stringify({ ...book(LOAN), params: { ...book(LOAN).params, loans } });
    expect(await read(encode(text), TERMS, asker())).toMatchObject({
      ok: false,
      faults: [
        {
          path: 'params.loans',
          message:
            'loans must be a list of 1 to 3000 loans (the command `collateral-risk-engine book` takes 100,000); got a list of 3001',
        },
      ],
    });
  });

  it('does not change the bytes of the sender', async () => {
    const bytes = encode(long(GOOD));
    await read(bytes, TERMS, asker());
    expect(new TextDecoder().decode(bytes)).toBe(long(GOOD));
  });

  it('ends the reading for a disconnected client, and reads the next body', async () => {
    // A warm thread, so that the long body is read at once.
    await read(encode(long(GOOD)), TERMS, asker());
    const gone = new AbortController();
    const given = read(encode(LONG_LIST), TERMS, asker(gone.signal));
    const waiting = read(encode(long(GOOD)), TERMS, asker());
    setImmediate(() => gone.abort(new Error('the caller has gone')));
    await expect(given).rejects.toThrow('the caller has gone');
    await expect(waiting).resolves.toMatchObject({ ok: true });
  });

  it('does not start for a client that is disconnected already', async () => {
    const gone = AbortSignal.abort(new Error('the caller has gone'));
    await expect(read(encode(long(GOOD)), TERMS, asker(gone))).rejects.toThrow('the caller has gone');
  });
});

describe('A body beyond the memory of a reader', () => {
  it('is unreadable, and the server reads the next one', { tags: ['slow'] }, async () => {
    const read = openReader(64);
    expect(await read(encode(GREEDY_LIST), TERMS, asker())).toEqual({
      ok: false,
      unreadable: 'The body takes more than 64 MiB of memory to be read.',
    });
    expect(await read(encode(long(GOOD)), TERMS, asker())).toMatchObject({ ok: true });
  });
});
