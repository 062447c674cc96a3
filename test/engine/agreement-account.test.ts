/** Accounts of the engines against the plain rules, path by path, and against the isolated position. */
import { describe, expect, it } from 'vitest';
import { FundingPaths } from '#src/core/account/funding.js';
import { TOUCH_KEY, touchUniform } from '#src/core/account/touch.js';
import type { PathRecords } from '#src/core/engine.js';
import { type AccountProduct, equityAtStart } from '#src/core/plan/product/account.js';
import { settlementsPerStep } from '#src/core/plan/product/perpetual.js';
import { contractOf } from '#src/core/plan/products.js';
import { RecordSink } from '#src/core/plan/records.js';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { ExtraWords } from '#src/core/random/extra-words.js';
import { hourLaw } from '#src/core/reference/hour-law.js';
import { referenceModel } from '#src/core/reference/models.js';
import { runRange } from '#src/core/reference/products.js';
import { accountOnPath } from '#src/core/rules/account.js';
import { ACCOUNTS, type AccountName, accountPlan } from '../support/check-accounts.ts';

const NAMES = Object.keys(ACCOUNTS) as AccountName[];
const SEED = 11;

function traced(plan: SimulationPlan): PathRecords {
  const fields = contractOf(plan.product).recordFields(plan.product);
  const range = { first: 0, count: plan.paths };
  const records = new RecordSink(fields.length, range);
  runRange(plan, range, records);
  return Object.fromEntries(fields.map((field, i) => [field, records.columns[i]]));
}

/** The path of a plan by the plain rules. */
function plainPath(plan: SimulationPlan<AccountProduct>, path: number) {
  const { product, scenarios, seed } = plan;
  const { assets } = scenarios;
  const { steps } = product;
  const columns = Array.from({ length: assets }, () => new Float64Array(steps));
  referenceModel(plan).prices(plan, steps).simulate(path, columns);
  const law = hourLaw(scenarios, seed);
  law.start(path, columns);
  const funding = new FundingPaths(product, seed, assets);
  funding.start(path, (hours, z) => law.normals(hours, z));
  const words = new ExtraWords(seed, TOUCH_KEY);
  words.start(path);
  const shock = (a: number) => product.shock?.[a] ?? 1;
  return accountOnPath(product, {
    prices: Array.from({ length: steps + 1 }, (_, t) => [
      ...columns.map((column, a) => shock(a) * (t === 0 ? 1 : column[t - 1])),
      1,
    ]),
    uniform: Array.from({ length: steps }, (_, t) => touchUniform(words.word(t))),
    covariance(hour) {
      const deviations = law.deviations(Math.floor((hour - 1) / 24));
      return [...law.correlation].map(
        (rho, k) => rho * deviations[Math.floor(k / assets)] * deviations[k % assets],
      );
    },
    rates: funding.rates,
  });
}

/** Larger positions have events on most paths: `scale` times the check account. */
function crowded(
  name: AccountName,
  bridge: number,
  more: Partial<AccountProduct> = {},
): SimulationPlan<AccountProduct> {
  const plan = accountPlan(name, 40, SEED, bridge);
  const steps = Math.min(plan.product.steps, 96);
  // A fall at the start brings accounts near their line.
  const shock = Float64Array.from({ length: plan.scenarios.assets }, () => (name === 'A4' ? 1.2 : 0.91));
  return { ...plan, product: { ...plan.product, steps, shock, ...more } };
}

const VARIANTS: readonly (readonly [string, number, Partial<AccountProduct>])[] = [
  ['by the hour', 0, {}],
  ['with touches', 1, {}],
  ['with late prices', 0, { feedLagHours: 3 }],
  ['with debits of funding alone', 0, { debitsOnly: true }],
];

describe('An account on the reference is that of the plain rules, path by path', () => {
  it.each(
    NAMES.flatMap(name => VARIANTS.map(([words, bridge, more]) => [name, words, bridge, more] as const)),
  )('%s %s', (name, _, bridge, more) => {
    const plan = crowded(name, bridge, more);
    const records = traced(plan);
    // Sums in another order: a few units in the last place of each of hundreds of steps.
    const tolerance = 1e-9 * equityAtStart(plan.product);
    let events = 0;
    for (let path = 0; path < plan.paths; path++) {
      const plain = plainPath(plan, path);
      if (plain.closeHour >= 0) events++;
      for (const hour of ['callHour', 'closeHour', 'endHour'] as const)
        expect(records[hour][path]).toBe(plain[hour]);
      for (const amount of [
        'finalEquity',
        'accumulatedFunding',
        'maxEquityDrawdown',
        'fees',
        'takenOver',
        'deleveraged',
      ] as const)
        expect(Math.abs(records[amount][path] - plain[amount]), `${amount} of path ${path}`).toBeLessThan(
          tolerance,
        );
      expect(Math.abs(records.fundShortfall[path] - plain.shortfall)).toBeLessThan(tolerance);
      expect(records.medianLeverage[path]).toBeCloseTo(plain.medianLeverage, 8);
      plain.closed.forEach((share, i) => {
        expect(records[`closed.${i}`][path]).toBeCloseTo(share, 9);
      });
    }
    expect(events, 'paths with a forced close').toBeGreaterThan(0);
  });

  /** Rules that no check account has. */
  const RULES: readonly (readonly [string, Partial<AccountProduct['venue']>, Partial<AccountProduct>])[] = [
    [
      'turns, capped fee',
      {
        close: { rule: 'portion', portion: 0.1, above: 1_000, again: true },
        feeRate: 0.015,
        feeCap: 'bankruptcy',
        bankruptcy: 'share',
        unfilled: 'open',
      },
      {},
    ],
    [
      'tiers, rest to the fund',
      { close: { rule: 'tier', steps: 1 }, strict: false, rest: 'fund', reserveFee: true, feeRate: 0.0005 },
      {},
    ],
    ['the mark where nothing fills', { unfilled: 'mark' }, {}],
    ['costs of the fund', { costs: 'fund' }, {}],
    ['in the order sent', { close: { rule: 'one', order: 'listed' } }, {}],
  ];

  it.each(RULES)('A5 by %s, with little depth', (_, venue, more) => {
    const plan = crowded('A5', 1, more);
    const rows = plan.product.rows.map(row => ({ ...row, depth: 300_000 }));
    const product = { ...plan.product, rows, venue: { ...plan.product.venue, ...venue } };
    const own = { ...plan, product, paths: 20 };
    const records = traced(own);
    for (let path = 0; path < own.paths; path++) {
      const plain = plainPath(own, path);
      expect(records.closeHour[path]).toBe(plain.closeHour);
      expect(records.endHour[path]).toBe(plain.endHour);
      for (const [column, value] of [
        ['finalEquity', plain.finalEquity],
        ['fundShortfall', plain.shortfall],
        ['deleveraged', plain.deleveraged],
        ['takenOver', plain.takenOver],
        ['fees', plain.fees],
      ] as const)
        expect(Math.abs(records[column][path] - value), `${column} of path ${path}`).toBeLessThan(0.01);
    }
  });
});

describe('An account of one position is the isolated position', () => {
  const RATE = 0.005;
  it.each(['linear', 'inverse'] as const)('%s', contract => {
    const linear = contract === 'linear';
    const position: PerpetualProduct = {
      kind: 'perpetual',
      contract,
      quantity: linear ? 2 : -120_000,
      entryPrice: 59_000,
      startPrice: 60_000,
      initialMargin: linear ? 9_000 : 0.18,
      unrealizedPnl: linear ? 2_000 : -120_000 * (1 / 59_000 - 1 / 60_000),
      fundingRatePerInterval: 0.0003,
      settlements: settlementsPerStep(120, 8),
      debitsOnly: false,
      maintenanceMarginRate: RATE,
      takerFeeRate: 0.0005,
      marginCallMultiple: 1.25,
      steps: 120,
    };
    const own = accountPlan('A1', 400, SEED, 0);
    const scenarios = {
      kind: 'gbm',
      assets: 1,
      annualVolatility: Float64Array.of(0.6),
      factor: Float64Array.of(0.6),
    } as const;
    const product: AccountProduct = {
      ...own.product,
      venue: {
        ...own.product.venue,
        strict: false,
        close: { rule: 'all' },
        feeRate: 0.0005,
        reserveFee: true,
        backstop: 0,
      },
      currencies: [
        {
          asset: linear ? 1 : 0,
          price: linear ? 1 : 60_000,
          balance: position.initialMargin,
          haircut: 0,
          debtMarkup: 0,
        },
      ],
      rows: [
        {
          ...own.product.rows[0],
          asset: 0,
          currency: 0,
          inverse: !linear,
          quantity: position.quantity,
          entryPrice: position.entryPrice,
          tiers: [{ from: 0, rate: RATE, deduction: 0 }],
          fundingRate: position.fundingRatePerInterval,
          fundingIntervalHours: 8,
        },
      ],
      slippage: 0,
      steps: 120,
    };
    const account = traced({ ...own, scenarios, product });
    const isolated = traced({ ...own, scenarios, product: position });
    let liquidated = 0;
    for (let path = 0; path < own.paths; path++) {
      expect(account.flags[path] & 3).toBe(isolated.flags[path]);
      if (isolated.flags[path] & 2) liquidated++;
      expect(account.medianLeverage[path] / isolated.medianLeverage[path] - 1).toBeCloseTo(0, 11);
      if (!linear) continue;
      // Of margins of some thousands: 1e-12 of them.
      for (const column of ['finalEquity', 'accumulatedFunding', 'maxEquityDrawdown'] as const)
        expect(Math.abs(account[column][path] - isolated[column][path])).toBeLessThan(1e-12 * 60_000 * 2);
    }
    expect(liquidated).toBeGreaterThan(0);
  });
});
