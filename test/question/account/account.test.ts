/** /cross_perp_risk on the sample market: every methodology, what its answer holds together, and every kind of fault with its member. */
import { beforeAll, describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { closingHour, type Series } from '#src/market/series.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import { ACCOUNT_QUESTION } from '#src/question/account/cross-perpetual.js';
import { memberOfSeries } from '#src/question/account/resolve.js';
import { readVenuesFile } from '#src/question/account/rules-schema.js';
import { VENUES } from '#src/question/account/venues/venues.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { dayOf, parseIsoDate } from '#src/text/calendar-date.js';
import { cashIsDollar } from '#src/text/symbols.js';
import { marketOfSeries } from '../../support/market-of-series.ts';
import { NOW, type Operations, openOperations } from '../../support/operations.ts';
import { withMember } from '../../support/request-bodies.ts';

const BODY = {
  type: 'GBM',
  params: {
    collateral: { BTC: 0.2, USD: 12_000 },
    positions: [
      {
        id: 'long',
        market: 'BTC',
        contract_type: 'linear',
        position_size: 3,
        entry_price: 60_000,
        funding_rate: 0.0001,
      },
      {
        market: 'ETH',
        contract_type: 'linear',
        position_size: -30,
        entry_price: 3_300,
        mark_price: 3_310,
        funding_rate: {
          process: 'rate',
          mean: 0.0001,
          deviation: 0.0001,
          half_life_hours: 72,
          correlation: 0.2,
        },
      },
    ],
    venue: 'binance',
    slippage: 0.001,
    prices: { BTC: 60_000, ETH: 3_300 },
    analysis_date: '06-30-2024',
    model_lookback: 60,
    horizon_hours: 72,
    mc_iter: 400,
  },
};
type Sent = Record<string, unknown>;

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});
const ask = (body: object, overrides: object = {}) => operations.answer(ACCOUNT_QUESTION, body, overrides);

interface Results {
  readonly PrForcedClose: number;
  readonly Loss: Record<
    string,
    {
      readonly CVar: number;
      readonly Contributions: {
        readonly Positions: Record<string, number>;
        readonly Collateral: Record<string, number>;
        readonly Fund: number;
      };
    }
  >;
}
const resultsOf = (answer: { readonly result: object }) => answer.result as Results;

describe('/cross_perp_risk', () => {
  const all = new Set(['accuracy', 'distribution', 'model', 'warnings'] as const);

  it.each(methodologiesOf('account').map(each => each.name))('is answered under %s', async type => {
    const { mc_iter, ...rest } = BODY.params;
    const params = {
      ...rest,
      ...(type === 'HISTORICAL' ? {} : { mc_iter }),
      ...(type === 'FHS_EVT' ? { model_lookback: 300 } : {}),
    };
    const answer = await ask({ type, params }, { query: { ...DEFAULT_QUERY, include: all } });
    const { Loss } = resultsOf(answer);
    for (const { CVar, Contributions } of Object.values(Loss)) {
      const { Positions, Collateral, Fund } = Contributions;
      expect(new Set(Object.keys(Positions))).toEqual(new Set(['long', '2']));
      expect(Object.keys(Collateral)).toEqual(['BTC', 'USD']);
      const parts = [...Object.values(Positions), ...Object.values(Collateral), Fund];
      // Amounts of some ten thousand USD.
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(CVar, 6);
    }
  });

  it('has the same answer for the rules that it shows, to the digit', async () => {
    const answer = await ask(BODY);
    const { venue: _, ...params } = BODY.params;
    const again = await ask({ ...BODY, params: { ...params, rules: answer.arguments.rules } });
    expect(again.result).toEqual(answer.result);
  });

  it('refuses an account that is liquidatable at the start with the USD that are missing', async () => {
    const poor = withMember(BODY, 'params.collateral', { USD: 1_000 });
    const error = await ask(poor).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RiskError);
    const [{ path, message }] = (error as RiskError).faults;
    expect(path).toBe('params.collateral');
    expect(message).toMatch(/liquidatable\. Its equity with haircuts is 700 USD .* are missing/);
  });
});

/** The faults of a body on the sample market's day. */
function faultsOf(
  body: unknown,
): readonly { readonly path: string; readonly message: string; readonly code: string }[] {
  const { resolve } = ACCOUNT_QUESTION.read(body, { today: dayOf(NOW), resolve: cashIsDollar });
  const checked = resolve(new Map());
  return checked.ok ? [] : checked.faults;
}

describe('A request with one fault', () => {
  const TIERS = [
    { from: 0, rate: 0.01 },
    { from: 1_000, rate: 0.02 },
  ];
  const RULES = { strict: true, close: { rule: 'all' } };
  const row = 'params.positions.1';

  it('has none as it stands', () => {
    expect(faultsOf(BODY)).toEqual([]);
  });

  it.each<readonly [member: string, value: unknown, at: string, words: RegExp]>([
    [
      'params.venue',
      'mtgox',
      'params.venue',
      new RegExp(`one of ${[...VENUES.keys()].join(', ')}; got "mtgox"`),
    ],
    ['params.venue', undefined, 'params.venue', /rules in its place/],
    ['params.rules', RULES, 'params.venue', /not both/],
    ['params.horizon_hours', 0, 'params.horizon_hours', /1 to 87600/],
    ['params.collateral', { USD: 0 }, 'params.collateral.USD', /other than 0/],
    ['params.collateral', { USD: -1 }, 'params.collateral', /more than 0 USD/],
    ['params.haircuts', { SOL: 0.1 }, 'params.haircuts.SOL', /neither collateral nor settlement/],
    ['params.haircuts', { BTC: 1.1 }, 'params.haircuts.BTC', /from 0 to 1/],
    ['params.prices', { BTC: 60_000, ETH: 3_300, USD: 1 }, 'params.prices.USD', /absent/],
    ['params.prices', { BTC: 60_000, ETH: 3_300, SOL: 1 }, 'params.prices.SOL', /nothing in SOL/],
    ['params.prices', { BTC: 60_000 }, 'params.prices.ETH', /must be sent/],
    ['params.price_shock', { SOL: -0.1 }, 'params.price_shock', /assets of the request/],
    ['params.feed_lag_hours', 7, 'params.feed_lag_hours', /0 to 6/],
    ['params.margin_call_ratio', 0.05, 'params.margin_call_ratio', /0.1 to 1/],
    ['params.slippage_growth', 1, `params.positions.0.hourly_volume`, /slippage grows/],
    [`${row}.id`, 'long', `${row}.id`, /different from the id of position 0/],
    [`${row}.market`, 'USD', `${row}.market`, /other than USD/],
    [`${row}.market`, 'PEPE', `${row}.market`, /linear tiers in binance \(ADA, AVAX/],
    [`${row}.contract_type`, 'quanto', `${row}.contract_type`, /one of linear, inverse/],
    [`${row}.settle`, 'BTC', `${row}.settle`, /USD, USDC, USDT or DAI/],
    [`${row}.contract_value_usd`, 100, `${row}.contract_value_usd`, /absent for a linear/],
    [`${row}.position_size`, 0, `${row}.position_size`, /other than 0/],
    [`${row}.funding_rate`, undefined, `${row}.funding_rate`, /process/],
    [`${row}.funding_rate.mean`, 2, `${row}.funding_rate.mean`, /0.999999/],
    [`${row}.funding_rate.half_life_hours`, 0, `${row}.funding_rate.half_life_hours`, /1 to 8760/],
    [`${row}.funding_interval_hour`, 1.5, `${row}.funding_interval_hour`, /whole number of hours/],
    [`${row}.depth`, -1, `${row}.depth`, /from 0/],
    [`${row}.leverage`, 3, `${row}.leverage`, /unknown member/],
    [
      `${row}.tiers`,
      { tiers: [{ from: 1, rate: 0.01 }] },
      `${row}.tiers.tiers.0.from`,
      /0 in the first tier/,
    ],
    [
      `${row}.tiers`,
      { tiers: [TIERS[0], { from: 0, rate: 0.02 }] },
      `${row}.tiers.tiers.1.from`,
      /above that of the tier before/,
    ],
    [
      `${row}.tiers`,
      { tiers: [TIERS[0], { from: 9, rate: 0.01 }] },
      `${row}.tiers.tiers.1.rate`,
      /above that of the tier before/,
    ],
    [`${row}.tiers`, { tiers: TIERS, deductions: [0, 11] }, `${row}.tiers.deductions.1`, /10, which makes/],
    [`${row}.tiers`, { tiers: TIERS, deductions: [0] }, `${row}.tiers.deductions`, /one a tier/],
  ])('at %s, %j, names it', (member, value, at, words) => {
    const faults = faultsOf(withMember(structuredClone(BODY), member, value));
    expect(faults.map(({ path }) => path)).toContain(at);
    expect(faults.find(({ path }) => path === at)?.message).toMatch(words);
  });

  it.each<readonly [close: object, at: string]>([
    [{ rule: 'half' }, 'rule'],
    [{ rule: 'share', share: 0.2 }, 'target'],
    [{ rule: 'enough' }, 'buffer'],
    [{ rule: 'one' }, 'order'],
    [{ rule: 'portion', portion: 0.2 }, 'above'],
    [{ rule: 'all', steps: 1 }, 'steps'],
    [{ rule: 'tier', steps: 16 }, 'steps'],
  ])('in the closing rule %j names it', (close, at) => {
    const { venue: _, ...params } = BODY.params;
    const faults = faultsOf({ ...BODY, params: { ...params, rules: { ...RULES, close } } });
    expect(faults.map(({ path }) => path)).toContain(`params.rules.close.${at}`);
  });

  it('and another one names both', () => {
    const two = withMember(withMember(BODY, 'params.venue', 'mtgox'), 'params.positions.0.settle', 'SOL');
    expect(faultsOf(two).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['params.venue', 'params.positions.0.settle']),
    );
  });

  it('of two processes for one contract names the second', () => {
    const other = { ...BODY.params.positions[1], funding_rate: 0.0002 };
    const body = withMember(BODY, 'params.positions', [...BODY.params.positions, other]) as Sent;
    expect(faultsOf(body)).toEqual([expect.objectContaining({ path: 'params.positions.2.funding_rate' })]);
  });
});

describe('A market without hours', () => {
  const LAST_DAY = parseIsoDate('2024-06-30') as number;
  const DAYS = 5;
  const daily = (price: number): Series => ({
    first: LAST_DAY - 20,
    values: Float64Array.from({ length: 21 }, (_, i) => price * (1 + 0.01 * (i % 3))),
  });
  /** Hours of the window, NaN for `gap` of them. */
  const hourly = (price: number, gap: number): Series => ({
    first: closingHour(LAST_DAY) - 24 * DAYS,
    values: Float64Array.from({ length: 24 * DAYS + 1 }, (_, i) => price + (i % 3)).fill(
      Number.NaN,
      50,
      50 + gap,
    ),
  });
  const market = (gap: number) =>
    marketOfSeries({
      sample: true,
      daily: { BTC: daily(60_000), ETH: daily(3_300) },
      hourly: { BTC: hourly(60_000, 0), ...(gap < 100 && { ETH: hourly(3_300, gap) }) },
    });
  const body = (type: string) =>
    withMember(
      withMember(
        withMember({ ...structuredClone(BODY), type }, 'params.model_lookback', DAYS),
        'params.horizon_hours',
        24,
      ),
      'params.positions.1.funding_rate',
      0.0001,
    ) as Sent;
  const refusal = async (asked: Promise<unknown>) => {
    const error = await asked.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RiskError);
    return (error as RiskError).faults;
  };

  it('is refused by its position where some hours are there', async () => {
    const [{ path, message }] = await refusal(ask(body('GBM'), { market: market(7) }));
    expect(path).toBe('ETH');
    expect(message).toContain('(7 hours)');
    const resolved = ACCOUNT_QUESTION.read(body('GBM'), { today: dayOf(NOW), resolve: cashIsDollar }).resolve(
      new Map(),
    );
    expect(resolved.ok && memberOfSeries(resolved.value, path)).toBe('params.positions.1.market');
  });

  it('has days for all assets where it has none', async () => {
    const answer = await ask(body('GBM'), { market: market(100) });
    expect(answer.basis.gridHours).toBe(24);
  });

  it('is refused under HISTORICAL, which has no paths without hours', async () => {
    const faults = await refusal(ask(body('HISTORICAL'), { market: market(100) }));
    expect(faults.map(({ path }) => path)).toContain('ETH');
  });
});

describe('A file of venues', () => {
  it('replaces members of a venue, and adds one', () => {
    const own = {
      strict: false,
      close: { rule: 'all' },
      tiers: { BTC: { linear: { tiers: [{ from: 0, rate: 0.03 }] } } },
    };
    const checked = readVenuesFile({ venues: { binance: { fee_rate: 0.02 }, house: own } });
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    expect(checked.value.get('binance')).toEqual({ ...VENUES.get('binance'), fee_rate: 0.02 });
    expect(checked.value.get('house')).toMatchObject({ name: 'house', ...own });
    expect(checked.value.size).toBe(VENUES.size + 1);
  });

  it('is refused with the member of the venue', () => {
    const checked = readVenuesFile({ venues: { house: { strict: true } } });
    expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual(['venues.house.close']);
  });

  it.each([...VENUES.values()])(
    'is not needed for $name, whose tables are as a request takes them',
    ({ name }) => {
      expect(readVenuesFile({ venues: { [name]: {} } }).ok).toBe(true);
    },
  );
});
