/** A result of a run over a small tape, written by hand: two methodologies, three loans. */
import type { BookFigures, DeskResult, LoanLine, Losses } from '#src/desk/result.js';

const levels = (low: number, high: number) => ({ '0.95': low, '0.99': high });
const losses = (scale: number): Losses => ({
  ExpectedLoss: 500 * scale,
  PrLoss: 0.04,
  LossVar: levels(0, 20_000 * scale),
  LossCVar: levels(9_000 * scale, 45_000 * scale),
});
const book = (scale: number): BookFigures => ({
  LoanValue: 600_000,
  ...losses(scale),
  Unsold: losses(4 * scale),
  MarginCalls: { Mean: 1.4, Quantiles: levels(2, 3) },
  ForcedSales: { Mean: 0.9, Quantiles: levels(2, 3) },
  ForcedSaleUsd: { Mean: 90_000, Quantiles: levels(300_000, 500_000), CVar: levels(400_000, 550_000) },
  PeakDay: { Mean: 60_000, Quantiles: levels(200_000, 400_000), CVar: levels(300_000, 450_000) },
  Assets: {
    BTC: {
      CollateralShare: 0.8,
      PeakDayCVar: levels(200_000, 300_000),
      LossCVar: levels(5_000, 30_000 * scale),
    },
    WXYZ: {
      CollateralShare: 0.2,
      PeakDayCVar: levels(100_000, 150_000),
      LossCVar: levels(4_000, 15_000 * scale),
    },
  },
});
const loan = (
  Id: string,
  Borrower: string | null,
  LoanUsd: number,
  CollateralUsd: number,
  tail: number,
): LoanLine => ({
  Id,
  Borrower,
  Lines: [2],
  CollateralUsd,
  LoanUsd,
  Ltv: LoanUsd / CollateralUsd,
  MarginCallLtv: 0.75,
  LiquidationLtv: 0.85,
  Status: LoanUsd / CollateralUsd > 0.75 ? 'called' : 'within',
  Days: 30,
  FallingShare: 1,
  FallToCall: Math.max(0, 1 - LoanUsd / CollateralUsd / 0.75),
  FallToLiquidation: 1 - LoanUsd / CollateralUsd / 0.85,
  Levels: [{ Asset: 'BTC', Price: 50_000, CallPrice: 44_444.4, LiquidationPrice: null }],
  Figures: {
    PrMarginCall: 0.4,
    PrLiquidation: 0.02,
    PrCloseout: 0.3,
    PrUnderwater: 0.01,
    ExpectedLoss: tail / 90,
    CVarContribution: levels(tail / 5, tail),
  },
});

/** What `DESK_RESULT` may have been compared with. */
export const COMPARED: NonNullable<DeskResult['Compared']> = {
  File: 'before.json',
  AsOf: '2025-12-25T00:00Z',
  Changes: {
    New: ['n1', 'n2'],
    Gone: ['g'],
    LeftOut: [],
    Changed: [{ Id: 'b', Term: 'interest', Then: 0.1, Now: null }],
  },
  Status: [
    { Id: 'b', Then: 'within', Now: 'called' },
    { Id: 'c', Then: 'called', Now: 'within' },
  ],
  Steps: ['earlier book', 'prices', 'window and fit', 'composition', 'terms'].map((Step, k) => ({
    Step,
    Figures: {
      Loans: 2 + Number(k > 2),
      LoanUsd: 500_000,
      ExpectedLoss: 700 - 50 * k,
      LossVar: 1000,
      LossCVar: 2000 + 10 * k,
      MarginCalls: 1,
      PeakDay: 5,
    },
  })),
};

/** A call that `DESK_RESULT` may have. */
export const CALLS: DeskResult['Calls'] = [
  {
    Id: 'b',
    Borrower: 'Ann & Sons',
    CalledAt: '2025-12-31T10:00Z',
    CalledBy: 'tape',
    Deadline: '2026-01-01T10:00Z',
    HoursLeft: 10,
    LoanUsd: 200_000,
    CollateralUsd: 250_000,
    Ltv: 0.8,
    RecoveryLtv: 0.7,
    TopUpUsd: 35_714.28571428571,
    TopUp: [{ Asset: 'BTC', Units: 0.7142857142857142, Price: 50_000 }],
    RepayUsd: 25_000,
    Repay: { Asset: 'USD', Units: 25_000, Price: 1 },
  },
];

const ACCURACY = { 'LossVar 0.99': { low: 18_000, high: 22_500 } };

const JUDGED_DAYS = { From: '2023-10-24', To: '2024-06-29' };
/** From the first judged day on, day by day. */
const HITS = Array.from({ length: 9 }, (_, k) =>
  new Date(Date.parse(JUDGED_DAYS.From) + k * 86_400_000).toISOString().slice(0, 10),
);

export const DESK_RESULT: DeskResult = {
  Title: 'Loans of today',
  MadeAt: '2026-01-02T08:00:00.000Z',
  Tape: {
    File: 'tape.csv',
    Sha256: 'ab'.repeat(32),
    Rows: 4,
    Loans: 3,
    NotUsed: ['Desk'],
    Source: [],
    LeftOut: [
      {
        Code: 'malformed',
        Line: 5,
        Id: 'd',
        Column: 'maturity',
        Message: '"soon" is not a date',
        Remedy: 'Write 2026-01-31.',
      },
    ],
    LeftOutOwed: { Usd: 82_698, Unknown: 0 },
    Remarks: [],
    Notes: [{ Note: 'no-maturity', Sentence: 'without a maturity: followed to the horizon.', Ids: ['a'] }],
  },
  Data: {
    AsOf: '2026-01-01T00:00Z',
    Market: 'store; version=0123456789ab',
    Synthetic: false,
    Prices: { BTC: 50_000, USD: 1, WXYZ: 0.25 },
    Carried: ['WXYZ'],
    Behind: null,
    Volumes: { BTC: { MedianDailyUsd: 1_000_000, Days: 90, Markets: ['BTC/USD kraken'] }, WXYZ: null },
  },
  Run: {
    Version: '0.4.0',
    Seed: 1,
    Types: ['STUDENT_T', 'GBM'],
    Headline: 'STUDENT_T',
    LookbackDays: 365,
    Paths: 20_000,
    HorizonDays: 30,
    Levels: [0.95, 0.99],
    SaleDelayHours: 24,
    SaleCost: 0.01,
    Command: 'collateral-risk-engine book tape.csv',
  },
  Today: {
    CollateralUsd: 1_000_000,
    LoanUsd: 600_000,
    Ltv: 0.6,
    Called: 1,
    Liquidated: 0,
    Bands: [
      { Name: 'below 0.5', Loans: 1, LoanUsd: 200_000, CollateralUsd: 500_000 },
      { Name: '0.5 to 0.9', Loans: 2, LoanUsd: 400_000, CollateralUsd: 500_000 },
      { Name: 'above 0.9', Loans: 0, LoanUsd: 0, CollateralUsd: 0 },
    ],
    Assets: [
      { Name: 'BTC', Loans: 2, LoanUsd: 400_000, CollateralUsd: 800_000 },
      { Name: 'WXYZ', Loans: 1, LoanUsd: 200_000, CollateralUsd: 200_000 },
    ],
    Borrowers: [
      { Name: 'Ann & Sons', Loans: 2, LoanUsd: 400_000, CollateralUsd: 750_000 },
      { Name: 'c', Loans: 1, LoanUsd: 200_000, CollateralUsd: 250_000 },
    ],
  },
  Models: {
    STUDENT_T: {
      Book: book(1),
      Borrowers: { 'Ann & Sons': { ExpectedLoss: 300, CVarContribution: levels(6_000, 30_000) } },
      Warnings: [],
      Paths: 20_000,
      Accuracy: ACCURACY,
    },
    GBM: { Book: book(0.25), Warnings: [], Paths: 20_000, Accuracy: {} },
  },
  Accuracy: ACCURACY,
  Scenario: {
    Path: 17,
    Rank: 20,
    Scenarios: 2000,
    Larger: 0.0095,
    Loss: 20_400,
    Followed: {
      Loss: 20_400,
      Called: 2,
      ClosedOut: 1,
      Liquidated: 0,
      ForcedSaleUsd: 180_000,
      PeakDayUsd: 180_000,
      ToppedUpUsd: 0,
      Lowest: 1.1,
    },
    Hours: {
      Hour: [0, 1, 30, 54],
      Prices: { BTC: [1, 0.98, 0.7, 0.72], WXYZ: [1, 1, 0.5, 0.6], USD: [1, 1, 1, 1] },
      Ccr: [1.5, 1.4, 1.1, 1.2],
      Calls: [0, 1, 1, 0],
      Orders: [0, 0, 1, 0],
      ForcedSaleUsd: [0, 0, 0, 180_000],
      ToppedUpUsd: [0, 0, 0, 0],
      Loss: [0, 0, 0, 20_400],
    },
    Loans: {
      a: {
        LoanValue: 200_000,
        Loss: 20_400,
        ForcedSaleUsd: 180_000,
        ToppedUpUsd: 0,
        Events: [
          { Hour: 1, Event: 'called', Ccr: 1.25 },
          { Hour: 30, Event: 'closed out', Ccr: 0.95 },
        ],
        MoreEvents: 1,
      },
    },
    MoreLoans: 0,
  },
  Backtest: {
    Basket: { BTC: 0.8, WXYZ: 0.2 },
    Models: {
      STUDENT_T: {
        Forecasts: 250,
        Carried: 0,
        ...JUDGED_DAYS,
        Levels: { '0.99': { Exceedances: 3, Expected: 2.5, KupiecP: 0.7, Z2P: 0.4, Days: HITS.slice(0, 3) } },
      },
      GBM: {
        Forecasts: 250,
        Carried: 0,
        ...JUDGED_DAYS,
        Levels: { '0.99': { Exceedances: 9, Expected: 2.5, KupiecP: 0.001, Z2P: 0.001, Days: HITS } },
      },
    },
  },
  Stress: {
    Paths: 5000,
    Scenarios: [
      {
        Name: 'base',
        Title: 'As it is',
        Ltv: 0.6,
        Called: { Loans: 1, LoanUsd: 200_000 },
        Liquidated: { Loans: 0, LoanUsd: 0 },
        Replay: null,
        Then: losses(1),
        Interval: { low: 400, high: 620 },
        Largest: ['<b>a</b>'],
      },
      {
        Name: 'covid-2020',
        Title: 'Fall of all markets, March 2020',
        Ltv: 0.6,
        Called: { Loans: 1, LoanUsd: 200_000 },
        Liquidated: { Loans: 0, LoanUsd: 0 },
        Replay: {
          Hours: 96,
          FollowedHours: 96,
          Matured: 0,
          Called: 3,
          ClosedOut: 1,
          Liquidated: 2,
          CalledAtEnd: 0,
          Loss: 61_000,
          ForcedSaleUsd: 500_000,
          PeakDayUsd: 400_000,
          Lowest: 0.8,
        },
        Then: null,
        Interval: null,
        Largest: ['b', 'c'],
      },
    ],
  },
  Compared: null,
  Missing: ['The back-test of FHS is left out: no prices.'],
  Limits: null,
  Loans: [
    loan('<b>a</b>', 'Ann & Sons', 200_000, 500_000, 25_000),
    loan('b', 'Ann & Sons', 200_000, 250_000, 15_000),
    loan('c', null, 200_000, 280_000, 5_000),
  ],
  Calls: [],
  Warnings: [
    {
      Code: 'gbm-tail',
      Sentence: 'The law is normal.',
      Message: 'GBM is too low beyond 99 %.',
      Models: ['GBM'],
    },
  ],
};
