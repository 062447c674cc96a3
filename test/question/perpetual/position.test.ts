/** The position of a request: quantities, the mark price at the start, refusals with their figures. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import {
  atMark,
  notionalAt,
  openPosition,
  profitAt,
  shockedStart,
  startNotionalUsd,
} from '#src/question/perpetual/position.js';
import { dayOf } from '#src/text/calendar-date.js';
import { parseRequest } from '../../support/request-bodies.ts';

const TODAY = dayOf(new Date('2026-03-01T00:00:00Z'));
const RATE = 0.005;
/** Last close of the window. */
const CLOSE = 40_000;

const LINEAR = {
  model: 'GBM',
  market: 'BTC',
  model_lookback: 30,
  trade_duration_hours: 24,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 50_000,
  initial_margin: 10_000,
  position_size: 4,
  contract_size: 0.5,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
};
const { contract_size: _, ...withoutSize } = LINEAR;
const INVERSE = {
  ...withoutSize,
  contract_type: 'inverse',
  contract_value_usd: 100,
  position_size: 600,
  initial_margin: 0.12,
};

function open(body: object, rate = RATE) {
  return openPosition(atMark(parseRequest(PERPETUAL_QUESTION, TODAY, body).terms, CLOSE), rate);
}

/** The one fault of a refusal. */
function refusal(body: object, rate = RATE): { path: string; message: string } {
  try {
    open(body, rate);
  } catch (error) {
    if (error instanceof RiskError && error.reason === 'invalid-request' && error.faults.length === 1) {
      return error.faults[0];
    }
    throw error;
  }
  throw new Error(`not refused: ${JSON.stringify(body)}`);
}

describe('The mark of the start', () => {
  const pnlOf = (body: object) => atMark(parseRequest(PERPETUAL_QUESTION, TODAY, body).terms, CLOSE);

  it('is the price sent, the last close, the price of the profit sent, or the entry price', () => {
    // Two units long.
    const { unrealized_pnl: none } = pnlOf(LINEAR);
    expect(none).toBe(0);
    expect(pnlOf({ ...LINEAR, mark_price: 51_000 }).unrealized_pnl).toBe(2000);
    expect(pnlOf({ ...LINEAR, mark_price: 'close' }).unrealized_pnl).toBe(-20_000);
    expect(pnlOf({ ...LINEAR, unrealized_pnl: 700 }).unrealized_pnl).toBe(700);
    expect(open({ ...LINEAR, mark_price: 51_000 }).startPrice).toBeCloseTo(51_000, 9);
    expect(open({ ...INVERSE, mark_price: 52_000 }).startPrice).toBeCloseTo(52_000, 9);
    expect(pnlOf({ ...INVERSE, mark_price: 52_000 }).unrealized_pnl).toBeCloseTo(
      60_000 * (1 / 50_000 - 1 / 52_000),
      12,
    );
  });

  it('is refused beside a profit that contradicts it, beyond the rounding of both', () => {
    // A ten-thousandth of a notional of 102,000 is 10.2.
    expect(pnlOf({ ...LINEAR, mark_price: 51_000, unrealized_pnl: 2010 }).unrealized_pnl).toBe(2000);
    const { path, message } = refusal({ ...LINEAR, mark_price: 51_000, unrealized_pnl: 2011 });
    expect(path).toBe('mark_price');
    expect(message).toBe(
      'mark_price is 51000 and gives a profit of 2000; unrealized_pnl is 2011: send one of them.',
    );
    expect(refusal({ ...LINEAR, mark_price: 'close', unrealized_pnl: 0 }).message).toContain(
      'the last close,',
    );
  });
});

describe('openPosition', () => {
  it('opens at a price of 1e-12 as at any other: units and price cancel', () => {
    for (const [entry_price, contract_size] of [
      [2.1e-7, 1e7],
      [1e-12, 1e12],
    ]) {
      const own = { ...LINEAR, market: 'PEPE', entry_price, contract_size, position_size: 100 };
      const margin = 0.1 * 100 * contract_size * entry_price;
      const { quantity, startPrice, entryPrice } = open({ ...own, initial_margin: margin });
      expect([entryPrice, startPrice]).toEqual([entry_price, entry_price]);
      expect(quantity * startPrice).toBeCloseTo(100 * contract_size * entry_price, 9);
    }
    expect(() => open({ ...LINEAR, entry_price: 9.9e-13 })).toThrow();
  });

  it('multiplies contracts by their size in asset units for linear and in USD for inverse contracts', () => {
    expect(open(LINEAR)).toEqual({
      contract: 'linear',
      quantity: 2,
      entryPrice: 50_000,
      startPrice: 50_000,
      maintenanceMarginRate: RATE,
      takerFeeRate: 0,
    });
    expect(open({ ...INVERSE, position_size: -600 })).toMatchObject({
      contract: 'inverse',
      quantity: -60_000,
    });
  });

  it('starts at the mark price of the unrealised PnL', () => {
    // 2 BTC that have earned 1,000 USD are marked 500 higher; short ones 500 lower.
    expect(open({ ...LINEAR, unrealized_pnl: 1000 }).startPrice).toBe(50_500);
    expect(open({ ...LINEAR, position_size: -4, unrealized_pnl: 1000 }).startPrice).toBe(49_500);
    // 60,000 USD bought at 50,000 are 1.2 BTC; a profit of 0.2 BTC leaves 1.0: marked at 60,000. Short: 1.4 BTC.
    expect(open({ ...INVERSE, unrealized_pnl: 0.2 }).startPrice).toBeCloseTo(60_000, 8);
    const short = { ...INVERSE, position_size: -600, unrealized_pnl: 0.2 };
    expect(open(short).startPrice).toBeCloseTo(60_000 / 1.4, 8);
  });

  it('starts at exactly the entry price without PnL, also for inverse positions', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.boolean(), (entry, linear) => {
        const body = linear ? LINEAR : INVERSE;
        const position = open({ ...body, entry_price: entry, initial_margin: 1e15 });
        expect(position.startPrice).toBe(entry);
      }),
    );
  });

  it('starts at a mark with the given PnL, for any position', () => {
    const cases = fc.record({
      linear: fc.boolean(),
      long: fc.boolean(),
      entry: fc.double({ min: 0.001, max: 1e5, noNaN: true }),
      notional: fc.double({ min: 1, max: 1e8, noNaN: true }),
      share: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ linear, long, entry, notional, share }) => {
        const value = linear ? notional : notional / entry;
        const position = open({
          ...(linear ? LINEAR : INVERSE),
          entry_price: entry,
          position_size: (long ? 1 : -1) * (linear ? notional / entry : notional),
          ...(linear ? { contract_size: 1 } : { contract_value_usd: 1 }),
          initial_margin: value,
          unrealized_pnl: share * value,
        });
        const { quantity, startPrice } = position;
        const pnl = linear ? quantity * (startPrice - entry) : quantity * (1 / entry - 1 / startPrice);
        expect(Math.abs(pnl - share * value)).toBeLessThan(1e-12 * value);
      }),
    );
  });

  it('refuses an unrealised PnL without a positive mark price, with the figures', () => {
    // 2 BTC bought at 50,000 cannot have lost 100,000; 1.2 BTC worth of contracts cannot have earned 1.2.
    for (const [body, mark] of [
      [{ ...LINEAR, initial_margin: 1e6, unrealized_pnl: -100_000 }, 0],
      [{ ...LINEAR, position_size: -4, unrealized_pnl: 150_000 }, -25_000],
      [{ ...INVERSE, unrealized_pnl: 2.4 }, -50_000],
    ] as const) {
      const { path, message } = refusal(body);
      expect(path).toBe('unrealized_pnl');
      expect(message).toContain(`is ${body.unrealized_pnl}, but no positive mark price gives it`);
      expect(message).toContain('with entry_price 50000');
      expect(Number(/would be (-?[\d.]+)\.$/.exec(message)?.[1]), message).toBeCloseTo(mark, 6);
    }
    // An inverse long that has earned all its value is marked at infinity.
    const entire = { ...INVERSE, entry_price: 65_536, contract_value_usd: 65_536, position_size: 1 };
    expect(refusal({ ...entire, unrealized_pnl: 1 }).message).toContain('the mark would be Infinity');
  });

  it('refuses a position that is liquidated at its mark, with the required margin', () => {
    // 2 BTC at 50,000: notional 100,000, maintenance 500.
    const { path, message } = refusal({ ...LINEAR, initial_margin: 500 });
    expect(path).toBe('initial_margin');
    expect(message).toBe(
      'initial_margin is 500, but the position is already liquidated: at the mark price 50000 its equity is 500 and ' +
        'the maintenance margin 500 (rate 0.005 of a notional of 100000); initial_margin must be above 500.',
    );
    expect(open({ ...LINEAR, initial_margin: 500.01 }).startPrice).toBe(50_000);
    // A loss of 1,000 USD: marked at 49,500, maintenance 495, so more than 1,495 is needed.
    expect(refusal({ ...LINEAR, initial_margin: 1495, unrealized_pnl: -1000 }).message).toContain(
      'initial_margin must be above 1495.',
    );
    expect(open({ ...LINEAR, initial_margin: 1495.01, unrealized_pnl: -1000 }).startPrice).toBe(49_500);
    // 1.2 BTC of notional, maintenance 0.006 BTC.
    expect(refusal({ ...INVERSE, initial_margin: 0.0059 }).message).toContain(
      'rate 0.005 of a notional of 1.2',
    );
    expect(open({ ...INVERSE, initial_margin: 0.0061 }).startPrice).toBe(50_000);
  });

  it('requires the taker fee beside the maintenance margin', () => {
    const withFee = { ...LINEAR, taker_fee_rate: 0.001 };
    expect(refusal({ ...withFee, initial_margin: 300 }).message).toContain(
      '(rate 0.005 and taker fee 0.001 of a notional of 100000); initial_margin must be above 600.',
    );
    expect(open({ ...withFee, initial_margin: 600.01 }).takerFeeRate).toBe(0.001);
    expect(open({ ...LINEAR, initial_margin: 600 }).takerFeeRate).toBe(0);
  });

  it('uses the maintenance rate of the market', () => {
    expect(open({ ...LINEAR, initial_margin: 900 }, 0.004).maintenanceMarginRate).toBe(0.004);
    expect(refusal({ ...LINEAR, initial_margin: 900 }, 0.01).message).toContain('rate 0.01 of');
  });
});

describe('The notional and the profit of a position', () => {
  const notional = (body: object) =>
    startNotionalUsd(atMark(parseRequest(PERPETUAL_QUESTION, TODAY, body).terms, CLOSE));

  it('at the start are in USD, at the mark of its PnL', () => {
    // 2 BTC at 50,000; marked at 50,500 long and at 49,500 short.
    expect(notional(LINEAR)).toBe(100_000);
    expect(notional({ ...LINEAR, unrealized_pnl: 1000 })).toBe(101_000);
    expect(notional({ ...LINEAR, position_size: -4, unrealized_pnl: 1000 })).toBe(99_000);
    // Contracts in USD have their number whatever the price.
    expect(notional({ ...INVERSE, unrealized_pnl: 0.05 })).toBe(60_000);
    expect(notional({ ...INVERSE, position_size: -600 })).toBe(60_000);
  });

  it('at a price are in margin currency', () => {
    const linear = { contract: 'linear', quantity: -2, entryPrice: 50_000 } as const;
    const inverse = { contract: 'inverse', quantity: 60_000, entryPrice: 50_000 } as const;
    expect(notionalAt(linear, 40_000)).toBe(80_000);
    expect(notionalAt(inverse, 40_000)).toBe(1.5);
    expect(profitAt(linear, 40_000)).toBe(20_000);
    expect(profitAt(inverse, 40_000)).toBeCloseTo(1.2 - 1.5, 12);
  });

  it('after a shock are those of the price times its factor, and the equity is that before it', () => {
    const position = open({ ...LINEAR, unrealized_pnl: 1000 });
    expect(shockedStart(position, { initial_margin: 10_000, unrealized_pnl: 1000 }, 0.9)).toEqual({
      startPrice: 45_450,
      unrealizedPnl: 2 * (45_450 - 50_000),
      equityBefore: 11_000,
    });
  });
});
