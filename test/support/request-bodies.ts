/** One valid body per operation, which tests vary, and the request of a body. */
import { RiskError } from '#src/core/errors.js';
import type { Checked } from '#src/question/request/parse.js';
import { NO_CLOSES } from '#src/question/request/prices.js';
import type { Reading } from '#src/question/resolved.js';

/** How a question reads the bodies of a day. */
export const readRequest = <R>(
  question: Pick<Reading<R>, 'read'>,
  today: number,
  body: unknown,
): Checked<R> => question.read(body, { today }).resolve(NO_CLOSES);

/** The resolved request of a body. @throws RiskError `invalid-request` with every fault */
export function parseRequest<R>(question: Pick<Reading<R>, 'read'>, today: number, body: unknown): R {
  const checked = readRequest(question, today, body);
  if (checked.ok) return checked.value;
  throw new RiskError('invalid-request', 'The request is not valid.', { faults: checked.faults });
}

const loan = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  analysis_date: '01-30-2026',
  model_lookback: 30,
  loan_duration: 60,
  mc_top_up: 24,
  loan_value: 5000,
};
const ratios = { N: 1.5, M: 1.3, L: 1.1, R: 1.7 };

export const LOAN_RISK = { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 1000 } };

export const LOAN_ORIGINATION = {
  type: 'GBM',
  params: {
    ...loan,
    L: 1.1,
    mc_iter: 1000,
    opt_param: {
      score_variable: 'PrLiquidation',
      score_target: 0.05,
      variable_min: 1.2,
      variable_max: 3,
      error_tolerance: 0.001,
    },
  },
};

export const VALUE_AT_RISK = {
  type: 'GBM',
  params: {
    collateral_weights: { BTC: 1 },
    loan_weights: { USD: 1 },
    analysis_date: '01-30-2026',
    model_lookback: 30,
    var_duration: [1, 30],
    quantile: [0.95, 0.99],
    loan_value: 5000,
    collateral_value: 7500,
    mc_iter: 1000,
  },
};

export const ADVANCE_RATE = {
  type: 'GBM',
  params: {
    collateral_weights: loan.collateral_weights,
    loan_weights: loan.loan_weights,
    analysis_date: '01-30-2026',
    model_lookback: 30,
    exposure_hours: [48, 24],
    confidence: [0.99],
    expected_loss: [0.001],
    advance_rate: [0.7206],
    mc_iter: 1000,
  },
};

export const LOW_LIQUIDITY = {
  type: 'GARCH',
  params: {
    ...loan,
    ...ratios,
    volume_lookback: 30,
    markets: [
      ['BTC', 'USDT', 'binance'],
      ['ETH', 'USDT', 'binance'],
    ],
    participation_ratio: 0.1,
    mc_iter: 1000,
  },
};

export const PERPETUAL = {
  model: 'GBM',
  market: 'BTC',
  model_lookback: 30,
  trade_duration_hours: 72,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 100_000,
  initial_margin: 10_000,
  position_size: -2,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
  contract_size: 1,
  mc_iter: 500,
  analysis_date: '01-30-2026',
};

export const ACCOUNT = {
  type: 'GBM',
  params: {
    collateral: { USD: 10_000 },
    haircuts: { USD: 0 },
    positions: [
      {
        id: '1',
        market: 'BTC',
        contract_type: 'linear',
        position_size: 1,
        entry_price: 100_000,
        mark_price: 100_000,
        funding_rate: 0.0001,
        funding_interval_hour: 8,
        settle: 'USD',
      },
    ],
    venue: 'simple',
    prices: { BTC: 100_000 },
    horizon_hours: 24,
    model_lookback: 30,
    analysis_date: '01-30-2026',
    mc_iter: 500,
  },
};

export const GOOD_BODIES = {
  '/loan_risk': LOAN_RISK,
  '/loan_origination': LOAN_ORIGINATION,
  '/var': VALUE_AT_RISK,
  '/advance_rate': ADVANCE_RATE,
  '/loan_risk_low_liquidity': LOW_LIQUIDITY,
  '/isolated_perp_risk': PERPETUAL,
  '/cross_perp_risk': ACCOUNT,
} as const;

/** A copy of `body` in which the member at the dotted `path` is `value`; undefined removes it. Objects on the way that the body lacks are made. */
export function withMember(body: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body) as Record<string, unknown>;
  const parts = path.split('.');
  const last = parts.pop() as string;
  const parent = parts.reduce((node, part) => {
    node[part] ??= {};
    return node[part] as Record<string, unknown>;
  }, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
