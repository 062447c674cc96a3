/**
 * Books that a lender could send, with members in any combination.
 *
 * Gives: requests of /book_risk, /stress and /book_report as arbitraries. Must not know: their answers.
 */
import fc from 'fast-check';

export type Json = Readonly<Record<string, unknown>>;

export interface BookRequest {
  readonly path: string;
  readonly body: Json;
}

/** A member that stands in some of the objects. */
const sometimes = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map(drawn => (drawn === undefined ? {} : { [name]: drawn }));
/** Objects with the members of all parts. */
const merged = (...parts: fc.Arbitrary<Json>[]): fc.Arbitrary<Json> =>
  fc.tuple(...parts).map(drawn => Object.assign({}, ...drawn));

const basket = fc.constantFrom<Json>(
  ...[
    { BTC: 1 },
    { ETH: 1 },
    { SOL: 1 },
    { BTC: 0.6, ETH: 0.4 },
    { BTC: 0.5, ETH: 0.3, USDC: 0.2 },
    { USDC: 1 },
  ],
);
const debt = fc.constantFrom<Json>({ USD: 1 }, { USDC: 1 }, { ETH: 1 }, { USD: 0.7, BTC: 0.3 });
/** Between the start and each threshold in 5 % steps; 0 is the same ratio, and below 0 a loan in call or beyond its liquidation. */
const ratios = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: -3, max: 8 }))
  .chain(([l, m, n]) => {
    const L = 1.02 + 0.05 * l;
    const M = L + 0.05 * m;
    return fc.constantFrom(0, 0.1).map(r => ({ L, M, N: Math.max(0.5, M + 0.05 * n), R: M + 0.05 + r }));
  });
const loan = (k: number): fc.Arbitrary<Json> =>
  merged(
    basket.map(collateral_weights => ({ collateral_weights })),
    debt.map(loan_weights => ({ loan_weights })),
    ratios,
    fc.constantFrom(1, 3.5, 10).map(loan_duration => ({ loan_duration })),
    fc.constantFrom<Json>(
      ...[{ mc_top_up: 0 }, { mc_top_up: 12 }, { mc_top_up: 60 }],
      { mc_top_up: 12, top_up: { share: 0.5, delay_hours: 4 } },
      { mc_top_up: 30, top_up: { share: 1, delay_hours: 30, to: 2 } },
    ),
    fc.constantFrom(1, 1000, 2.5e7).map(loan_value => ({ loan_value })),
    sometimes('interest_rate', fc.constantFrom(0, 0.12, 5, -0.1)),
    sometimes('borrower', fc.constantFrom('Ann', 'Ben')),
    sometimes('sale_cost', fc.constantFrom(0, 0.3)),
    sometimes('maturity_days', fc.constantFrom(null, 20)),
    sometimes('days_past_due', fc.constantFrom(0, 45, 120)),
    sometimes('origination_pd', fc.constantFrom(0.001, 0.2)),
    sometimes('partial_sale', fc.constantFrom({ to: 3 }, { to: 60 }, { to: 2.5, max_share: 0.5 })),
  ).map(terms => ({ id: `loan-${k}`, ...terms }));
const loans = fc
  .integer({ min: 1, max: 6 })
  .chain(count => fc.tuple(...Array.from({ length: count }, (_, k) => loan(k))));

const tranches = fc.constantFrom<readonly Json[]>(
  [{ name: 'all', attach: 0, detach: 2 }],
  [
    { name: 'first', attach: 0, detach: 0.02 },
    { name: 'second', attach: 0.02, detach: 2 },
  ],
  [{ name: 'rated', attach_for: { figure: 'PrLoss', value: 0.05 }, detach: 2 }],
  [{ name: 'mean', attach_for: { figure: 'ExpectedLossPct', value: 0.1 }, detach: 1 }],
);
const waterfall = [
  sometimes('tranches', tranches),
  sometimes('reserve', fc.constantFrom(0, 0.01, 1)),
  sometimes('excess_spread', fc.constantFrom(0, 0.08)),
  sometimes('economic_capital', fc.boolean()),
];
const credit = fc.constantFrom<Json>(
  {},
  { event: 'loss', effective_rate: 0.1 },
  { horizon_days: 2, effective_rate: 'interest', stage_2: { ltv_above: 0.8 } },
);
const shock = fc.constantFrom<Json>({ '*': -0.3 }, { '*': -0.9 }, { '*': 2 });
const type = fc.constantFrom('GBM', 'STUDENT_T', 'FHS', 'BOOTSTRAP', 'HISTORICAL');
const common = [
  loans.map(drawn => ({ loans: drawn })),
  fc.constantFrom([0.95], [0.5, 0.99], [0.999]).map(quantile => ({ quantile })),
  fc.constantFrom(0, 1, 24).map(sale_delay => ({ sale_delay })),
  fc.constantFrom(0, 0.05).map(sale_cost => ({ sale_cost })),
  fc.constantFrom(1, 7, 200, 400).map(mc_iter => ({ mc_iter })),
  fc.constant({ analysis_date: '06-30-2024', model_lookback: 60 }),
  ...waterfall,
];

const ofParams = (drawn: Json, drawnType: string): Json => ({
  type: drawnType,
  params: drawn,
});
const queryOf = (include: readonly string[], others: string) =>
  [...(include.length > 0 ? [`include=${include.join(',')}`] : []), ...(others === '' ? [] : [others])].join(
    '&',
  );
const target = (path: string, query: string) => (query === '' ? path : `${path}?${query}`);

const bookRisk = fc
  .record({
    params: merged(...common, sometimes('credit', credit), sometimes('price_shock', shock)),
    type,
    include: fc.subarray(['accuracy', 'calls', 'model', 'scenario', 'warnings']),
    rank: fc.constantFrom('', '', 'scenario=1', 'scenario=0.9', 'scenario=worst'),
    tail: fc.boolean(),
  })
  .map(({ params, type: drawn, include, rank, tail }): BookRequest => {
    const others: string[] = [...(include.includes('scenario') && rank !== '' ? [rank] : [])];
    if (tail && drawn === 'GBM') others.push('sampling=tail');
    return { path: target('/book_risk', queryOf(include, others.join('&'))), body: ofParams(params, drawn) };
  });

const scenario = fc.constantFrom<unknown>(
  'covid-2020',
  'october-2025',
  { name: 'all fall', price_shock: { '*': -0.3 } },
  {
    name: 'fall, then a window',
    price_shock: { '*': -0.1 },
    replay: { from: '2024-01-02T00:00Z', hours: 30 },
  },
  { name: 'nervous', volatility_shock: 0.5 },
);
const compare = fc.constantFrom<Json>(
  { mc_top_up: 6 },
  { sale_delay: 2 },
  { sale_cost: 0.1 },
  { interest_rate: 0.2 },
  {
    partial_sale: { to: 3 },
  },
);
const stress = fc
  .record({
    params: merged(
      ...common,
      fc.uniqueArray(scenario, { minLength: 1, maxLength: 3 }).map(scenarios => ({ scenarios })),
      sometimes('compare', compare),
    ),
    type,
    withoutPaths: fc.boolean(),
    include: fc.subarray(['accuracy', 'path', 'warnings']).map(each => ['loans', ...each]),
  })
  .map(({ params, type: drawn, withoutPaths, include }): BookRequest => {
    // Volatility shocks of some methodologies are refused, and tranches without paths.
    const own = withoutPaths ? { ...params, mc_iter: 0 } : params;
    return { path: target('/stress', queryOf(include, '')), body: ofParams(own, drawn) };
  });

const cell = (values: readonly string[]) => fc.constantFrom(...values);
const row = (k: number) =>
  fc
    .tuple(
      cell(['Ann', 'Ben', '']),
      cell(['BTC', 'ETH', 'SOL']),
      cell(['100000', '1e6']),
      cell(['USD', 'USDC']),
      cell(['40000', '72000', '83000', '95000']),
      cell(['0.7', '0.8']),
      cell(['0.85', '0.9']),
      cell(['0.65', '0.6']),
      cell(['24', '0', '72']),
      cell(['', '2024-08-30', '2024-06-01']),
      cell(['', '0.12']),
      cell(['', '250']),
      cell(['', '2024-06-29 06:00']),
      cell(['', '0.5']),
    )
    .map(cells => [`L-${k}`, ...cells].join(','));
const HEADER =
  'loan_id,borrower,collateral_asset,collateral_value,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,recovery_ltv,grace_hours,maturity,' +
  'interest,accrued_interest,called_at,partial_sale_to_ltv';
const tape = fc
  .integer({ min: 1, max: 8 })
  .chain(count => fc.tuple(...Array.from({ length: count }, (_, k) => row(k))))
  .map(rows => [HEADER, ...rows].join('\n'));
const ids = Array.from({ length: 8 }, (_, k) => `L-${k}`);
const bookReport = merged(
  tape.map(text => ({ tape: text })),
  fc.constant({
    ...{ analysis_date: '06-30-2024', model_lookback: 60, mc_iter: 200, accept: ids },
    tape_format: { columns: { accrued_interest: 'accrued_interest' } },
  }),
  fc.subarray(['GBM', 'FHS', 'STUDENT_T', 'HISTORICAL'], { minLength: 1 }).map(types => ({ types })),
  fc.constantFrom(0, 0, 0, 10).map(backtest_days => ({ backtest_days })),
  sometimes('credit', credit),
  sometimes('falls', fc.constantFrom([], [0.25])),
  sometimes('until', fc.constantFrom(['loss 10000'], ['loss 5m', 'ltv 0.9'])),
  sometimes(
    'limits',
    fc.constantFrom('loan LTV <= 0.8\nExpectedLoss <= 5000', 'scenario loss <= 1000000\ncalled loans <= 0'),
  ),
  sometimes('quantile', fc.constantFrom([0.9], [0.95, 0.99])),
  ...waterfall,
).map((body): BookRequest => ({ path: '/book_report', body }));

/** Requests of all three paths; a report is several runs, so that it is drawn less often. */
export const bookRequests: fc.Arbitrary<BookRequest> = fc.oneof(
  { weight: 6, arbitrary: bookRisk },
  { weight: 4, arbitrary: stress },
  { weight: 2, arbitrary: bookReport },
);
