/** Limits of a desk: their syntax, and their status in a result. */
import { describe, expect, it } from 'vitest';
import { judgeLimits } from '#src/desk/judge-limits.js';
import {
  errorText,
  intervalText,
  limitInWords,
  limitWords,
  usedShare,
  valueText,
  whyUnknown,
} from '#src/desk/limit-text.js';
import { LIMIT_SUBJECTS, type LimitSubject, readLimits } from '#src/desk/limits.js';
import type { DeskResult, Interval, ReplayFigures, StressedBook } from '#src/desk/result.js';
import { DESK_RESULT } from '../support/desk-result.ts';

const CONTEXT = { levels: [0.95, 0.99], types: ['STUDENT_T', 'GBM'] };
/** A run that computes every figure. */
const WITH_CREDIT = {
  ...CONTEXT,
  credit: {},
  waterfall: { economic_capital: true, tranches: [{ name: 'A-1', attach: 0.1, detach: 1 }] },
};
/** The line with the name of a tranche, or of what a fall reaches, where its figure needs one. */
const named = (text: string) =>
  text.startsWith('reverse')
    ? text.replace('reverse', 'reverse loss 5m').replace('<=', '>=')
    : text.replace('tranche', 'tranche A-1');
const faultsOf = (text: string) => readLimits(text, CONTEXT).faults;

const STRESSED = (DESK_RESULT.Stress as NonNullable<DeskResult['Stress']>).Scenarios[1] as StressedBook;
const REPLAY = STRESSED.Replay as ReplayFigures;

function judged(text: string, result = DESK_RESULT) {
  const { limits, faults } = readLimits(text, WITH_CREDIT);
  expect(faults).toEqual([]);
  return judgeLimits(limits, result);
}

describe('A file of limits', () => {
  it('is read with comments, empty lines, levels, methodologies and per cent', () => {
    const text =
      '# limits\n\nLossCVar 0.99 <= 250000 USD\nlosscvar .95 under gbm ≤ 1e5 # calm\r\nborrower  share <= 10 %\n';
    expect(readLimits(text, CONTEXT)).toEqual({
      faults: [],
      limits: [
        {
          line: 3,
          text: 'LossCVar 0.99 <= 250000 USD',
          subject: 'LossCVar',
          level: 0.99,
          bound: 250_000,
          ofDailyVolume: false,
        },
        {
          line: 4,
          text: 'losscvar .95 under gbm ≤ 1e5',
          subject: 'LossCVar',
          level: 0.95,
          type: 'GBM',
          bound: 100_000,
          ofDailyVolume: false,
        },
        {
          line: 5,
          text: 'borrower  share <= 10 %',
          subject: 'borrower share',
          bound: 0.1,
          ofDailyVolume: false,
        },
      ],
    });
  });

  it.each([
    ['LossCVar 0.99 < 5', 'LossCVar 0.99 < 5: write LossCVar 0.99 <= 5'],
    ['LossCVar 99% <= 250k', 'LossCVar 99% <= 250k: write LossCVar 0.99 <= 250000'],
    ['LossCVar 99.9 % < $1,250,000', 'LossCVar 99.9 % < $1,250,000: write LossCVar 0.999 <= 1250000'],
    ['PeakDay 0.99 ≤ 1.5m USD', 'PeakDay 0.99 ≤ 1.5m USD: write PeakDay 0.99 <= 1500000 USD'],
    ['scenario loss <= 5 million', 'scenario loss <= 5 million: write scenario loss <= 5000000'],
    // The words of the report.
    ['scenario loss at most 5 million', 'scenario loss at most 5 million: write scenario loss <= 5000000'],
    ['ExpectedLoss < 1bn', 'ExpectedLoss < 1bn: write ExpectedLoss <= 1000000000'],
    [
      'LossCVar 0.99 > 5',
      'LossCVar 0.99 > 5: a limit is written "LossCVar 0.99 <= 250000" or "borrower share <= 10%"',
    ],
    [
      'LossCVar 0.99 <= many',
      'LossCVar 0.99 <= many: a limit is written "LossCVar 0.99 <= 250000" or "borrower share <= 10%"',
    ],
    ['ExpectedLos <= 5', 'ExpectedLos <= 5: there is no figure ExpectedLos; is it ExpectedLoss?'],
    ['LossCVar <= 5', 'LossCVar <= 5: LossCVar needs a level: LossCVar 0.99'],
    ['loan LTV 0.99 <= 0.8', 'loan LTV 0.99 <= 0.8: loan LTV has no level'],
    [
      'LossCVar 0.999 <= 5',
      'LossCVar 0.999 <= 5: the level 0.999 is not computed; name it in --levels, which are 0.95, 0.99',
    ],
    [
      'LossCVar 0.99 under FHS <= 5',
      'LossCVar 0.99 under FHS <= 5: FHS is not computed; name it in --types, which are STUDENT_T, GBM',
    ],
    [
      'LossCVar 0.99 <= 250,000',
      'LossCVar 0.99 <= 250,000: the bound must be a number of 0 or more, written without a mark between thousands; got 250,000',
    ],
    ['LossCVar 0.99 <= 5 %', 'LossCVar 0.99 <= 5 %: LossCVar is no share: the bound cannot be in per cent'],
    ['borrower share <= 10', 'borrower share <= 10: the bound is a share: 10% or 0.1?'],
    [
      'LossVar 0.99 <= 5% of daily volume',
      'LossVar 0.99 <= 5% of daily volume: only PeakDay is compared with daily volumes',
    ],
    ['PeakDay <= 20 of daily volume', 'PeakDay <= 20 of daily volume: the bound is a share: 20% or 0.2?'],
    ['# nothing', 'there is no limit in the file'],
  ])('is refused: %s', (text, message) => {
    expect(faultsOf(text)).toEqual([{ line: 1, message }]);
  });

  it('reads every figure in per cent if it is a share, and at a level if it has some', () => {
    const isRead = (text: string) => readLimits(named(text), WITH_CREDIT).faults.length === 0;
    const names = Object.keys(LIMIT_SUBJECTS) as readonly LimitSubject[];
    const level = (name: string) => (isRead(`${name} <= 1`) || isRead(`${name} <= 1%`) ? '' : ' 0.99');
    expect(names.filter(name => isRead(`${name}${level(name)} <= 5 %`))).toEqual([
      'PrLoss',
      'book LTV',
      'loan LTV',
      'loan share',
      'borrower share',
      'asset share',
      'tranche ExpectedLossPct',
      'tranche PrLoss',
      'reverse',
    ]);
    expect(names.filter(name => !isRead(`${name} <= 1`))).toEqual([
      'LossVar',
      'LossCVar',
      'EconomicCapital',
      'tranche ExpectedLossPct',
      'tranche LossCVar',
    ]);
    expect(names.filter(name => !isRead(`${name} 0.99 <= 1`))).toEqual([
      'ExpectedLoss',
      'PrLoss',
      'scenario loss',
      'book LTV',
      'loan LTV',
      'loan share',
      'borrower share',
      'asset share',
      'ECL',
      'tranche ExpectedLossPct',
      'tranche PrLoss',
      'reverse',
      'called loans',
    ]);
  });

  it.each([
    [
      'EconomicCapital 0.99 <= 1',
      'EconomicCapital is not computed; ask for it by --capital (economic_capital)',
    ],
    ['ECL <= 1', 'ECL is not computed; ask for it by --credit (credit)'],
    ['tranche B PrLoss <= 1%', 'the tranche B is not computed; ask for it by --tranches (tranches)'],
    [
      'reverse tranche B loss 1% >= 30%',
      'there is no tranche B with an attachment point; name it in --tranches',
    ],
    [
      'reverse lossvar 0.9 5m >= 30%',
      'the level 0.9 is not computed; name it in --levels, which are 0.95, 0.99',
    ],
    ['reverse loss 5m <= 30%', 'reverse has a least value: write >='],
    ['loan LTV >= 30%', 'loan LTV has a largest value: write <='],
    ['reverse >= 30%', 'it names what a fall reaches: reverse loss 5m >= 30%'],
    ['tranche PrLoss <= 1%', 'it names a tranche: tranche senior PrLoss <= 1%'],
  ])('is refused where the run does not compute it, or it is not whole: %s', (text, message) => {
    expect(faultsOf(text)).toEqual([{ line: 1, message: `${text}: ${message}` }]);
  });

  it('has the loss of a tranche in per cent', () => {
    expect(readLimits('tranche A-1 ExpectedLossPct <= 0.1', WITH_CREDIT).faults).toEqual([
      {
        line: 1,
        message: 'tranche A-1 ExpectedLossPct <= 0.1: the bound is in per cent of the tranche: 0.1%?',
      },
    ]);
  });

  it.each([
    ['loan LTV <= 1.5', 'loan LTV <= 1.51', 'the bound is a share: 1.51% or 0.0151?'],
    [
      'PeakDay <= 1 of daily volume',
      'PeakDay <= 1.01 of daily volume',
      'the bound is a share: 1.01% or 0.0101?',
    ],
    [
      'ExpectedLoss <= 0',
      'ExpectedLoss <= -1',
      'the bound must be a number of 0 or more, written without a mark between thousands; got -1',
    ],
  ])('reads %s, and refuses %s', (read, refused, why) => {
    expect(faultsOf(read)).toEqual([]);
    expect(faultsOf(refused)).toEqual([{ line: 1, message: `${refused}: ${why}` }]);
  });

  it('names the outermost level where one is needed', () => {
    expect(readLimits('LossVar <= 1', { ...CONTEXT, levels: [0.9, 0.95, 0.99] }).faults).toEqual([
      { line: 1, message: 'LossVar <= 1: LossVar needs a level: LossVar 0.99' },
    ]);
  });

  it('lists all figures where none is near', () => {
    expect(faultsOf('zzzz <= 5')).toEqual([
      {
        line: 1,
        message: `zzzz <= 5: there is no figure zzzz; there are ${Object.keys(LIMIT_SUBJECTS).join(', ')}`,
      },
    ]);
  });

  it('may have as many faults as limits', () => {
    expect(faultsOf('loan LTV <= 0.8\nnonsense')).toHaveLength(1);
  });

  it('reports the faults of all its lines', () => {
    expect(faultsOf('nonsense\nLossCVar 0.99 <= 5\nloan LTV <= 80').map(({ line }) => line)).toEqual([1, 3]);
  });
});

/** The result with tranches, capital, an allowance, and falls that were sought. */
const WITH_BEARERS: DeskResult = (() => {
  const { STUDENT_T, ...others } = DESK_RESULT.Models;
  const tranche = {
    ...{ Attach: 0.1, Detach: 1, Size: 540_000, ExpectedLoss: 270, ExpectedLossPct: 0.05 },
    ...{ PrLoss: 0.01, PrFullLoss: 0, LossVar: { '0.99': 0 }, LossCVar: { '0.99': 27_000 } },
  };
  const Book = {
    ...STUDENT_T.Book,
    EconomicCapital: { '0.99': 19_500 },
    Tranches: { 'A-1': tranche },
    Credit: { ECL: 700, CECL: 900, CollateralShortfall: 0, Stages: {} },
  };
  const Accuracy = { 'Tranches A-1 ExpectedLossPct': { low: 0.02, high: 0.08 } };
  const found = (Name: string, Fall: number | null) => ({
    ...STRESSED,
    Name,
    Replay: null,
    Found: { Fall, Crossings: 1, Low: Fall && Fall - 0.02, High: Fall && Fall + 0.02 },
  });
  return {
    ...DESK_RESULT,
    Models: { ...others, STUDENT_T: { ...STUDENT_T, Book, Accuracy } },
    Stress: { Paths: 5000, Scenarios: [found('until loss 5m', 0.4), found('until loss 9m along BTC', null)] },
  };
})();

describe('A limit', () => {
  it.each([
    ['EconomicCapital 0.99 <= 19499', 'breached', 19_500, 'unknown', false],
    ['ECL <= 1000', 'ok', 700, 'unknown', false],
    ['tranche A-1 ExpectedLossPct <= 0.05%', 'close', 0.0005, 'known', true],
    ['tranche A-1 ExpectedLossPct <= 0.1%', 'ok', 0.0005, 'known', false],
    ['tranche A-1 PrLoss <= 0.9%', 'breached', 0.01, 'unknown', false],
    ['tranche A-1 LossCVar 0.99 <= 30000', 'close', 27_000, 'unknown', false],
    ['reverse loss 5m >= 30%', 'ok', 0.4, 'known', false],
    ['reverse loss 5m >= 36.1%', 'close', 0.4, 'known', false],
    ['reverse loss 5m >= 39%', 'close', 0.4, 'known', true],
    ['reverse loss 5m >= 40.1%', 'breached', 0.4, 'known', true],
    ['reverse loss 5m >= 50%', 'breached', 0.4, 'known', false],
    ['reverse loss 9m along BTC >= 50%', 'ok', 0.95, 'known', false],
  ])('of capital, allowance, tranche or fall: %s', (text, Status, Value, Sampling, WithinError) => {
    expect(judged(text, WITH_BEARERS)).toEqual([
      expect.objectContaining({ Status, Value, Sampling, WithinError }),
    ]);
  });

  it('on a fall says it the other way round, and more than the largest fall where none reaches the bound', () => {
    const [limit] = judged('reverse loss 9m along BTC >= 50%', WITH_BEARERS);
    expect(limitInWords(limit)).toBe('fall of prices before loss 9m along BTC at least 50.0 %');
    expect(intervalText(limit)).toBe('at least 95.0 %');
    expect(usedShare(limit)).toBeCloseTo(0.5 / 0.95, 12);
    expect(judged('reverse loss 1m >= 50%', WITH_BEARERS)).toMatchObject([{ Status: 'unknown' }]);
  });

  it.each([
    ['LossCVar 0.99 <= 50001', 'ok', 45_000],
    ['LossCVar 0.99 <= 50000', 'close', 45_000],
    ['LossCVar 0.99 <= 45000', 'close', 45_000],
    ['LossCVar 0.99 <= 44999', 'breached', 45_000],
    ['LossCVar 0.99 under GBM <= 44999', 'ok', 11_250],
    ['LossVar 0.99 <= 10000', 'breached', 20_000],
    ['ExpectedLoss <= 500', 'close', 500],
    ['PrLoss <= 5%', 'ok', 0.04],
    ['MarginCalls <= 2', 'ok', 1.4],
    ['MarginCalls 0.99 <= 2', 'breached', 3],
    ['ForcedSales 0.95 <= 10', 'ok', 2],
    ['ForcedSaleUsd 0.99 <= 1e6', 'ok', 500_000],
    ['PeakDay 0.95 <= 100000', 'breached', 200_000],
    ['book LTV <= 0.65', 'close', 0.6],
    ['called loans <= 1', 'close', 1],
  ])(
    'is judged from 90 %% of its bound on as close, and beyond it as breached: %s',
    (text, Status, Value) => {
      expect(judged(text)).toEqual([expect.objectContaining({ Status, Value, Of: null, Breaching: [] })]);
    },
  );

  it('of 0 is kept by a figure of 0, and breached by any other', () => {
    const Today = { ...DESK_RESULT.Today, Called: 0, Liquidated: 0 };
    expect(judged('called loans <= 0', { ...DESK_RESULT, Today })).toMatchObject([
      { Status: 'ok', Value: 0, Bound: 0 },
    ]);
    expect(judged('called loans <= 0\nPrLoss <= 0%')).toMatchObject([
      { Status: 'breached', Value: 1 },
      { Status: 'breached', Value: 0.04 },
    ]);
  });

  it('on loans, borrowers and assets names the largest, and all beyond the bound', () => {
    expect(judged('loan LTV <= 0.76\nborrower share <= 50%\nasset share <= 90%\nloan share <= 30%')).toEqual([
      expect.objectContaining({ Status: 'breached', Value: 0.8, Of: 'b', Breaching: ['b'] }),
      expect.objectContaining({
        Status: 'breached',
        Value: 2 / 3,
        Of: 'Ann & Sons',
        Breaching: ['Ann & Sons'],
      }),
      expect.objectContaining({ Status: 'ok', Value: 0.8, Of: 'BTC', Breaching: [] }),
      expect.objectContaining({ Status: 'breached', Breaching: ['<b>a</b>', 'b', 'c'] }),
    ]);
  });

  it('at the value itself is close, and not breached', () => {
    expect(judged('loan LTV <= 0.8')).toEqual([
      expect.objectContaining({ Status: 'close', Value: 0.8, Of: 'b', Breaching: [] }),
    ]);
  });

  it('on the share of a loan is of all that is lent', () => {
    expect(judged('loan share <= 0.5')).toMatchObject([{ Status: 'ok', Value: 1 / 3 }]);
  });

  it('counts loans that are liquidated as called', () => {
    const Today = { ...DESK_RESULT.Today, Called: 2, Liquidated: 1 };
    expect(judged('called loans <= 5', { ...DESK_RESULT, Today })).toMatchObject([
      { Status: 'ok', Value: 3 },
    ]);
  });

  it('on scenarios adds the loss of the replay and the mean loss after it', () => {
    const { Paths = 0, Scenarios = [] } = DESK_RESULT.Stress ?? {};
    const lossOf = (change: object) =>
      judged('scenario loss <= 1e9', {
        ...DESK_RESULT,
        Stress: { Paths, Scenarios: [{ ...Scenarios[1], ...change }] },
      })[0].Value;
    const Then = { ExpectedLoss: 30, LossVar: {}, LossCVar: {} };
    const Replay = { ...Scenarios[1].Replay, Loss: 100 };
    expect(lossOf({ Replay, Then })).toBe(130);
    expect(lossOf({ Replay: null, Then })).toBe(30);
    expect(lossOf({ Replay, Then: null })).toBe(100);
    expect(lossOf({ Replay: null, Then: null })).toBe(0);
  });

  it('on daily volumes takes the outermost level, or the one that it names', () => {
    const [outermost, named] = judged('PeakDay <= 40% of daily volume\nPeakDay 0.95 <= 40% of daily volume');
    expect([outermost.Value, named.Value]).toEqual([0.3, 0.2]);
  });

  it('on scenarios names the worst, and is unknown without scenarios', () => {
    const text = 'scenario loss <= 60000';
    expect(judged(text)).toEqual([
      expect.objectContaining({
        Status: 'breached',
        Value: 61_000,
        Of: 'covid-2020',
        Breaching: ['covid-2020'],
      }),
    ]);
    expect(judged(text, { ...DESK_RESULT, Stress: null })).toEqual([
      expect.objectContaining({ Status: 'unknown', Value: null, Of: null }),
    ]);
  });

  it('on daily volumes is unknown without a volume, but breached if another asset is beyond it', () => {
    expect(judged('PeakDay <= 40% of daily volume\nPeakDay <= 20% of daily volume')).toEqual([
      expect.objectContaining({ Status: 'unknown', Value: 0.3, Of: 'BTC', Unknown: ['WXYZ'] }),
      expect.objectContaining({ Status: 'breached', Value: 0.3, Of: 'BTC', Breaching: ['BTC'] }),
    ]);
  });

  it('on daily volumes is 0 for an asset that is never sold, with or without a volume', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const { WXYZ } = STUDENT_T.Book.Assets;
    const Assets = { WXYZ: { ...WXYZ, PeakDayCVar: { '0.95': 0, '0.99': 0 } } };
    const Models = {
      ...DESK_RESULT.Models,
      STUDENT_T: { ...STUDENT_T, Book: { ...STUDENT_T.Book, Assets } },
    };
    expect(judged('PeakDay <= 40% of daily volume', { ...DESK_RESULT, Models })).toMatchObject([
      { Status: 'ok', Value: 0, Unknown: [] },
    ]);
  });

  it('on daily volumes is 0 for dollars, which have no volume', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const { BTC, WXYZ } = STUDENT_T.Book.Assets;
    const judge = (Assets: Readonly<Record<string, typeof BTC>>) =>
      judged('PeakDay <= 40% of daily volume', {
        ...DESK_RESULT,
        Models: { ...DESK_RESULT.Models, STUDENT_T: { ...STUDENT_T, Book: { ...STUDENT_T.Book, Assets } } },
      });
    expect(judge({ BTC, USD: WXYZ })).toMatchObject([{ Status: 'ok', Value: 0.3, Of: 'BTC', Unknown: [] }]);
    expect(judge({ USD: WXYZ })).toMatchObject([{ Status: 'ok', Value: 0, Unknown: [] }]);
  });

  it('has the interval of its value, and says where this reaches over the bound', () => {
    const withErrors = (Accuracy: DeskResult['Accuracy']) => {
      const { STUDENT_T } = DESK_RESULT.Models;
      return { ...DESK_RESULT, Models: { ...DESK_RESULT.Models, STUDENT_T: { ...STUDENT_T, Accuracy } } };
    };
    const wide = withErrors({ 'LossCVar 0.99': { low: 40_000, high: 51_000 } });
    const judge = (text: string, result = wide) =>
      judged(text, result).map(({ Status, Interval, WithinError }) => [Status, Interval, WithinError]);
    const Interval = { low: 40_000, high: 51_000 };
    expect(judge('LossCVar 0.99 <= 51000')).toEqual([['ok', Interval, false]]);
    expect(judge('LossCVar 0.99 <= 50999')).toEqual([['ok', Interval, true]]);
    expect(judge('LossCVar 0.99 <= 44999')).toEqual([['breached', Interval, true]]);
    expect(judge('LossCVar 0.99 <= 40000')).toEqual([['breached', Interval, true]]);
    expect(judge('LossCVar 0.99 <= 39999')).toEqual([['breached', Interval, false]]);
    // The other methodology has no interval, and today has no error.
    expect(judge('LossCVar 0.99 under GBM <= 11251\nloan LTV <= 0.8')).toEqual([
      ['close', { low: null, high: null }, false],
      ['close', null, false],
    ]);
    const none = { low: null, high: null };
    const unknown = withErrors({ 'LossCVar 0.99': none });
    expect(judge('LossCVar 0.99 <= 45001', unknown)).toEqual([['close', none, false]]);
  });

  it.each([
    ['ExpectedLoss <= 501', 'ExpectedLoss'],
    ['PrLoss <= 5%', 'PrLoss'],
    ['LossVar 0.99 <= 20001', 'LossVar 0.99'],
    ['MarginCalls <= 2', 'MarginCalls Mean'],
    ['MarginCalls 0.95 <= 2', 'MarginCalls Quantiles 0.95'],
    ['ForcedSales <= 2', 'ForcedSales Mean'],
    ['ForcedSaleUsd 0.99 <= 600000', 'ForcedSaleUsd Quantiles 0.99'],
    ['PeakDay <= 70000', 'PeakDay Mean'],
  ])('on a simulated figure reads its interval: %s', (text, name) => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const Accuracy = { [name]: { low: 0, high: 1e9 } };
    const Models = { ...DESK_RESULT.Models, STUDENT_T: { ...STUDENT_T, Accuracy } };
    expect(judged(text, { ...DESK_RESULT, Models })).toMatchObject([
      { Interval: { low: 0, high: 1e9 }, WithinError: true },
    ]);
  });

  describe('on daily volumes', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const withSales = (Accuracy: DeskResult['Accuracy'], Assets = STUDENT_T.Book.Assets) => ({
      ...DESK_RESULT,
      Data: {
        ...DESK_RESULT.Data,
        Volumes: { ...DESK_RESULT.Data.Volumes, WXYZ: DESK_RESULT.Data.Volumes.BTC },
      },
      Models: {
        ...DESK_RESULT.Models,
        STUDENT_T: { ...STUDENT_T, Accuracy, Book: { ...STUDENT_T.Book, Assets } },
      },
    });
    const judge = (text: string, result: typeof DESK_RESULT) =>
      judged(text, result).map(each => [each.Status, each.Interval, each.WithinError, each.Sampling]);
    const whole = { 'PeakDay CVar 0.99': { low: 350_000, high: 600_000 } };

    it('has the interval of all sales where one asset is sold', () => {
      const Assets = { BTC: { ...STUDENT_T.Book.Assets.BTC, PeakDayCVar: { '0.99': 450_000 } } };
      const result = withSales(whole, Assets);
      const Interval = { low: 0.35, high: 0.6 };
      expect(judge('PeakDay <= 60% of daily volume', result)).toEqual([['ok', Interval, false, 'known']]);
      expect(judge('PeakDay <= 59% of daily volume', result)).toEqual([['ok', Interval, true, 'known']]);
      expect(judge('PeakDay <= 34% of daily volume', result)).toEqual([
        ['breached', Interval, false, 'known'],
      ]);
    });

    it('has the interval of all sales where these differ by rounding, and where nothing is sold', () => {
      const { BTC } = STUDENT_T.Book.Assets;
      const near = { BTC: { ...BTC, PeakDayCVar: { '0.99': 450_000.0001 } } };
      expect(judge('PeakDay <= 60% of daily volume', withSales(whole, near))).toEqual([
        ['ok', { low: 0.35, high: 0.6 }, false, 'known'],
      ]);
      const result = withSales(whole, { BTC: { ...BTC, PeakDayCVar: { '0.99': 0 } } });
      const calm = { ...result.Models.STUDENT_T.Book.PeakDay, CVar: { '0.99': 0 } };
      const Book = { ...result.Models.STUDENT_T.Book, PeakDay: calm };
      const Models = { ...result.Models, STUDENT_T: { ...result.Models.STUDENT_T, Book } };
      expect(judge('PeakDay <= 60% of daily volume', { ...result, Models })).toEqual([
        ['ok', { low: 0.35, high: 0.6 }, false, 'known'],
      ]);
    });

    it('is bounded by all sales where several are, and otherwise not known', () => {
      expect(judge('PeakDay <= 60% of daily volume', withSales(whole))).toEqual([
        ['ok', { low: null, high: 0.6 }, false, 'known'],
      ]);
      const none = { low: null, high: null };
      expect(judge('PeakDay <= 59% of daily volume', withSales(whole))).toEqual([
        ['ok', none, false, 'unknown'],
      ]);
      expect(judge('PeakDay <= 20% of daily volume', withSales(whole))).toEqual([
        ['breached', none, false, 'unknown'],
      ]);
      expect(judge('PeakDay <= 60% of daily volume', withSales({}))).toEqual([
        ['ok', none, false, 'unknown'],
      ]);
    });
  });

  it('on scenarios has the interval of the worst, and none where nothing is drawn', () => {
    const scenarios = (...intervals: readonly (Interval | null)[]) => ({
      ...DESK_RESULT,
      Stress: {
        Paths: 1,
        Scenarios: intervals.map((Interval, k) => ({
          ...STRESSED,
          ...{ Name: `s${k}`, Interval, Then: null, Replay: { ...REPLAY, Loss: 100 - k } },
        })),
      },
    });
    const judge = (bound: number, ...intervals: readonly (Interval | null)[]) => {
      const [limit] = judged(`scenario loss <= ${bound}`, scenarios(...intervals));
      return [limit.Status, limit.Interval, limit.WithinError, limit.Sampling, errorText(limit)];
    };
    const [known, none] = [
      { low: 95, high: 105 },
      { low: null, high: null },
    ];
    expect(judge(200, null, null)).toEqual(['ok', null, false, 'none', 'no sampling error']);
    expect(judge(50, null, none)).toEqual(['breached', null, false, 'none', 'no sampling error']);
    expect(judge(200, known, null)).toEqual(['ok', known, false, 'known', '']);
    expect(judge(102, known, null)).toEqual(['close', known, true, 'known', 'within the error of the limit']);
    expect(judge(200, none, null)).toEqual(['ok', none, false, 'unknown', 'sampling error unknown']);
    // The second matters where it is close to the bound.
    expect(judge(200, known, none)).toEqual(['ok', known, false, 'known', '']);
    expect(judge(106, known, none)).toEqual(['close', known, false, 'unknown', 'sampling error unknown']);
    // A value at the bound is no breach: its high end decides; one at 90 % of it is close.
    expect(judge(100, { low: null, high: 150 })[3]).toBe('known');
    expect(judge(110, known, none)[3]).toBe('unknown');
    expect(judge(106, null, none)).toEqual(['close', null, false, 'unknown', 'sampling error unknown']);
    expect(judge(99.5, none, known)).toEqual(['breached', none, false, 'unknown', 'sampling error unknown']);
    expect(judge(50, none, known)).toEqual(['breached', none, false, 'known', '']);
    expect(judge(50, none, none)).toEqual(['breached', none, false, 'unknown', 'sampling error unknown']);
    const [unknown] = judged('scenario loss <= 1', { ...DESK_RESULT, Stress: null });
    expect([unknown.Sampling, errorText(unknown)]).toEqual(['none', '']);
    // Figures of today are exact without a word on it.
    const [today] = judged('loan LTV <= 0.81');
    expect([today.Sampling, errorText(today)]).toEqual(['none', '']);
  });

  it('on scenarios is unknown for a window that no loan lives through, unless another is breached', () => {
    const cut = { ...STRESSED, Name: 'short', Replay: { ...REPLAY, Hours: 96, FollowedHours: 24, Loss: 0 } };
    const result = { ...DESK_RESULT, Stress: { Paths: 1, Scenarios: [STRESSED, cut] } };
    const [limit] = judged('scenario loss <= 1000000000', result);
    expect(limit).toMatchObject({ Status: 'unknown', Unknown: ['short (24 of 96 hours)'] });
    expect(whyUnknown(limit)).toBe('all loans end before the window does: short (24 of 96 hours)');
    expect(judged('scenario loss <= 1', result)[0].Status).toBe('breached');
  });

  it('is named with the unit of its value', () => {
    const [peak, share, calls, sales] = judged(
      'PeakDay <= 1e6\nPeakDay <= 40% of  daily volume\nMarginCalls <= 2\nForcedSales 0.99 <= 4',
    );
    expect(limitWords(peak)).toBe('sold within 24 hours, USD');
    expect(limitWords(share)).toBe('sold within 24 hours, share of the median daily volume of the asset');
    expect([valueText(peak, 61_234.4), valueText(share, 0.176), valueText(sales, 3)]).toEqual([
      '61,234',
      '17.6 %',
      '3',
    ]);
    expect([173.349, 0.0264, 1.4].map(value => valueText(calls, value))).toEqual(['173.3', '0.026', '1.4']);
  });

  it.each([
    [{ low: 1000, high: 2000 }, '1,000 to 2,000'],
    [{ low: null, high: 2000 }, 'at most 2,000'],
    [{ low: 1000, high: null }, 'at least 1,000'],
    [{ low: null, high: null }, ''],
    [null, ''],
  ])('shows the interval %j as “%s”', (Interval, text) => {
    const [limit] = judged('ExpectedLoss <= 5000');
    expect(intervalText({ ...limit, Interval })).toBe(text);
  });

  it('can be written on every figure', () => {
    const lines = Object.entries(LIMIT_SUBJECTS).map(([name, { level }]) =>
      named(`${name}${level === 'needed' ? ' 0.99' : ''} <= ${name.endsWith('Pct') ? '1%' : 1}`),
    );
    expect(judged(lines.join('\n'))).toHaveLength(lines.length);
  });
});
