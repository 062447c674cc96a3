/** The bound of the slopes of E - M, below which an hour is not looked into: it holds for every account, and is of the size of the slopes. */
import { describe, expect, it } from 'vitest';
import { AccountState } from '#src/core/account/account-state.js';
import { prepareAccount } from '#src/core/account/prepared-account.js';
import { tiersOf } from '#src/core/account/tiers.js';
import type { AccountProduct, AccountRow } from '#src/core/plan/product/account.js';
import { accountPlan, venue } from '../../support/check-accounts.ts';
import { Dice } from '../../support/random-plans.ts';

const ASSETS = 3;
const ROUNDING = 1 + 1e-12;

/** An account in USD; with `coins` also in two currencies that move, of credits and debts. */
function account(dice: Dice, coins: boolean): AccountProduct {
  const row = (): AccountRow => {
    const inverse = coins && dice.between(0, 1) < 0.4;
    const unit = inverse || dice.between(0, 1) < 0.3 ? 1 : 1000;
    const currency = inverse ? dice.whole(1, 2) : coins ? dice.whole(0, 2) : 0;
    return {
      ...{ asset: inverse ? currency - 1 : dice.whole(0, ASSETS - 1), currency, inverse },
      quantity: dice.pick([1, -1]) * dice.between(1, 500),
      ...{ entryPrice: dice.between(80, 120), markPrice: dice.between(95, 105), assetPrice: 100 },
      coin: unit === 1,
      tiers: tiersOf([
        { from: 0, rate: dice.between(0.004, 0.05) },
        { from: 20 * unit, rate: dice.between(0.05, 0.5) },
      ]),
      ...{ fundingRate: 0, fundingIntervalHours: 8 },
    };
  };
  const currency = (asset: number) => ({
    ...{ asset, price: asset === ASSETS ? 1 : 100, balance: dice.between(-200, 900) },
    ...{ haircut: dice.between(0, 0.2), debtMarkup: dice.between(0, 0.1) },
  });
  return {
    ...accountPlan('A1', 1, 1, 1).product,
    venue: venue({
      strict: false,
      close: { rule: 'all' },
      reserveFee: dice.pick([true, false]),
      feeRate: 0.0006,
    }),
    currencies: (coins ? [ASSETS, 0, 1] : [ASSETS]).map(currency),
    rows: Array.from({ length: dice.whole(1, 5) }, row),
  };
}

describe.each([
  ['in USD', false],
  ['in coins', true],
])('An account %s', (_, coins) => {
  it('has no more slopes than their bound', () => {
    const dice = new Dice(17);
    let closest = 0;
    for (let i = 0; i < 400; i++) {
      const state = new AccountState(prepareAccount(account(dice, coins), ASSETS));
      state.start();
      const prices = Float64Array.from({ length: ASSETS + 1 }, () => dice.between(0.4, 2));
      prices[ASSETS] = 1;
      state.open.forEach((_open, k) => {
        state.open[k] = dice.between(0, 1);
      });
      state.evaluate(prices);
      const slopes = new Float64Array(ASSETS + 1);
      state.slopesAt(prices, slopes);
      const sizes = slopes.subarray(0, ASSETS).reduce((sum, slope) => sum + Math.abs(slope), 0);
      expect(sizes, String(i)).toBeLessThanOrEqual(state.slopeBound * ROUNDING);
      closest = Math.max(closest, sizes / state.slopeBound);
    }
    expect(closest).toBeGreaterThan(0.6);
  });
});
