/** /backtest of one methodology on the basket of the collateral of a book. */
import { type Ask, detailOf } from '../../desk/ask.ts';
import type { ModelTerms } from '../../desk/ask-model.ts';
import type { Judged } from '../../desk/result.ts';
import { METHODOLOGIES, type MethodologyName } from '../../models/methodology/methodologies.ts';
import { formatCalendarDate } from '../../text/calendar-date.ts';

export interface BacktestTerms extends ModelTerms {
  /** Number of judged days. */
  readonly days: number;
}

const BACKTEST_PATHS = 2000;

interface BacktestAnswer {
  readonly Output: {
    readonly Forecasts: number;
    readonly Carried: number;
    readonly Levels: Readonly<
      Record<
        string,
        {
          readonly Exceedances: number;
          readonly Expected: number;
          readonly Tests: { readonly Kupiec: { readonly PValue: number } };
          readonly Shortfall: { readonly Z2: { readonly PValue: number } } | null;
        }
      >
    >;
    readonly Daily: {
      readonly Date: readonly string[];
      readonly Realised: readonly number[];
      readonly Var: Readonly<Record<string, readonly number[]>>;
    };
  };
}

/**
 * Judges one methodology on the value of a basket, a day ahead, on the days before the last one.
 *
 * @returns the verdict, or the reason of a refusal
 */
export async function judge(
  ask: Ask,
  type: MethodologyName,
  basket: Readonly<Record<string, number>>,
  terms: BacktestTerms,
  onProgress: (share: number) => void,
): Promise<Judged | string> {
  const params = {
    weights: basket,
    model_lookback: terms.lookbackDays,
    quantile: terms.levels,
    ...(terms.proxy && { proxy: terms.proxy }),
    from: formatCalendarDate(terms.asOf - terms.days),
    to: formatCalendarDate(terms.asOf - 1),
    ...(METHODOLOGIES[type].draws ? { mc_iter: BACKTEST_PATHS } : {}),
  };
  const { ok, text } = await ask({
    path: '/backtest',
    body: { type, params },
    seed: terms.seed,
    onProgress,
  });
  if (!ok) return detailOf(text);
  const { Output } = JSON.parse(text) as BacktestAnswer;
  const { Date: days, Realised, Var } = Output.Daily;
  return {
    Forecasts: Output.Forecasts,
    Carried: Output.Carried,
    From: days[0],
    To: days[days.length - 1],
    Levels: Object.fromEntries(
      Object.entries(Output.Levels).map(([level, { Exceedances, Expected, Tests, Shortfall }]) => [
        level,
        {
          ...{ Exceedances, Expected, KupiecP: Tests.Kupiec.PValue, Z2P: Shortfall?.Z2.PValue ?? null },
          Days: days.filter((_, k) => Realised[k] < Var[level][k]),
        },
      ]),
    ),
  };
}
