/** The query of GET /prices. */
import { describe, expect, it } from 'vitest';
import { SYMBOL_BOUND } from '#src/question/request/fields.js';
import { checkPriceQuery } from '#src/server/answers/market-answers.js';
import { formatCalendarDate } from '#src/text/calendar-date.js';

const TODAY = 20_600;
const check = (query: string) =>
  checkPriceQuery(new URLSearchParams(query), TODAY, symbol => (symbol === 'XBT' ? 'BTC' : symbol));
function faultsOf(query: string) {
  const checked = check(query);
  return checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
}
const list = (count: number) => Array.from({ length: count }, (_, k) => `S${k}`);
/** Rows of assets under their own names. */
const rowsOf = (...assets: readonly string[]) => assets.map(asset => ({ symbol: asset, asset, rate: 1 }));
const dated = (day: number) => formatCalendarDate(day);

describe('The query of prices', () => {
  it('has each asset once, in the order of the query', () => {
    expect(check('symbols=eth, btc,XBT,sol')).toEqual({
      ok: true,
      value: { assets: rowsOf('ETH', 'BTC', 'SOL'), date: TODAY },
    });
    expect(check(`symbols=${list(32)}`)).toMatchObject({ ok: true, value: { assets: rowsOf(...list(32)) } });
  });

  it('is of a day up to today', () => {
    for (const day of [TODAY, TODAY - 1])
      expect(check(`symbols=BTC&date=${dated(day)}`)).toEqual({
        ok: true,
        value: { assets: rowsOf('BTC'), date: day },
      });
    for (const text of [dated(TODAY + 1), '02-30-2026', '2026-01-01', ''])
      expect(faultsOf(`symbols=BTC&date=${text}`)).toEqual([
        `query.date: date must be a day of the calendar, written MM-DD-YYYY, at most today, ${dated(TODAY)} in UTC; got ${JSON.stringify(text)}`,
      ]);
  });

  it('is refused with every fault', () => {
    expect(faultsOf('date=x&when=1&date=y')).toEqual([
      'query.when: query.when is an unknown parameter; known here are symbols, date',
      'query.date: date is given 2 times; once is allowed',
      'query.symbols: symbols is missing; it must be 1 to 32 symbols separated by commas',
      expect.stringMatching(/^query\.date: date must be .*; got "x"$/),
    ]);
    expect(faultsOf('symbols=BTC,,!')).toEqual(
      ['', '!'].map(text => `query.symbols: symbols must be ${SYMBOL_BOUND}; got ${JSON.stringify(text)}`),
    );
    expect(faultsOf('symbols=')).toHaveLength(1);
    expect(faultsOf(`symbols=${list(33).join(',!')}`)).toEqual([
      'query.symbols: symbols must be 1 to 32 symbols separated by commas; got 33 of them',
    ]);
  });
});
