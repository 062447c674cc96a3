/** `advance-rate`: the body of /advance_rate from options, asked of a server or answered in the process of the command. */
import { USUAL } from '../core/figures/usual.ts';
import { methodologiesOf } from '../models/methodology/methodologies.ts';
import { type AskOptions, askBody } from './ask.ts';
import type { Environment, Output } from './output.ts';

export interface AdvanceRateOptions extends AskOptions {
  readonly debt?: Readonly<Record<string, number>>;
  readonly hours?: readonly number[];
  readonly measure: 'lowest' | 'end';
  readonly saleCost: number;
  readonly confidence?: readonly number[];
  readonly expectedLoss?: readonly number[];
  readonly rate?: readonly number[];
  readonly afterFall?: number;
  readonly withinHours: number;
  readonly type: string;
  readonly lookback: number;
  readonly paths?: number;
  /** MM-DD-YYYY. */
  readonly date?: string;
}

/** @returns 0 for an answer, 1 for a refusal or failure */
export function advanceRateCommand(
  collateral: Readonly<Record<string, number>>,
  asked: AdvanceRateOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const { debt, hours, measure, saleCost, confidence, expectedLoss, rate, afterFall, withinHours, ...rest } =
    asked;
  const { type, lookback, paths, date, ...options } = rest;
  const draws = methodologiesOf('advance-rate').some(({ name, draws: isDrawn }) => name === type && isDrawn);
  const params = {
    collateral_weights: collateral,
    loan_weights: debt ?? { USD: 1 },
    exposure_hours: hours ?? [48],
    measure,
    sale_cost: saleCost,
    confidence:
      confidence ?? (expectedLoss === undefined && rate === undefined ? [0.95, 0.99, 0.999] : undefined),
    expected_loss: expectedLoss,
    advance_rate: rate,
    after_fall: afterFall === undefined ? undefined : { fall: afterFall, within_hours: withinHours },
    model_lookback: lookback,
    mc_iter: draws ? (paths ?? USUAL.paths) : paths,
    analysis_date: date,
  };
  const body = JSON.stringify({ type, params });
  return askBody({ body, path: '/advance_rate' }, options, environment, output);
}
