/** The description of each operation in openapi.json beside its request: name, sentences, answer. */
import type { z } from 'zod';
import type { OperationPath } from '../../question/request/paths.ts';
import type { ShownArguments } from './arguments.ts';
import { advanceRateOutput } from './response/advance-rate.ts';
import {
  accountArguments,
  advanceRateArguments,
  backtestArguments,
  bookArguments,
  loanArguments,
  originationArguments,
  perpetualArguments,
  stressArguments,
  valueAtRiskArguments,
} from './response/arguments.ts';
import { bookOutput } from './response/book.ts';
import {
  accountResults,
  backtestOutput,
  loanOutput,
  lowLiquidityOutput,
  originationOutput,
  perpetualResults,
  valueAtRiskOutput,
} from './response/results.ts';
import { stressOutput } from './response/stress.ts';

export interface OperationDescription {
  /** Name in generated clients; in upper camel case, of its schemas. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Rules between members, which schemas cannot express. */
  readonly rules: string;
  readonly resultMember: 'Output' | 'Results';
  readonly arguments: ShownArguments;
  readonly result: z.ZodType;
}

const LOAN_RULES =
  'L < M <= N and L < R (R may be below M). Weights, N and loan_value are sent, or collateral and loan in their place. Both baskets together name at most 32 distinct symbols, and the weights of ' +
  'each sum to 1 within 1e-6.';
const BASKET_RULES =
  'Both baskets together name at most 32 distinct symbols, and the weights of each sum to 1 within 1e-6.';

/** By path. */
export const OPERATIONS: Readonly<Record<OperationPath, OperationDescription>> = {
  '/loan_risk': {
    name: 'loanRisk',
    summary: 'Risk of a loan backed by collateral',
    description:
      'Probabilities of margin call, liquidation, closeout and an underwater loan over the term, mean loss and survival, ' +
      'worst collateral coverage ratio. The whole collateral can be sold at once.',
    rules: LOAN_RULES,
    resultMember: 'Output',
    arguments: loanArguments,
    result: loanOutput,
  },
  '/loan_origination': {
    name: 'loanOrigination',
    summary: 'Ratios at which a loan figure reaches a target',
    description:
      'Searches the largest nominal ratio N at which score_variable is within error_tolerance of score_target. ' +
      'Without one in the range, the refusal target-not-reachable names the nearest ratio.',
    rules:
      'variable_min < variable_max, and variable_max is above L. score_target is 0 to 1 for a probability, above 0 for WorstCaseCCR. ' +
      BASKET_RULES,
    resultMember: 'Output',
    arguments: originationArguments,
    result: originationOutput,
  },
  '/var': {
    name: 'valueAtRisk',
    summary: 'Value at risk and expected shortfall',
    description:
      'Value at risk and its tail mean of collateral, loan and net exposure, for each horizon and quantile.',
    rules: BASKET_RULES,
    resultMember: 'Output',
    arguments: valueAtRiskArguments,
    result: valueAtRiskOutput,
  },
  '/advance_rate': {
    name: 'advanceRate',
    summary: 'How much may be lent against a fall of collateral',
    description:
      'The largest debt over collateral at a confidence or a mean loss, when collateral is sold within exposure_hours, and what is lost at ' +
      'given rates. With after_fall an exposure begins when collateral has fallen so far, not at a random hour.',
    rules: `At least one of confidence, expected_loss and advance_rate. ${BASKET_RULES}`,
    resultMember: 'Output',
    arguments: advanceRateArguments,
    result: advanceRateOutput,
  },
  '/loan_risk_low_liquidity': {
    name: 'lowLiquidityLoanRisk',
    summary: 'Risk of a loan with sales limited by market volume',
    description:
      'The loan of /loan_risk with sales capped at the median daily volume of the markets x participation_ratio.',
    rules: LOAN_RULES,
    resultMember: 'Output',
    arguments: loanArguments,
    result: lowLiquidityOutput,
  },
  '/isolated_perp_risk': {
    name: 'isolatedPerpetualRisk',
    summary: 'Risk of one isolated perpetual position',
    description:
      'Probabilities of margin call and liquidation, quantiles of return, funding, drawdown, leverage and final equity. The body is ' +
      'flat. Linear contracts are margined in USD, inverse ones in the asset.',
    rules: 'contract_size is required for linear, contract_value_usd for inverse contracts.',
    resultMember: 'Results',
    arguments: perpetualArguments,
    result: perpetualResults,
  },
  '/cross_perp_risk': {
    name: 'crossPerpetualRisk',
    summary: 'Risk of an account of perpetuals on common collateral',
    description:
      'What may become of one account with several perpetuals by the rules of a venue: margin calls, forced closes position by ' +
      'position, liquidation, what a fund pays or takes, losses and the parts of positions and collateral in their tail mean. Touches ' +
      'between the hours are found by a Brownian bridge.',
    rules:
      'venue or rules, and not both. Markets, collateral and settlement name at most 15 distinct assets beside USD; ids are unique; the ' +
      'account is not liquidatable at the start prices.',
    resultMember: 'Results',
    arguments: accountArguments,
    result: accountResults,
  },
  '/book_risk': {
    name: 'bookRisk',
    summary: 'Risk of many loans on the same paths',
    description:
      'Losses of a whole book, with sales that take sale_delay and cost sale_cost: per loan the figures of /loan_risk and its ' +
      'part in the tail mean of the loss, and for the book losses, margin calls, forced sales and the largest day of sales.',
    rules:
      'For each loan L < M and L < R (R may be below M), and weights, N and loan_value are sent, or collateral and loan in their place; ids are unique; all loans together name at most 32 distinct symbols.',
    resultMember: 'Output',
    arguments: bookArguments,
    result: bookOutput,
  },
  '/stress': {
    name: 'stress',
    summary: 'A book under shocks and replays of history',
    description:
      'The loans of /book_risk under up to 32 scenarios: prices that move at once, hours of history that are replayed loan by loan, and ' +
      'the simulation that follows, on the same paths in all. With compare, the same scenarios under other loan terms.',
    rules:
      'The rules of /book_risk. Names of scenarios are unique and not base; assets of a shock or a proxy are assets of the book.',
    resultMember: 'Output',
    arguments: stressArguments,
    result: stressOutput,
  },
  '/backtest': {
    name: 'backtest',
    summary: 'Back-test of value at risk',
    description:
      'The value at risk of /var at the close of every day from `from` to `to`, without later prices, ' +
      'compared with the close `horizon` days later: exceedances, tests of Kupiec and Christoffersen, quantile score; tests of CVar: Z2, FZ0 against GBM, ESR. With `short_weights`, the net exposure of /var is tested.',
    rules:
      'to is at least horizon days after from, at most 3649, and the close horizon days after it is known. A long range exceeds the time limit of a ' +
      'request: use `Prefer: respond-async`.',
    resultMember: 'Output',
    arguments: backtestArguments,
    result: backtestOutput,
  },
};
