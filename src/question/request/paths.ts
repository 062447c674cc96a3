/** Paths of the operations in a file of their own: a file that only names one loads no engine. */
export const OPERATION_PATHS = [
  '/loan_risk',
  '/loan_origination',
  '/var',
  '/advance_rate',
  '/loan_risk_low_liquidity',
  '/isolated_perp_risk',
  '/cross_perp_risk',
  '/book_risk',
  '/stress',
  '/backtest',
] as const;

export type OperationPath = (typeof OPERATION_PATHS)[number];
