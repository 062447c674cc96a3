/** Amounts of assets in the place of weights, N and loan_value: the same answers to the digit, and refusals that say the way out. */
import { describe, expect, it } from 'vitest';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService({});

const COLLATERAL = { btc: 5, ETH: 40 };
const LOAN = { USD: 250_000, DAI: 50_000 };
const PRICES = { BTC: 64_000, ETH: 3_500, DAI: 0.999 };
const [BTC, ETH, DAI] = [5 * 64_000, 40 * 3_500, 50_000 * 0.999];
const PLEDGED = BTC + ETH;
const LENT = 250_000 + DAI;
/** What follows from them. */
const FOLLOWS = {
  collateral_weights: { BTC: BTC / PLEDGED, ETH: ETH / PLEDGED },
  loan_weights: { DAI: DAI / LENT, USD: 250_000 / LENT },
  loan_value: LENT,
};
const N = PLEDGED / LENT;

const WINDOW = { analysis_date: '06-30-2024', model_lookback: 60 };
const TERMS = { loan_duration: 20, mc_top_up: 24 };
const RATIOS = { M: 1.3, L: 1.1, R: 1.4 };
const LOAN_TERMS = { ...WINDOW, ...TERMS, ...RATIOS, mc_iter: 100 };

interface Answer {
  readonly Arguments: Readonly<Record<string, unknown>>;
  readonly Output: Readonly<Record<string, unknown>>;
}
async function ask(path: string, params: object, type = 'GBM'): Promise<Answer> {
  const response = await app.post(path, { type, params });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Answer;
}
async function faults(path: string, params: object) {
  const response = await app.post(path, { type: 'GBM', params });
  const text = await response.text();
  expect(response.status, text).toBe(422);
  return (JSON.parse(text) as { errors: { path: string; message: string }[] }).errors;
}

describe('A loan by amounts', () => {
  it.each(['GBM', 'STUDENT_T', 'HISTORICAL'])(
    'has the answer of the book with the same weights, to the digit: %s',
    async type => {
      const amounts = await ask(
        '/loan_risk',
        { ...LOAN_TERMS, collateral: COLLATERAL, loan: LOAN, prices: PRICES },
        type,
      );
      const weights = await ask('/loan_risk', { ...LOAN_TERMS, ...FOLLOWS, N }, type);
      expect(amounts.Output).toEqual(weights.Output);
    },
  );

  it('shows the weights of its amounts, and their prices', async () => {
    const { Arguments } = await ask('/loan_risk', {
      ...LOAN_TERMS,
      collateral: COLLATERAL,
      loan: LOAN,
      prices: PRICES,
    });
    expect(Arguments).toMatchObject({
      ...FOLLOWS,
      N,
      collateral: { BTC: 5, ETH: 40 },
      loan: LOAN,
      prices: { ...PRICES, USD: 1 },
    });
  });

  it('is valued at the closes of GET /prices where no price is sent', async () => {
    const list = (await (await app.get('/prices?symbols=BTC,ETH&date=06-30-2024')).json()) as {
      prices: { symbol: string; price: number }[];
    };
    const closes = Object.fromEntries(list.prices.map(({ symbol, price }) => [symbol, price]));
    const { Arguments } = await ask('/loan_risk', {
      ...{ ...LOAN_TERMS, collateral: COLLATERAL, loan: { USD: 300_000 } },
      prices: { ETH: 3000 },
    });
    expect(Arguments.prices).toEqual({ BTC: closes.BTC, ETH: 3000, USD: 1 });
  });

  it('answers with capped sales, too', async () => {
    const markets = [
      ['BTC', 'USDT', 'binance'],
      ['ETH', 'USDT', 'binance'],
    ];
    const more = { ...LOAN_TERMS, volume_lookback: 30, markets, participation_ratio: 0.1 };
    const amounts = await ask('/loan_risk_low_liquidity', {
      ...more,
      collateral: COLLATERAL,
      loan: LOAN,
      prices: PRICES,
    });
    const weights = await ask('/loan_risk_low_liquidity', { ...more, ...FOLLOWS, N });
    expect(amounts.Output).toEqual(weights.Output);
  });

  it('whose N is searched for has amounts on the side of the loan', async () => {
    const search = {
      ...{ ...WINDOW, ...TERMS, L: 1.1, mc_iter: 2000, collateral_weights: { BTC: 1 } },
      opt_param: {
        score_variable: 'PrLiquidation',
        score_target: 0.05,
        variable_min: 1.15,
        variable_max: 3,
        error_tolerance: 0.01,
      },
    };
    const amounts = await ask('/loan_origination', { ...search, loan: LOAN, prices: { DAI: 0.999 } });
    const weights = await ask('/loan_origination', {
      ...search,
      loan_weights: FOLLOWS.loan_weights,
      loan_value: LENT,
    });
    expect(amounts.Output).toEqual(weights.Output);
    const found = await faults('/loan_origination', { ...search, loan: LOAN, collateral: COLLATERAL });
    expect(found.map(({ path }) => path)).toEqual(['params.collateral']);
  });
});

describe('A book by amounts', () => {
  const row = (id: string, more: object) => ({ id, ...TERMS, M: 1.3, L: 1.1, ...more });
  const rows = [
    row('amounts', { collateral: COLLATERAL, loan: LOAN }),
    row('weights', { collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1000, N: 1.6 }),
    row('low', { collateral: { BTC: 1 }, loan: { USD: 60_000 }, called_hours_ago: 3 }),
  ];
  const same = [
    row('amounts', { ...FOLLOWS, N }),
    rows[1],
    row('low', {
      ...{ collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 60_000 },
      ...{ N: 64_000 / 60_000 + 0.1 - 0.1, called_hours_ago: 3 },
    }),
  ];
  const more = { ...WINDOW, mc_iter: 500, quantile: [0.9] };
  // 64,000 over 60,000 lies below L: the loan would be liquidated, and cannot have been called.
  const lower = (list: readonly object[], to: number) =>
    list.map(each => ('called_hours_ago' in each ? { ...each, L: to } : each));

  it('has the answer of the book with the same weights, to the digit', async () => {
    const amounts = await ask('/book_risk', { ...more, prices: PRICES, loans: lower(rows, 1.05) });
    const weights = await ask('/book_risk', { ...more, loans: lower(same, 1.05) });
    expect(amounts.Output).toEqual(weights.Output);
    expect(amounts.Arguments.prices).toEqual({ ...PRICES, USD: 1 });
    expect((amounts.Arguments.loans as object[])[0]).toMatchObject({ ...FOLLOWS, N, loan: LOAN });
  });

  it('has the stress of the book with weights', { tags: ['slow'] }, async () => {
    const scenarios = [{ name: 'fall', price_shock: { '*': -0.1 } }];
    const amounts = await ask('/stress', {
      ...more,
      scenarios,
      prices: PRICES,
      loans: lower(rows, 1.05),
      compare: { M: 1.25 },
    });
    const weights = await ask('/stress', {
      ...more,
      scenarios,
      loans: lower(same, 1.05),
      compare: { M: 1.25 },
    });
    expect(amounts.Output).toEqual(weights.Output);
  });

  it('names the loan and the amounts in its refusals', async () => {
    const found = await faults('/book_risk', { ...more, prices: PRICES, loans: rows });
    expect(found).toHaveLength(1);
    expect(found[0].path).toBe('params.loans.2.called_hours_ago');
    expect(found[0].message).toContain('(loan "low")');
  });

  it('reports a missing price once, whichever loans need it', async () => {
    const found = await faults('/book_risk', {
      ...more,
      loans: [
        row('a', { collateral: { NOCOIN: 1e9 }, loan: { USD: 1000 } }),
        row('b', { collateral: { NOCOIN: 2e9 }, loan: { USD: 1000 } }),
      ],
    });
    expect(found.map(({ path }) => path)).toEqual(['params.prices.NOCOIN']);
    expect(found[0].message).toContain('prices.NOCOIN must be sent: ');
  });

  it('names a hundred loans with both forms, not all', async () => {
    const loans = Array.from({ length: 150 }, (_, k) =>
      row(`l${k}`, { collateral: { BTC: 1 }, loan: { USD: 30_000 }, loan_value: 30_000 }),
    );
    const found = await faults('/book_risk', { ...more, loans });
    expect(found.filter(({ path }) => path.endsWith('.loan_value'))).toHaveLength(100);
  });

  it('with more symbols than a book may have asks for no prices', async () => {
    const loans = Array.from({ length: 40 }, (_, k) =>
      row(`l${k}`, { collateral: { [`COIN${k}`]: 1 }, loan: { USD: 1 } }),
    );
    const found = await faults('/book_risk', { ...more, loans });
    expect(found.map(({ path }) => path)).toEqual(['params.loans']);
    expect(found[0].message).toContain('at most 32 distinct symbols');
  });
});

describe('Amounts are refused', () => {
  const good = { ...LOAN_TERMS, collateral: COLLATERAL, loan: LOAN, prices: PRICES };
  it.each<[string, object, string, string]>([
    [
      'beside weights',
      { loan_weights: { USD: 1 } },
      'params.loan_weights',
      'must be absent where amounts are sent',
    ],
    [
      'worth more than can be summed',
      { collateral: { BTC: 1e306 }, prices: { BTC: 64_000, DAI: 0.999 } },
      'params.collateral.BTC',
      'collateral.BTC must be worth above 0 and at most 1000000000000000000 USD at its price of 64000; got 1e+306',
    ],
    [
      'worth nothing',
      { collateral: { ETH: 40 }, loan: { DAI: 5e-324 }, prices: { ETH: 3_500, DAI: 0.1 } },
      'params.loan.DAI',
      'loan.DAI must be worth above 0 and at most 1000000000000000000 USD at its price of 0.1; got 5e-324',
    ],
    ['beside N', { N: 1.5 }, 'params.N', 'must be absent where amounts are sent'],
    [
      'beside initial_ltv',
      { initial_ltv: 0.6 },
      'params.initial_ltv',
      'must be absent where amounts are sent',
    ],
    ['beside loan_value', { loan_value: 1 }, 'params.loan_value', 'must be absent where amounts are sent'],
    ['of one side only', { loan: undefined }, 'params.loan', 'amounts are sent of both sides'],
    ['of nothing', { collateral: {} }, 'params.collateral', '1 to 32 symbols'],
    ['of 0 units', { collateral: { BTC: 0 } }, 'params.collateral.BTC', 'an amount above 0'],
    ['as text', { loan: { USD: '250000' } }, 'params.loan.USD', 'an amount above 0'],
    ['of one asset twice', { collateral: { BTC: 1, btc: 1 } }, 'params.collateral.btc', 'named once'],
    ['at a price below 0', { prices: { BTC: -1 } }, 'params.prices.BTC', 'a price above 0'],
    [
      'with the price of another asset',
      { prices: { ...PRICES, SOL: 1 } },
      'params.prices.SOL',
      'no amount is of SOL',
    ],
    [
      'with too little collateral',
      { collateral: { BTC: 1 }, prices: { BTC: 64_000, DAI: 1 } },
      'params.collateral',
      'N is the value of collateral over that of loan',
    ],
  ])('%s', async (_, change, path, words) => {
    const found = await faults('/loan_risk', { ...good, ...change });
    expect(
      found.map(each => each.path),
      JSON.stringify(found),
    ).toEqual([path]);
    expect(found[0].message).toContain(words);
  });

  it('together with the other faults', async () => {
    const found = await faults('/loan_risk', {
      ...good,
      mc_topup: 3,
      collateral: { NOCOIN: 5 },
      loan_duration: -1,
      prices: undefined,
    });
    expect(found.map(({ path }) => path).sort()).toEqual([
      'params.loan_duration',
      'params.mc_topup',
      'params.prices.NOCOIN',
    ]);
    expect(found.find(({ path }) => path === 'params.mc_topup')?.message).toContain(
      'did you mean mc_top_up?',
    );
  });

  it('where prices are sent with weights only', async () => {
    const found = await faults('/loan_risk', { ...LOAN_TERMS, ...FOLLOWS, N, prices: { SOL: 5 } });
    expect(found).toEqual([
      {
        code: 'not_allowed',
        path: 'params.prices',
        message: 'prices must be absent, because no amounts are sent',
      },
    ]);
  });

  it('where the window of an asset is missing, at the amounts of the loan', async () => {
    const rows = [{ id: 'a', collateral: { NOCOIN: 1000 }, loan: { USD: 100 }, ...TERMS, M: 1.3, L: 1.1 }];
    const found = await faults('/book_risk', {
      ...{ ...WINDOW, mc_iter: 100, quantile: [0.9], loans: rows, prices: { NOCOIN: 1 } },
    });
    expect(found.map(({ path }) => path)).toEqual(['params.loans.0.collateral.NOCOIN']);
  });

  it('by operations that have none', async () => {
    const found = await faults('/var', {
      ...{ ...WINDOW, var_duration: [1], quantile: [0.9], mc_iter: 100, loan_value: 1, collateral_value: 2 },
      ...{ collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, collateral: { BTC: 1 } },
    });
    expect(found.map(({ path }) => path)).toEqual(['params.collateral']);
  });

  it('where they are absent, like missing weights', async () => {
    const found = await faults('/loan_risk', { ...LOAN_TERMS, N: 1.5 });
    expect(found.map(({ path }) => path)).toEqual([
      'params.collateral_weights',
      'params.loan_weights',
      'params.loan_value',
    ]);
    expect(found[0].message).toBe(
      'collateral_weights is missing; it must be an object of symbols and weights, or collateral in its place',
    );
  });

  it('where weights are per cent, with the remedy', async () => {
    const found = await faults('/loan_risk', {
      ...{ ...LOAN_TERMS, N: 1.5, loan_value: 1, loan_weights: { USD: 1 } },
      collateral_weights: { BTC: 60, ETH: 40 },
    });
    expect(found.map(({ path }) => path)).toEqual(['params.collateral_weights']);
    expect(found[0].message).toContain('a sum of 100: weights are fractions, 40 per cent is 0.4');
  });
});

describe('Model of a loan', () => {
  const model = async (path: string, change: object = {}, type = 'GBM') => {
    const params = {
      ...LOAN_TERMS,
      collateral: { BTC: 10 },
      loan: { USD: 400_000 },
      prices: { BTC: 64_000 },
      ...change,
    };
    const response = await app.post(`${path}?include=model`, { type, params });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text) as {
      Output: { AvgLossPct: number };
      Model: {
        levels: Record<string, { price: number; margin_call: Level; liquidation: Level }>;
        annual_volatilities: Record<string, number>;
        expected_loss_usd: number;
        loss_spread: number;
      };
    };
  };
  interface Level {
    readonly price: number | null;
    readonly deviations: number | null;
  }

  it('has the prices of margin call and liquidation, and their distances', async () => {
    const { Model, Output } = await model('/loan_risk');
    const { price, margin_call, liquidation } = Model.levels.BTC;
    expect(price).toBe(64_000);
    // 10 BTC against 400,000 USD are 1.3 of the loan at 52,000.
    expect(margin_call.price).toBeCloseTo(52_000, 6);
    expect(liquidation.price).toBeCloseTo(44_000, 6);
    const spread = Model.annual_volatilities.BTC * Math.sqrt(20 / 365);
    expect(margin_call.deviations).toBeCloseTo(Math.log(64 / 52) / spread, 9);
    expect(Model.expected_loss_usd).toBeCloseTo((Output.AvgLossPct / 100) * 400_000, 6);
    expect(Model.loss_spread).toBeCloseTo((-Math.log(1 - Output.AvgLossPct / 100) * 365) / 20, 12);
  });

  it('has them after a shock relative to the shocked price, at prices that do not move', async () => {
    const { Model } = await model('/loan_risk', { price_shock: { BTC: -0.1 } });
    expect(Model.levels.BTC.price).toBeCloseTo(57_600, 9);
    expect(Model.levels.BTC.margin_call.price).toBeCloseTo(52_000, 6);
  });

  it('uses the last close where no price was sent, and has no deviations without a model', async () => {
    const weights = {
      ...LOAN_TERMS,
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      loan_value: 1000,
      N: 1.6,
    };
    const { Model } = await model(
      '/loan_risk',
      { ...weights, collateral: undefined, loan: undefined, prices: undefined },
      'HISTORICAL',
    );
    const list = (await (await app.get('/prices?symbols=BTC&date=06-30-2024')).json()) as {
      prices: { price: number }[];
    };
    expect(Model.levels.BTC.price).toBe(list.prices[0].price);
    expect(Model.levels.BTC.margin_call).toEqual({
      price: expect.closeTo((list.prices[0].price * 1.3) / 1.6, 6),
      deviations: null,
    });
  });

  it('has the same levels where sales are capped', async () => {
    const markets = [['BTC', 'USDT', 'binance']];
    const capped = await model('/loan_risk_low_liquidity', {
      volume_lookback: 30,
      markets,
      participation_ratio: 0.1,
    });
    expect(capped.Model.levels).toEqual((await model('/loan_risk')).Model.levels);
  });
});
