/** What the console says in sentences, and how it writes figures, coverage and refusals. */
import { describe, expect, it } from 'vitest';
import { coverageLabel, coverageScale } from '../../console/src/ui/coverage.ts';
import { figureName, inOrder } from '../../console/src/ui/figure-names.ts';
import { outOfMany } from '../../console/src/ui/format.ts';
import { inWords, placeInWords } from '../../console/src/ui/member-words.ts';
import { heldText, shownText } from '../../console/src/ui/typed-numbers.ts';
import { accountSentences } from '../../console/src/words/account.ts';
import { bookSentences, reportLevels, shockSentences, tapeSentences } from '../../console/src/words/book.ts';
import { lossOf, perpetualSentences, varSentences } from '../../console/src/words/exposure.ts';
import { cappedSentences, loanSentences, originationSentences } from '../../console/src/words/loan.ts';

/** Spaces that do not break, as plain ones. */
const plain = (sentences: readonly string[]) => sentences.map(each => each.replaceAll('\u00a0', ' '));

const LOAN = {
  PrMarginCall: 0.319,
  PrLiquidation: 0.02,
  PrCloseout: 0.1,
  PrUnderwater: 0.0042,
  AvgLossPct: 0.0121,
};
const TERMS = { loan_duration: 30, loan_value: 1_000_000 };

describe('a loan in words', () => {
  it('tells calls, forced sales, prices and the shortfall', () => {
    const model = {
      levels: {
        BTC: { price: 100_000, margin_call: { price: 86_667 }, liquidation: { price: 76_471 } },
      },
    };
    expect(plain(loanSentences(LOAN, TERMS, model))).toEqual([
      'In 32 of 100 scenarios the loan is called within 30 days; in 12 of 100 its collateral is sold by force.',
      'BTC, now at 100,000 USD, calls the loan at 86,667 (-13.3 %) and liquidates it at 76,471 (-23.5 %).',
      'The debt is above the collateral at some time in 42 of 10,000 scenarios. If nothing were sold, the mean shortfall at the end would be 121 USD of 1 million.',
    ]);
  });

  it('has no word of calls for a loan that is liquidated where it would be called', () => {
    const model = {
      levels: {
        BTC: { price: 100_000, margin_call: { price: 86_667 }, liquidation: { price: 86_667 } },
      },
    };
    const figures = { ...LOAN, PrMarginCall: 0.319, PrLiquidation: 0.319, PrCloseout: 0 };
    const [happens, level] = plain(loanSentences(figures, { ...TERMS, M: 1.2, L: 1.2 }, model));
    expect(happens).toBe('In 32 of 100 scenarios the loan is liquidated within 30 days.');
    expect(level).toBe('BTC, now at 100,000 USD, liquidates the loan at 86,667 (-13.3 %).');
  });

  it('puts the asset that has to fall least first, and tells a level that is passed', () => {
    const model = {
      levels: {
        BTC: { price: 100, margin_call: { price: 50 }, liquidation: { price: null } },
        ETH: { price: 10, margin_call: { price: 11 }, liquidation: { price: 8 } },
        SOL: { price: null, margin_call: { price: null }, liquidation: { price: null } },
      },
    };
    expect(plain(loanSentences(LOAN, TERMS, model)).slice(1, 4)).toEqual([
      'Where one price moves alone:',
      'ETH, now at 10.00 USD, calls the loan at 11.00, which is passed and liquidates it at 8.00 (-20 %).',
      'BTC, now at 100.00 USD, calls the loan at 50.00 (-50 %).',
    ]);
  });

  it('tells the rise of an asset of the loan', () => {
    const model = {
      levels: {
        USDC: { price: 1, margin_call: { price: 0.8 }, liquidation: { price: 0.7 } },
        BTC: {
          price: 100_000,
          margin_call: { price: 110_000, rise: true },
          liquidation: { price: 125_000, rise: true },
        },
        ETH: { price: 10, margin_call: { price: 9, rise: true }, liquidation: { price: 12, rise: true } },
      },
    };
    expect(plain(loanSentences(LOAN, TERMS, model)).slice(1, 5)).toEqual([
      'Where one price moves alone:',
      'ETH, now at 10.00 USD, calls the loan at 9.00, which is passed and liquidates it at 12.00 (+20 %).',
      'BTC, now at 100,000 USD, calls the loan at 110,000 (+10 %) and liquidates it at 125,000 (+25 %).',
      'USDC, now at 1.00 USD, calls the loan at 0.800 (-20 %) and liquidates it at 0.700 (-30 %).',
    ]);
  });

  it.each([
    [
      { PrMarginCall: 0, PrLiquidation: 0, PrCloseout: 0 },
      /^In no scenario .*; its collateral is never sold/,
    ],
    [
      { PrMarginCall: 1, PrLiquidation: 0.2, PrCloseout: 0.8 },
      /^The loan is called in every .* in all of them/,
    ],
  ])('tells the ends: %o', (figures, said) => {
    expect(loanSentences({ ...LOAN, ...figures }, TERMS)[0]).toMatch(said);
  });

  it('tells how much may be lent, by an LTV', () => {
    const terms = {
      ...TERMS,
      opt_param: { score_variable: 'PrLiquidation', score_target: 0.05, error_tolerance: 0.001 },
    };
    const mostly = { N: 1.32, M: 1.2, PrCloseout: 0.56, Candidates: { '1.25': 0.05, '1.32': 0.05 } };
    const [none, roots] = plain(originationSentences(mostly, terms, 'ltv'));
    expect(none).toBe(
      'No amount to lend: at an LTV of 75.8 % the chance of a liquidation is then 5 %, within 0.1 %, because 56 % of loans are closed out before. Ask for forced sales, which count both.',
    );
    expect(roots).toMatch(/^The same holds at an LTV of 80 %,/);
    expect(plain(originationSentences({ N: 1.6, M: 1.25 }, terms, 'ltv'))).toEqual([
      'Lend up to 62.5 % of the value of the collateral: the chance of a liquidation is then 5 %, within 0.1 %.',
      '1 million USD need collateral of 1.6 million USD; the margin call is at an LTV of 80 %.',
    ]);
  });

  it('tells what the market takes against the size of the loan', () => {
    const output = { ...LOAN, 'Maximum Market Daily Liquidation': 5e6, AvgLiquidation: 2e7 };
    expect(plain(cappedSentences(output, { ...TERMS, loan_value: 1e8 }))[1]).toBe(
      'The market takes 5 million USD a day at this participation; the loan is 100 million USD. Where collateral is sold, it is 20 million USD on average: what the market takes in 4 days.',
    );
  });
});

describe('an exposure in words', () => {
  const TAILS = {
    CollateralVar: 1_431_151,
    CollateralCVar: 1_400_000,
    LoanVar: 1_000_000,
    LoanCVar: 1_000_000,
    NetExposureVar: 431_151,
    NetExposureCVar: 400_000,
  };
  const USD = { collateral_value: 1_500_000, loan_value: 1_000_000 };

  it('is a loss where the interface has a value', () => {
    expect(varSentences({ '1': { '0.95': TAILS, '0.99': TAILS }, 'Market Volatility': 0.5 }, USD)).toEqual([
      'In one of a hundred periods of 1 day collateral less debt loses more than 68,849 USD, and is worth 431,151; over the worse ones the mean is a loss of 100,000 USD.',
      'Value at risk of the collateral alone: 68,849 USD; it is worth 1,431,150 then, and 1,500,000 today.',
    ]);
    const large = { collateral_value: 123_456_789, loan_value: 100_000_000 };
    const tails = {
      CollateralVar: 101_234_567,
      CollateralCVar: 1,
      NetExposureVar: 12.34567,
      NetExposureCVar: 1,
    };
    expect(varSentences({ '7': { '0.95': tails } }, large)).toEqual([
      'In one of twenty periods of 7 days collateral less debt loses more than 23,456,800 USD, and is worth 12.35; over the worse ones the mean is a loss of 23,456,800 USD.',
      'Value at risk of the collateral alone: 22,222,200 USD; it is worth 101,235,000 then, and 123,456,789 today.',
    ]);
    expect(lossOf('LoanCVar', 900_000, USD)).toBe(100_000);
    expect(lossOf('NetExposureCVar', 600_000, USD)).toBe(-100_000);
  });

  it('tells a position by its margin', () => {
    const terms = { initial_margin: 6000, trade_duration_hours: 168, contract_type: 'linear', market: 'BTC' };
    const results = { PrLiquidation: 0.24, Roi: { q05: -1, q50: 0.02 }, FinalEquity: { q05: 0 } };
    expect(plain(perpetualSentences(results, terms))).toEqual([
      'In 24 of 100 scenarios the position is liquidated within 7 days.',
      'In the middle of the scenarios it gains 2 % of its margin of 6,000 USD; in one of twenty nothing of it is left.',
    ]);
    const calm = { PrLiquidation: 0, Roi: { q05: -0.5, q50: 0.02 }, FinalEquity: { q05: 3000 } };
    expect(plain(perpetualSentences(calm, terms))[1]).toMatch(
      /; in one of twenty it loses 50 % or more, and 3,000 USD or less is left\.$/,
    );
  });

  it('tells a book at the 99 % level, with its interval', () => {
    const by = (value: number) => ({ '0.99': value, '0.999': 10 * value });
    const amounts = { Mean: 1e6, Quantiles: by(3e6), CVar: by(4e6) };
    const losses = { ExpectedLoss: 500, PrLoss: 0.05, LossVar: by(412_000), LossCVar: by(600_000) };
    const book = {
      ...losses,
      LoanValue: 3e7,
      Unsold: losses,
      MarginCalls: { Mean: 17.65, Quantiles: by(53) },
      ForcedSales: { Mean: 17.2, Quantiles: by(40) },
      ForcedSaleUsd: amounts,
      PeakDay: amounts,
      Assets: {},
    };
    const [first, second] = bookSentences(book, 60, 30, { 'LossVar 0.99': { low: 4e5, high: 4.2e5 } });
    expect(first).toBe(
      'In one of a hundred periods of 30 days the book loses more than 412,000 USD (sampling alone: 400,000 to 420,000); the mean of those losses is 600,000 USD. The expected loss is 500 USD.',
    );
    expect(second).toContain('60 loans of 30 million USD: on average 17.7 are called');
    expect(second).toMatch(/; in one of a hundred periods 53 or more are called\.$/);
    const [, chain] = bookSentences(book, 60, 30, {}, true);
    expect(chain).toBe(
      '60 loans of 30 million USD: on average 17.2 are sold by force; in one of a hundred periods 53 or more are liquidated.',
    );
    const calm = {
      ...book,
      MarginCalls: { Mean: 0.001, Quantiles: by(0) },
      PeakDay: { ...amounts, Quantiles: by(0) },
    };
    const [, calls, sales] = bookSentences(calm, 60, 30, {});
    expect(calls).toMatch(/; in 99 % of periods none is called\.$/);
    expect(sales).toMatch(/^In 99 % of periods nothing is sold\. /);
  });
});

describe('a book beside its figures', () => {
  it('has the level of its sentences as that of the headline of its report', () => {
    expect(reportLevels(['0.5', '0.9', '0.95', '0.99', '0.995', '0.999'])).toEqual([0.9, 0.95, 0.99]);
    expect(reportLevels(['0.999', '0.995'])).toEqual([0.995]);
    expect(reportLevels(['0.5', '0.75'])).toEqual([0.75]);
  });

  it('tells the tape at its closes, and the loans that are left out', () => {
    const terms = { margin_call_ltv: 0.75, liquidation_ltv: 0.85 };
    const loan = (id: string, loanAmount: number) => ({
      ...{ id, lines: [2], loanAsset: 'USD', loanAmount, terms },
      collateral: [{ asset: 'BTC', amount: 1 }],
    });
    const prices = new Map([
      ['BTC', 50_000],
      ['USD', 1],
    ]);
    const faults = [{ code: 'malformed' as const, line: 4, id: 'c', message: 'no', remedy: 'Correct it.' }];
    expect(
      tapeSentences({
        loans: [loan('a', 40_000), loan('b', 51_000)],
        prices,
        faults,
        leftOut: { usd: 5000, unknown: 0 },
        notes: new Map([['overdue', ['b']]]),
      }),
    ).toEqual([
      'The book holds 2 loans of 91,000 USD against collateral of 100,000 USD: an LTV of 91.0 %. 1 loan of the tape of 5,000 USD is left out for faults and not in any figure or limit: c.',
      'Today 1 loan is in margin call and 1 loan is beyond the liquidation LTV.',
      '1 loan of 51,000 USD is past maturity and simulated as due now: b.',
      '1 loan owes more than its collateral is worth today: 1,000 USD are not covered (b).',
    ]);
    expect(
      tapeSentences({
        loans: [loan('a', 30_000)],
        prices,
        faults: [],
        leftOut: { usd: 0, unknown: 0 },
        notes: new Map(),
      }),
    ).toEqual([
      'The book holds 1 loan of 30,000 USD against collateral of 50,000 USD: an LTV of 60.0 %.',
      'No loan is in margin call today.',
    ]);
  });

  it('tells what the form changes before the first step', () => {
    expect(shockSentences(0, '', 0)).toEqual([]);
    expect(shockSentences(30, '', 0.5)).toEqual([
      'Before the first step all coins fall by 30 %.',
      'Volatilities are 50 % above those of the window.',
    ]);
    expect(shockSentences(7, 'ETH', -0.25)).toEqual([
      'Before the first step ETH falls by 7 %.',
      'Volatilities are 25 % below those of the window.',
    ]);
    expect([...shockSentences(-50, '', 0), ...shockSentences(-50, 'BTC', 0)]).toEqual([
      'Before the first step all coins rise by 50 %.',
      'Before the first step BTC rises by 50 %.',
    ]);
  });
});

describe('a chance in words', () => {
  it.each([
    [0, 'none'],
    [0.319, '32 of 100'],
    [0.0424, '42 of 1,000'],
    [0.0015, '15 of 10,000'],
    [0.00141, '15 of 10,000'],
    [0.00996, '10 of 1,000'],
    [0.001, '1 of 1,000'],
    [0.000065, '1 of 15,000'],
    [0.00005, '1 of 20,000'],
    [1, 'all'],
  ])('%f is %s', (share, words) => {
    expect(outOfMany(share)).toBe(words);
  });
});

describe('coverage as loan-to-value', () => {
  it.each([
    ['65', 'ltv'],
    ['72.5', 'ltv'],
    ['33.3', 'ltv'],
    ['a', 'ltv'],
    ['-5', 'ltv'],
    ['', 'ltv'],
    ['1.5', 'ccr'],
  ] as const)('%s comes back as it was typed, as %s', (typed, unit) => {
    const scale = coverageScale(unit);
    expect(shownText(heldText(typed, 'ratio', scale), scale, 'en')).toBe(typed);
  });

  it('is rounded where nobody typed it', () => {
    expect(shownText('1.2', coverageScale('ltv'), 'en')).toBe('83.33');
    expect(shownText('5', coverageScale('ltv'), 'de')).toBe('20');
  });

  it('is written with its unit', () => {
    expect(coverageLabel(1.25, 'ltv')).toBe('80\u00a0%');
    expect(coverageLabel(1.25, 'ccr')).toBe('1.25');
  });
});

describe('names', () => {
  it('are plain, and follow how coverage is shown', () => {
    expect(figureName('PrUnderwater').label).toBe('Chance of being under water');
    expect(figureName('WorstCaseCCR', 'ltv').label).toBe('Highest LTV');
    expect(figureName('WorstCaseCCR', 'ccr').label).toBe('Lowest coverage');
    expect(figureName('A new figure')).toEqual({ label: 'A new figure', unit: 'number', meaning: '' });
  });

  it('stand in the order in which people ask', () => {
    expect(inOrder(['Loan Volatility', 'PrCloseout', 'other', 'PrMarginCall'])).toEqual([
      'PrMarginCall',
      'PrCloseout',
      'Loan Volatility',
      'other',
    ]);
  });

  it.each([
    [
      'loan_duration must be above 0 and at most 3650 days; got -1',
      'Term must be above 0 and at most 3650 days; got -1',
    ],
    ['loan must be an object', 'Loan, units must be an object'],
    ['a loan of the market', 'a loan of the market'],
    [
      'PrCloseout is 0.7: PrLiquidation is low',
      'The chance of a closeout is 0.7: The chance of a liquidation is low',
    ],
  ])('of members in "%s" are those of the page', (message, words) => {
    expect(inWords(message)).toBe(words);
  });

  it.each([
    [
      'params.initial_ltv',
      'initial_ltv must be from 0.01 and below 1.5, as a fraction: 2 per cent is 0.02; got 2',
      'initial LTV must be from 1 % and below 150 %; got 200 %',
    ],
    [
      'params.initial_ltv',
      'initial_ltv must be at most margin_call_ltv (0.75); got 0.9',
      'initial LTV must be at most margin call LTV (75 %); got 90 %',
    ],
    [
      'params.interest_rate',
      'interest_rate must be from -0.5 to 10 a year; got "x"',
      'Interest must be from -50 % to 1,000 % a year; got "x"',
    ],
    [
      'params.loan_weights',
      'loan_weights must be weights that sum to 1 within 1e-6; got a sum of 0.9',
      'Loan must be weights that sum to 100 % within 0.0001 %; got a sum of 90 %',
    ],
    [
      'params.opt_param.score_target',
      'score_target must be within error_tolerance of a score of the range: 0.9 at N = 1.2; got 0.05',
      'Target must be within Tolerance of a score of the range: 90 % at N = 1.2; got 5 %',
    ],
    [
      'params.opt_param.score_target',
      'opt_param.score_target must be from 0 to 100 for WorstCaseCCR; got 500',
      'Target must be from 0 to 100 for the lowest coverage; got 500',
    ],
    [
      'params.loan_value',
      'loan_value must be above 0 and at most 1e15 USD; got "1.500?"',
      'Size of the loan can be read in two ways: "1.500"; choose one at its field',
    ],
  ])('of limits are in the unit of the field: %s', (path, message, words) => {
    expect(inWords(message, path).replaceAll('\u00a0', ' ')).toBe(words);
  });

  it('of places are those of the page', () => {
    expect(placeInWords('params.loan_duration')).toBe('Term');
    expect(placeInWords('params.collateral.BTC')).toBe('Collateral, units, BTC');
    expect(placeInWords('body')).toBe('body');
  });
});

describe('an account in words', () => {
  const now = {
    Equity: 25_000,
    MarginEquity: 25_000,
    MaintenanceMargin: 8_100,
    MarginRatio: 0.324,
    EffectiveLeverage: 21.6,
    LiquidationPrices: { BTC: { Below: 57_147.68, Above: null }, ETH: { Below: null, Above: 3_276.14 } },
    UniformShock: { Down: -0.098313, Up: null },
  };
  const results = {
    Now: now,
    PrMarginCall: 0.36868,
    PrForcedClose: 0.30609,
    PrLiquidation: 0.08839,
    PrShortfall: 0,
    FinalEquity: { q05: 1_234.4 },
    Loss: {},
    Positions: [
      { id: '1', market: 'BTC', PrForcedClose: 0.3, ShareClosed: 0.18, Funding: 0 },
      { id: 'short', market: 'ETH', PrForcedClose: 0.306, ShareClosed: 0.19, Funding: 0 },
    ],
  };
  const marks = { BTC: 60_000, ETH: 3_000 };

  it('tells what moves of prices liquidate it, which position is closed, and what is left', () => {
    expect(plain(accountSentences(results, 168, marks))).toEqual([
      'A fall of all prices by 9.83 % makes the account liquidatable now.',
      'BTC alone, 4.75 % lower, makes the account liquidatable.',
      'In 31 of 100 scenarios positions are closed by force within 7 days, short most often; in 88 of 1,000 none is left.',
      'In 1 of 20 scenarios 1,234 USD or less of 25,000 are left.',
    ]);
  });

  it('tells of no move beyond tenfold, and of none where nothing is closed', () => {
    const steady = {
      ...results,
      PrForcedClose: 0,
      Now: { ...now, LiquidationPrices: {}, UniformShock: { Down: null, Up: 1029 } },
    };
    expect(plain(accountSentences(steady, 5, marks)).slice(0, 2)).toEqual([
      'No fall of all prices together makes the account liquidatable, and no rise below tenfold.',
      'In no scenario is a position closed by force within 5 hours.',
    ]);
  });
});
