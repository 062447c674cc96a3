/** An answer of each operation as openapi.json describes it; the figures mean nothing. */
import { MODELS } from '#src/core/plan/models.js';
import { PRODUCTS } from '#src/core/plan/products.js';
import type { OperationAnswer } from '#src/question/question.js';
import {
  ACCOUNT,
  ADVANCE_RATE,
  LOAN_ORIGINATION,
  LOAN_RISK,
  LOW_LIQUIDITY,
  PERPETUAL,
  VALUE_AT_RISK,
} from './request-bodies.ts';

const common = {
  engine: { backend: 'cpu', device: 'test processor, 2 threads', software: false },
  filled: [{ symbol: 'USDC', count: 9, unit: 'day' }],
  basis: { gridHours: 24, paths: 1000 },
  plan: {
    seed: 0,
    paths: 1000,
    scenarios: MODELS.gbm.usual(2),
    product: PRODUCTS.loan.usual.terms(2)[0],
  },
} as const;

const states = {
  PrCloseout: 0.5,
  PrLiquidation: 0.25,
  PrMarginCall: 0.75,
  PrUnderwater: 0.125,
  WorstCaseCCR: 0.9,
};
const loan = { ...states, AvgLossPct: 1.5, AvgSurvivalRate: 0.5 };
const tails = {
  CollateralVar: 7000,
  CollateralCVar: 6900,
  LoanVar: 4900,
  LoanCVar: 4800,
  NetExposureVar: 2000,
  NetExposureCVar: 1900,
};
const ratesOfHours = {
  Confidence: { '0.99': { AdvanceRate: 0.8, Haircut: 0.2, TriggerRatio: 1.25, ExpectedLossPct: 0.05 } },
  ExpectedLoss: { '0.001': { AdvanceRate: 0.85, PrLoss: 0.02 } },
  AdvanceRate: { '0.7206': { PrLoss: 0, ExpectedLossPct: 0, LossGivenLossPct: null } },
};
const quantiles = (values: number) =>
  Object.fromEntries(['01', '05', '10', '25', '50', '75', '90', '95', '99'].map(q => [`q${q}`, values]));

/** An answer of each operation, by its path. */
export const ANSWERS = {
  '/loan_risk': {
    ...common,
    resultMember: 'Output',
    arguments: { ...LOAN_RISK.params, volatility_shock: 0 },
    result: loan,
  },
  '/loan_origination': {
    ...common,
    resultMember: 'Output',
    arguments: { ...LOAN_ORIGINATION.params, N: 1.5, M: 1.3, R: 1.5, volatility_shock: 0 },
    result: { ...loan, N: 1.5, M: 1.3 },
  },
  '/var': {
    ...common,
    resultMember: 'Output',
    arguments: { ...VALUE_AT_RISK.params, lookback_factor: 1, volatility_shock: 0 },
    result: { '1': { '0.95': tails, '0.99': tails }, '30': { '0.95': tails, '0.99': tails } },
  },
  '/advance_rate': {
    ...common,
    resultMember: 'Output',
    arguments: { ...ADVANCE_RATE.params, measure: 'lowest', sale_cost: 0, volatility_shock: 0 },
    result: { '24': ratesOfHours, '48': ratesOfHours },
  },
  '/loan_risk_low_liquidity': {
    ...common,
    resultMember: 'Output',
    arguments: { ...LOW_LIQUIDITY.params, volatility_shock: 0 },
    result: {
      ...states,
      AvgMarginCall: 100,
      AvgLiquidation: 200,
      'Volume Summary (per Million)': {
        Mean: 3,
        Minimum: 1,
        '25% Quantile': 2,
        Median: 3,
        '75% Quantile': 4,
        Maximum: 5,
      },
      'Maximum Market Daily Liquidation': 300_000,
    },
  },
  '/isolated_perp_risk': {
    ...common,
    resultMember: 'Results',
    arguments: { ...PERPETUAL, unrealized_pnl: 0, volatility_shock: 0 },
    result: {
      PrMarginCall: 0.5,
      PrLiquidation: 0.25,
      Roi: quantiles(0.1),
      AccFunding: quantiles(-1),
      MaxEquityDrawDown: quantiles(-5),
      Leverage: quantiles(2),
      FinalEquity: quantiles(9000),
    },
  },
  '/cross_perp_risk': {
    ...common,
    resultMember: 'Results',
    arguments: {
      ...ACCOUNT.params,
      rules: { strict: false, close: { rule: 'all' } },
      margin_call_ratio: 0.8,
      slippage: 0,
      slippage_growth: 0,
      feed_lag_hours: 0,
      intra_hour: 'bridge',
      funding_method: 'flat',
      quantile: [0.95],
      volatility_shock: 0,
    },
    result: {
      Now: {
        Equity: 10_000,
        MarginEquity: 10_000,
        MaintenanceMargin: 500,
        MarginRatio: 0.05,
        EffectiveLeverage: 10,
        LiquidationPrices: { BTC: { Below: 90_000, Above: null } },
        UniformShock: { Down: -0.1, Up: null },
      },
      PrMarginCall: 0.5,
      PrForcedClose: 0.25,
      PrLiquidation: 0.25,
      PrTakenOver: 0,
      PrShortfall: 0,
      ByDay: { MarginCall: [0.5], ForcedClose: [0.25], Liquidation: [0.25] },
      Roi: quantiles(0.1),
      AccFunding: quantiles(-1),
      MaxEquityDrawDown: quantiles(-5),
      Leverage: quantiles(2),
      FinalEquity: quantiles(9000),
      Loss: {
        '0.95': {
          Var: 5000,
          CVar: 6000,
          Contributions: { Positions: { 1: 6000 }, Collateral: { USD: 0 }, Fund: 0 },
        },
      },
      Fees: { Mean: 1, CVar: { '0.95': 20 } },
      FundShortfall: { Mean: 0, CVar: { '0.95': 0 } },
      TakenOver: { Mean: 0 },
      Deleveraged: { Mean: 0 },
      Positions: [{ id: '1', market: 'BTC', PrForcedClose: 0.25, ShareClosed: 0.25, Funding: -1 }],
    },
  },
} satisfies Record<string, OperationAnswer>;
