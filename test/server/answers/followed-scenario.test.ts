/** ?include=scenario of /book_risk on the sample market: which path it shows, under every methodology of books, and what is refused. */
import { describe, expect, it } from 'vitest';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import { rankedPath } from '#src/question/book/followed-scenario.js';
import { booksOf, LOAN_TERMS, loanOf } from '../../support/book-bodies.ts';
import { logRatioTolerance } from '../../support/parity.ts';
import { useSampleService } from '../../support/sample-service.ts';

const { post } = useSampleService();
const PATHS = 400;
const book = booksOf(PATHS);
const RATIOS = { M: 1.08, L: 1.02, R: 1.1 };
const loans = [
  loanOf('near', { ...RATIOS, N: 1.12 }),
  loanOf('mixed', { ...RATIOS, N: 1.15, collateral_weights: { BTC: 0.3, ETH: 0.7 }, interest_rate: 0.1 }),
  loanOf('answering', { ...RATIOS, N: 1.1, top_up: { share: 0.5, delay_hours: 6 } }),
];
const LENT = 3 * LOAN_TERMS.loan_value;

interface Column extends Readonly<Record<string, number[]>> {}
interface Scenario {
  readonly Path: number;
  readonly Rank: number;
  readonly Scenarios: number;
  readonly Larger: number;
  readonly From?: string;
  readonly Loss: number;
  readonly Followed: Readonly<Record<string, number>>;
  readonly Hours: Column & { readonly Prices: Column };
  readonly Loans: Readonly<
    Record<string, { readonly Loss: number; readonly Events: readonly { readonly Event: string }[] }>
  >;
}
interface Answer {
  readonly Output: { readonly Book: { readonly LossVar: Record<string, number> } };
  readonly Scenario: Scenario;
}

const bodyOf = (type: string, more = {}) => {
  const { mc_iter, ...params } = book(loans, { sale_delay: 24, model_lookback: 200, ...more }).params;
  return { type, params: { ...params, ...(type === 'HISTORICAL' ? {} : { mc_iter }) } };
};

async function answerOf(type: string, query: string, more = {}) {
  const response = await post(`/book_risk?include=scenario&${query}`, bodyOf(type, more));
  const text = await response.text();
  expect(response.status, text.slice(0, 600)).toBe(200);
  return JSON.parse(text) as Answer;
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

describe('One scenario of a book', () => {
  it.each(methodologiesOf('book').map(({ name }) => name))(
    'has the loss of its path, its hours and its loans, in both orders of rank and level: %s',
    async type => {
      const { Scenario: worst } = await answerOf(type, 'scenario=worst');
      const { Output, Scenario: second } = await answerOf(type, 'scenario=2');
      const { Scenario: level } = await answerOf(type, 'scenario=0.9');
      expect([worst.Rank, second.Rank, worst.Larger]).toEqual([1, 2, 0]);
      expect(worst.Loss).toBeGreaterThanOrEqual(second.Loss);
      // The quantile lies between this scenario and the next.
      expect(level.Loss).toBeGreaterThanOrEqual(Output.Book.LossVar['0.9']);
      expect(level.Larger).toBeLessThanOrEqual(0.1);
      expect(level.Rank).toBe(level.Scenarios - Math.ceil((level.Scenarios - 1) * 0.9));
      expect(worst.From === undefined).toBe(type !== 'HISTORICAL');
      for (const { Loss, Followed, Hours, Loans } of [worst, second, level]) {
        // The run may be in single precision; no loan comes within its rounding of a threshold.
        expect(Math.abs(Followed.Loss - Loss)).toBeLessThan(4 * logRatioTolerance(1, 744) * LENT);
        expect(sum(Object.values(Loans).map(each => each.Loss))).toBeCloseTo(Followed.Loss, 6);
        expect(sum(Hours.Loss)).toBeCloseTo(Followed.Loss, 6);
        expect(sum(Hours.ForcedSaleUsd)).toBeCloseTo(Followed.ForcedSaleUsd, 6);
        expect(Object.keys(Hours.Prices)).toEqual(['BTC', 'ETH', 'USD']);
        for (const column of Object.values(Hours.Prices)) {
          expect(column).toHaveLength(Hours.Hour.length);
          expect(column[0]).toBe(1);
        }
      }
      expect(worst.Loss).toBeGreaterThan(0);
      const events = Object.values(worst.Loans).flatMap(each => each.Events.map(({ Event }) => Event));
      expect(events).toContain('called');
      expect(events).toContain('sold');
    },
  );

  it('of weighted paths is that at the level of the weighted loss', async () => {
    const { Output, Scenario: at } = await answerOf('GBM', 'sampling=tail&scenario=0.99');
    expect(at.Loss).toBeCloseTo(Output.Book.LossVar['0.99'], 6);
    expect(at.Larger).toBeLessThanOrEqual(0.01);
    expect(at.Rank).toBeGreaterThan(0.02 * PATHS);
  });

  it('of a long path has points some hours apart, with all amounts between them', async () => {
    const { Scenario: worst } = await answerOf('GBM', 'scenario=worst', {
      loans: [loanOf('year', { loan_duration: 360 })],
      mc_iter: 100,
    });
    const { Hour, Loss, ForcedSaleUsd } = worst.Hours;
    expect(Hour.length).toBeLessThanOrEqual(1000);
    expect(Hour[1]).toBeGreaterThan(1);
    expect(Hour.at(-1)).toBe(360 * 24 + 24);
    expect(sum(Loss)).toBeCloseTo(worst.Followed.Loss, 6);
    expect(sum(ForcedSaleUsd)).toBeCloseTo(worst.Followed.ForcedSaleUsd, 6);
  });

  it.each([
    ['scenario=401', `a rank of at most ${PATHS}`],
    ['scenario=0', 'worst, a rank from 1 (the largest loss), or a level above 0 and below 1 such as 0.99'],
    ['scenario=1.5', 'worst, a rank from 1'],
    ['scenario=best', 'worst, a rank from 1'],
  ])('is refused by name: %s', async (query, words) => {
    const response = await post(`/book_risk?include=scenario&${query}`, bodyOf('GBM'));
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0].path).toBe('query.scenario');
    expect(errors[0].message).toContain(words);
  });

  it('is refused where include does not name it, and where the operation has none', async () => {
    const messageOf = async (path: string) => {
      const response = await post(path, bodyOf('GBM'));
      expect(response.status).toBe(422);
      return ((await response.json()) as { errors: { message: string }[] }).errors[0].message;
    };
    expect(await messageOf('/book_risk?scenario=worst')).toContain(
      'scenario must be absent where include does not name scenario',
    );
    expect(await messageOf('/stress?scenario=worst')).toContain('query.scenario is an unknown parameter');
  });
});

describe('A path by its rank', () => {
  const loss = Float64Array.of(5, 0, 7, 5, 0, 9);

  it.each([
    [1, 5, 0],
    [2, 2, 1],
    [3, 0, 2],
    [4, 3, 2],
    [5, 1, 4],
    [6, 4, 4],
  ])('%i is path %i; equal losses are in the order of the paths', (rank, path, larger) => {
    expect(rankedPath({ loss }, { rank })).toEqual({ path, rank, larger: larger / 6 });
  });

  it('of a level is the first that is not below its quantile', () => {
    // Type 7: 0.5 lies between 5 and 5, 0.7 between 5 and 7.
    expect(rankedPath({ loss }, { level: 0.5 })).toMatchObject({ rank: 3, path: 0 });
    expect(rankedPath({ loss }, { level: 0.7 })).toMatchObject({ rank: 2, path: 2 });
    const weight = Float64Array.of(1, 1, 1, 1, 1, 5);
    expect(rankedPath({ loss, weight }, { level: 0.6 })).toEqual({ path: 5, rank: 1, larger: 0 });
    expect(rankedPath({ loss, weight }, { level: 0.5 })).toEqual({ path: 2, rank: 2, larger: 0.5 });
  });
});
