/** A tape at the closes of a market: what is valued, on which day, and what is left out. */
import { describe, expect, it } from 'vitest';
import { type TapeMarket, type ValuationTerms, valueTape } from '#src/desk/value-tape.js';
import { remedy } from '#src/tape/remedies.js';
import { textTable } from '#src/tape/tables.js';
import type { TapeFault } from '#src/tape/tape.js';
import { parseIsoDate } from '#src/text/calendar-date.js';

const HEADER =
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours,maturity';
const TERMS = '0.75,0.85,24,2026-03-01';
const NOW = new Date('2026-01-10T12:00:00Z');
const day = (text: string) => parseIsoDate(text) as number;

function market() {
  const asked: (readonly [assets: readonly string[], day: number])[] = [];
  const prices = new Map([
    ['BTC', 50_000],
    ['ETH', 2_500],
    ['USD', 1],
  ]);
  const value: TapeMarket = {
    resolve: symbol => (symbol === 'XBT' ? 'BTC' : symbol),
    isDollar: symbol => symbol === 'USD',
    lastDays: async () =>
      new Map([
        ['BTC', '2026-01-08'],
        ['ETH', '2026-01-05'],
      ]),
    closes: async (assets, of) => {
      asked.push([assets, of]);
      return { prices, carried: ['ETH'] };
    },
  };
  return { asked, value, prices };
}

async function valued(
  rows: readonly string[],
  terms: Partial<ValuationTerms> = {},
  found: readonly TapeFault[] = [],
) {
  const { asked, value, prices } = market();
  const table = textTable([HEADER, ...rows, ''].join('\n'));
  const checked: unknown[] = [];
  const tape = await valueTape(table, { horizonDays: 30, ...terms }, value, NOW, async ({ loans }) => {
    checked.push(loans.map(({ id }) => id));
    return found;
  });
  return { asked, prices, checked, tape };
}

const BTC = `a,XBT,1,USD,30000,${TERMS}`;
const ETH = `b,ETH,10,USD,10000,${TERMS}`;

describe('A tape at the closes of a market', () => {
  it('ends on the last day with a close of every asset of it', async () => {
    expect((await valued([BTC, ETH])).asked).toEqual([[['BTC', 'ETH', 'USD'], day('2026-01-05')]]);
    expect((await valued([BTC, ETH])).tape.behind).toEqual({ Days: 4, Assets: ['ETH'] });
    expect((await valued([BTC])).tape.behind).toEqual({ Days: 1, Assets: ['BTC'] });
    expect((await valued([BTC])).asked).toEqual([[['BTC', 'USD'], day('2026-01-08')]]);
    const { asked, tape } = await valued([BTC, ETH], { asOf: day('2025-12-31') });
    expect(asked[0][1]).toBe(day('2025-12-31'));
    expect([tape.asOf, tape.carried, tape.behind]).toEqual([day('2025-12-31'), ['ETH'], null]);
  });

  it('ends at most with yesterday, and asks for no closes of no loans', async () => {
    const { asked, tape } = await valued([BTC.replace('XBT', 'USD')]);
    expect(asked).toEqual([[['USD'], day('2026-01-09')]]);
    expect([tape.asOf, tape.behind]).toEqual([day('2026-01-09'), null]);
    const empty = await valued([]);
    expect(empty.asked).toEqual([]);
    expect(empty.tape).toMatchObject({ loans: [], rows: [], tableRows: 0, carried: [] });
  });

  it('does not wait for an asset whose data ended long ago, and leaves out loans without the window of a run', async () => {
    const { value, asked } = market();
    const lastDays = async () =>
      new Map([
        ['BTC', '2026-01-08'],
        ['ETH', '2026-01-05'],
        ['OLD', '2025-11-30'],
        ['YOUNG', '2026-01-08'],
      ]);
    const days: number[] = [];
    const lacking = async (assets: readonly string[], of: number) => {
      days.push(of);
      return new Map(
        ['OLD', 'YOUNG']
          .filter(name => assets.includes(name))
          .map(name => [name, { message: `${name} is missing`, young: name === 'YOUNG' }]),
      );
    };
    const loan = (id: string, asset: string) => `${id},${asset},10,USD,10000,${TERMS}`;
    const table = textTable([HEADER, BTC, ETH, loan('c', 'OLD'), loan('d', 'YOUNG'), ''].join('\n'));
    const options = { horizonDays: 30 };
    const tape = await valueTape(table, options, { ...value, lastDays, lacking }, NOW, async () => []);
    // Two of four loans end with or before ETH: the book does not wait for OLD.
    expect(days).toEqual([day('2026-01-05')]);
    expect(asked).toEqual([[['BTC', 'ETH', 'USD'], day('2026-01-05')]]);
    expect(tape.loans.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(tape.leftOut).toEqual({ usd: 20_000, unknown: 0 });
    expect(tape.faults).toMatchObject([
      {
        id: 'c',
        line: 4,
        column: 'collateral_asset',
        message: 'OLD is missing',
        remedy: remedy('importHistory', 'OLD'),
      },
      {
        id: 'd',
        line: 5,
        column: 'collateral_asset',
        message: 'YOUNG is missing',
        remedy: remedy('joinHistory', 'YOUNG'),
      },
    ]);
  });

  it('has notes on the loans that are computed only', async () => {
    const open = (id: string) => `${id},ETH,10,USD,10000,0.75,0.85,24,`;
    const { tape } = await valued([open('a'), open('b'), BTC.replace('a,', 'c,')], {}, [
      { code: 'malformed', line: 2, id: 'a', message: 'no', remedy: 'Correct it.' },
      { code: 'malformed', line: 4, id: 'c', message: 'no', remedy: 'Correct it.' },
    ]);
    expect(tape.loans.map(({ id }) => id)).toEqual(['b']);
    expect([...tape.notes]).toEqual([
      ['no-maturity', ['b']],
      ['no-recovery', ['b']],
      ['no-answer', ['b']],
    ]);
  });

  it('follows its loans from the end of that day', async () => {
    const { tape, prices } = await valued([ETH], { horizonDays: 365 });
    // From the end of January 5 to that of March 1.
    expect(tape.rows).toMatchObject([{ id: 'b', loan_duration: 55 }]);
    expect(tape.prices).toBe(prices);
    expect((await valued([ETH])).tape.rows).toMatchObject([{ loan_duration: 30 }]);
    const late = (await valued([ETH], { asOf: day('2026-03-01') })).tape;
    expect([late.faults, late.rows]).toMatchObject([[], [{ id: 'b', loan_duration: 1 }]]);
    expect(late.notes.get('overdue')).toEqual(['b']);
  });

  it('says what the loans owe that it leaves out, and which of them do not say it', async () => {
    const { tape } = await valued(
      [
        BTC,
        `f,BTC,x,USD,7000,${TERMS}`,
        `g,BTC,x,EUR,7000,${TERMS}`,
        `h,WXYZ,1,USDC,500,${TERMS}`,
        `i,BTC,1,USD,900000,${TERMS}`,
        `j,BTC,1,USD,,${TERMS}`,
      ],
      {},
      [{ code: 'malformed', line: 2, id: 'a', message: 'no', remedy: 'Correct it.' }],
    );
    expect(tape.loans).toEqual([]);
    expect(tape.leftOut).toEqual({ usd: 7000 + 500 + 900_000 + 30_000, unknown: 2 });
  });

  it('asks about a loan that looks wrong, and takes it where the caller accepts it', async () => {
    const rows = [BTC, `i,BTC,1,USD,900000,${TERMS}`];
    const { tape } = await valued(rows);
    expect([tape.loans.map(({ id }) => id), tape.faults]).toMatchObject([
      ['a'],
      [{ id: 'i', column: 'loan_amount' }],
    ]);
    const accepted = (await valued(rows, { accept: ['i'] })).tape;
    expect([accepted.loans.map(({ id }) => id), accepted.faults]).toEqual([['a', 'i'], []]);
  });

  it('takes a call of this morning, after the end of the data, and refuses one of tomorrow', async () => {
    const rows = ['2026-01-10T08:00Z', '2026-01-11T08:00Z'].map(
      (call, k) => `l${k},BTC,1,USD,40000,${TERMS},${call}`,
    );
    const { value } = market();
    const table = textTable([`${HEADER},called_at`, ...rows, ''].join('\n'));
    const tape = await valueTape(table, { horizonDays: 30 }, value, NOW, async () => []);
    expect(tape.rows).toMatchObject([{ id: 'l0', called_hours_ago: 0 }]);
    expect(tape.notes.get('call-after-data')).toEqual(['l0']);
    expect(tape.faults.map(({ id, column }) => [id, column])).toEqual([['l1', 'called_at']]);
  });

  it('has remarks on the loans that it values, not on those that it leaves out', async () => {
    const rows = ['a,BTC,1,USD,40000', 'A,BTC,2,USD,40000', 'B,BTC,9,USD,40000'].map(
      (row, k) => `${row},${TERMS},${['Ann', 'ANN', 'ann'][k]},50000`,
    );
    const { value } = market();
    const table = textTable([`${HEADER},borrower,collateral_value`, ...rows, ''].join('\n'));
    const left = { code: 'malformed' as const, id: 'B', message: 'wrong', remedy: 'none' };
    const { remarks } = await valueTape(table, { horizonDays: 30 }, value, NOW, async () => [left]);
    expect(remarks).toEqual([
      'Ids of loans that differ only in case or white space are different loans: "a" and "A".',
      'Names of borrowers that differ only in case or white space are different borrowers: "Ann" and "ANN" (80,000 USD together).',
      'In 1 row collateral_amount times the close differs from collateral_value by more than 10 %; the amount is used: A (2 BTC are 100,000 USD, the tape has 50,000).',
    ]);
  });

  it('leaves out loans of unknown assets, each asset once, and does not check them', async () => {
    const { tape, checked } = await valued([`c,WXYZ,1,WXYZ,1,${TERMS}`, BTC, `d,BTC,1,ZZZ,1,${TERMS}`]);
    expect(tape.loans.map(({ id }) => id)).toEqual(['a']);
    expect(checked).toEqual([['a']]);
    expect(tape.faults.map(({ line, id, column, message }) => [line, id, column, message])).toEqual([
      [2, 'c', 'loan_asset', 'the market store has no price of WXYZ'],
      [4, 'd', 'loan_asset', 'the market store has no price of ZZZ'],
    ]);
  });

  it('leaves out loans whose rows have faults, and lists all faults by their lines', async () => {
    const fault = (id: string | undefined, line: number | undefined): TapeFault => ({
      code: 'malformed',
      ...(id !== undefined && { id }),
      ...(line !== undefined && { line }),
      message: 'wrong',
      remedy: 'none',
    });
    const { tape } = await valued([BTC, `c,BTC,x,USD,1,${TERMS}`, ETH, `d,ETH,1,USD,1,${TERMS}`], {}, [
      fault('d', 5),
      fault(undefined, undefined),
      fault('a', 2),
    ]);
    expect(tape.loans.map(({ id }) => id)).toEqual(['b']);
    expect(tape.rows.map(({ id }) => id)).toEqual(['b']);
    expect(tape.faults.map(({ line }) => line)).toEqual([undefined, 2, 3, 5]);
    expect(tape.tableRows).toBe(4);
  });
});
