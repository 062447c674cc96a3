/** Reverse scenarios of /stress: how far prices must fall until a figure reaches a bound (docs/stress.md). */
import { describe, expect, it } from 'vitest';
import { booksOf, loanOf } from '../../support/book-bodies.ts';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService();

interface Reverse {
  readonly Fall?: number | null;
  readonly Deviations?: number | null;
  readonly Probability?: number | null;
  readonly PriceShock: Readonly<Record<string, number>>;
  readonly Value: number;
  readonly ValueBefore: number | null;
  readonly Crossings: number;
  readonly Low: number | null;
  readonly High: number | null;
}
type Scenario = { readonly Reverse?: Reverse } & Readonly<Record<string, unknown>>;
interface Answer {
  readonly Output: {
    readonly Scenarios: Readonly<Record<string, Scenario>>;
    readonly Compared?: { readonly Scenarios: Readonly<Record<string, Scenario>> };
  };
  readonly Warnings?: readonly { readonly code: string }[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

const LOANS = [
  loanOf('ether', { N: 1.5, loan_value: 1_000_000, loan_duration: 10 }),
  loanOf('bitcoin', { N: 1.6, loan_value: 2_000_000, loan_duration: 10, collateral_weights: { BTC: 1 } }),
];
const TRANCHES = [
  { name: 'equity', attach: 0, detach: 0.02 },
  { name: 'sought', attach_for: { figure: 'PrLoss', value: 0.01 }, detach: 1 },
];
const SHARED = { quantile: [0.9], sale_delay: 24, sale_cost: 0.05, tranches: TRANCHES };

async function ask(scenarios: readonly object[], more: object = {}, type = 'GBM') {
  const { params } = booksOf(100)(LOANS, { ...SHARED, scenarios, ...more });
  const { mc_iter, ...historical } = params;
  const body = { type, params: type === 'HISTORICAL' ? { ...historical, ...more } : params };
  const response = await app.post('/stress?include=accuracy,warnings', body);
  const text = await response.text();
  return { status: response.status, text, ...(JSON.parse(text) as Answer) };
}
const reverseOf = (figure: string, bound: number, more: object = {}) => ({
  name: figure,
  reverse: { figure, bound, ...more },
});

const FIGURES = [
  reverseOf('Ltv', 0.8),
  reverseOf('CalledUsd', 1_500_000),
  reverseOf('LiquidatedUsd', 10),
  reverseOf('ExpectedLoss', 50_000),
  reverseOf('PrLoss', 0.3),
  reverseOf('LossVar', 100_000, { quantile: 0.9 }),
  reverseOf('LossCVar', 200_000, { quantile: 0.9 }),
  reverseOf('UnsoldExpectedLoss', 100_000),
  reverseOf('PeakDay', 2_000_000),
  reverseOf('ExpectedLossPct', 20, { tranche: 'equity' }),
  { ...reverseOf('PrLoss', 0.3, { tranche: 'equity' }), name: 'PrLoss of equity' },
];

describe('A reverse scenario', () => {
  it.each(FIGURES)(
    'reaches its bound, and is the forward run of the shock that it finds: $name',
    async scenario => {
      const { Output, text } = await ask([scenario]);
      const { Reverse, ...members } = Output.Scenarios[scenario.name];
      if (Reverse === undefined) throw new Error(text);
      const { Fall, Value, ValueBefore, PriceShock, Crossings } = Reverse;
      expect(Fall).toBeGreaterThan(0);
      expect(Value).toBeGreaterThanOrEqual(scenario.reverse.bound);
      expect(ValueBefore).toBeLessThan(scenario.reverse.bound);
      expect(Crossings).toBeGreaterThanOrEqual(1);
      expect(PriceShock).toEqual({ BTC: -Number(Fall), ETH: -Number(Fall) });
      const forward = await ask([{ name: scenario.name, price_shock: PriceShock }]);
      expect(members).toEqual(forward.Output.Scenarios[scenario.name]);
    },
  );

  it('has the fall at which the closed form of its figure reaches the bound, and the ends of an interval around it', async () => {
    const { Output } = await ask([FIGURES[0], { ...reverseOf('PrLoss', 0.3) }]);
    const debt = 3_000_000;
    const collateral = 1.5 * 1_000_000 + 1.6 * 2_000_000;
    const exact = 1 - debt / collateral / 0.8;
    expect(Output.Scenarios.Ltv.Reverse?.Fall).toBeGreaterThanOrEqual(exact);
    expect(Number(Output.Scenarios.Ltv.Reverse?.Fall) - exact).toBeLessThan(1e-4);
    expect(Output.Scenarios.Ltv.Reverse).toMatchObject({ Low: null, High: null });
    const { Fall, Low, High } = Output.Scenarios.PrLoss.Reverse as Reverse;
    expect(Low).toBeLessThan(Number(Fall));
    expect(High).toBeGreaterThan(Number(Fall));
  });

  it('moves prices by exponents, in the most likely direction, and after a replay', async () => {
    const replay = { from: '2024-06-01T00:00Z', hours: 24 };
    const { Output, Warnings } = await ask([
      reverseOf('Ltv', 0.8, { along: { BTC: 0.5, '*': 2 } }),
      { ...reverseOf('Ltv', 0.8, { along: 'likely' }), name: 'likely' },
      { ...reverseOf('ReplayLoss', 1e12), name: 'never', replay },
    ]);
    const { Fall, PriceShock } = Output.Scenarios.Ltv.Reverse as Reverse;
    expect(PriceShock.BTC).toBeCloseTo((1 - Number(Fall)) ** 0.5 - 1, 12);
    expect(PriceShock.ETH).toBeCloseTo((1 - Number(Fall)) ** 2 - 1, 12);
    const likely = Output.Scenarios.likely.Reverse as Reverse;
    expect(likely.Deviations).toBeGreaterThan(1);
    expect(likely.Probability).toBeLessThan(0.2);
    expect(likely.PriceShock.ETH).toBeLessThan(0);
    expect(likely).not.toHaveProperty('Fall');
    const never = Output.Scenarios.never.Reverse as Reverse;
    expect([never.Fall, never.ValueBefore, never.Crossings]).toEqual([null, null, 0]);
    expect(never.PriceShock.BTC).toBe(-0.95);
    expect(Warnings?.map(({ code }) => code)).toContain('normal-tail');
  });

  it('is sought under the terms of compare, too, and by windows of history without an interval', async () => {
    const { Output } = await ask([reverseOf('Ltv', 0.8)], { compare: { M: 1.25 } });
    expect(Output.Compared?.Scenarios.Ltv.Reverse?.Fall).toBe(Output.Scenarios.Ltv.Reverse?.Fall);
    const historical = await ask([reverseOf('ExpectedLoss', 50_000)], { mc_iter: undefined }, 'HISTORICAL');
    expect(historical.status, historical.text).toBe(200);
    expect(historical.Output.Scenarios.ExpectedLoss.Reverse).toMatchObject({ Low: null, High: null });
  });

  it('that is not monotone has a warning: a fall to just above a limit sells later than one beyond it', async () => {
    const loans = [loanOf('one', { N: 1.5, M: 1.3, L: 1.1, R: 1.4 })];
    const { Output, Warnings } = await ask([reverseOf('CalledUsd', 1)], {
      loans,
      mc_iter: 0,
      tranches: undefined,
    });
    // Called between M and L; liquidated beyond L.
    expect(Output.Scenarios.CalledUsd.Reverse?.Crossings).toBe(2);
    expect(Output.Scenarios.CalledUsd.Reverse?.Fall).toBeCloseTo(1 - 1.3 / 1.5, 3);
    expect(Warnings?.map(({ code }) => code)).toContain('not-monotone');
  });

  it('is refused by each member that does not fit', async () => {
    const faultsOf = async (scenarios: object[], more: object = {}, type?: string) => {
      const { status, errors, text } = await ask(scenarios, more, type);
      expect(status, text).toBe(422);
      return errors.map(({ path }) => path.replace('params.scenarios.', '')).sort();
    };
    expect(
      await faultsOf([
        { ...reverseOf('Ltv', 0.8), price_shock: { BTC: -0.1 } },
        reverseOf('LossVar', 5),
        reverseOf('ExpectedLoss', 0, { tranche: 'equity', largest: 0.995 }),
        reverseOf('PrLoss', 0.1, { along: { BTC: 7, USD: 1 }, likely_hours: 3 }),
      ]),
    ).toEqual([
      '0.reverse',
      '1.reverse.quantile',
      '2.reverse.bound',
      '2.reverse.largest',
      '2.reverse.tranche',
      '3.reverse.along.BTC',
      '3.reverse.along.USD',
    ]);
    expect(
      await faultsOf([
        reverseOf('LossVar', 5, { quantile: 0.99 }),
        reverseOf('ReplayLoss', 5),
        reverseOf('ExpectedLossPct', 5, { tranche: 'sought' }),
        reverseOf('Ltv', 1, { along: { SOL: 1 } }),
      ]),
    ).toEqual(['0.reverse.quantile', '1.reverse.figure', '2.reverse.tranche', '3.reverse.along']);
    expect(await faultsOf([reverseOf('ExpectedLoss', 5, { along: 'likely' })], { mc_iter: 0 })).toEqual([
      '0.reverse.along',
      '0.reverse.figure',
    ]);
    const historical = [reverseOf('ExpectedLoss', 5, { along: 'likely' })];
    expect(await faultsOf(historical, { mc_iter: undefined }, 'HISTORICAL')).toEqual(['0.reverse.along']);
  });
});
