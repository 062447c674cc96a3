/** /backtest: value at risk on past days against the closes that followed, and its exceedances over time. */

import { formatIsoDate, parseIsoDate } from '#src/text/calendar-date.ts';
import { type AnswerOf, post } from '../api/request.ts';
import { type Fields, linkToForm } from '../state/address.ts';
import { draws } from '../state/methodologies.ts';
import { lastDayOf, symbols } from '../state/server.ts';
import { DayField, NumberField, PercentField } from '../ui/fields.tsx';
import { duration, whole } from '../ui/format.ts';
import { asCurl, asPython } from '../ui/request-texts.ts';
import { numberOf, numbersOf } from '../ui/typed-numbers.ts';
import { WeightsField, weightMap } from '../ui/weights.tsx';
import { OnceForm, OnceResults, useAskedOnce } from './asked-once.tsx';
import { BacktestResults } from './backtest-results.tsx';
import {
  LookbackField,
  MethodologyField,
  monthFirst,
  ShockField,
  simulationParams,
  USUAL_MODEL,
} from './shared.tsx';

const DEFAULTS: Fields = {
  ...USUAL_MODEL,
  c: 'BTC:1',
  s: '',
  horizon: '1',
  quantiles: '0.95,0.99',
  from: '',
  to: '',
  paths: '10000',
  shock: '0',
  seed: '0',
};

interface BacktestAnswer {
  readonly body: AnswerOf<'/backtest'>;
  /** Whether prices are those of the sample market. */
  readonly synthetic: boolean;
}

/** Days of forecasts where the form names none. */
const USUAL_DAYS = 365;

/** First and last forecast: as typed, else the newest year that the server can judge. */
function daysOf({ c, s, horizon, from, to }: Fields): { from: string; to: string } {
  const newest = parseIsoDate(lastDayOf([...Object.keys(weightMap(c)), ...Object.keys(weightMap(s))]) ?? '');
  const latest = newest === undefined ? '' : formatIsoDate(newest - (Number(horizon) || 1));
  const last = to === '' ? latest : to;
  const end = parseIsoDate(last);
  const usual = end === undefined ? '' : formatIsoDate(end - (USUAL_DAYS - 1));
  return { from: from === '' ? usual : from, to: last };
}

export function BacktestView() {
  const once = useAskedOnce<BacktestAnswer>(DEFAULTS);
  const { fields, form } = once;
  const days = daysOf(fields);
  const sent = () => ({
    path: '/backtest',
    seed: fields.seed,
    body: {
      type: fields.type,
      params: {
        weights: weightMap(fields.c),
        ...(fields.s === '' ? {} : { short_weights: weightMap(fields.s) }),
        model_lookback: numberOf(fields.lookback),
        horizon: numberOf(fields.horizon),
        quantile: numbersOf(fields.quantiles),
        from: monthFirst(days.from),
        to: monthFirst(days.to),
        ...simulationParams(fields, numberOf(fields.paths)),
      },
    },
  });
  const ask = async (signal: AbortSignal) => {
    const { body, market, milliseconds } = await post('/backtest', sent().body, {
      seed: fields.seed,
      signal,
    });
    const prices = market.startsWith('sample') ? ' Prices: the synthetic sample market.' : '';
    const summary = `${whole(body.Output.Forecasts)} forecasts in ${duration(milliseconds)}.${prices}`;
    return { answer: { body, synthetic: market.startsWith('sample') }, summary };
  };
  return (
    <div class="operation">
      <OnceForm
        of={once}
        title="Back-test"
        lead="How often did the value at risk of past days turn out to be too small?"
        submit="Run the back-test"
        ask={ask}
      >
        <WeightsField form={form} name="c" member="params.weights" label="Basket" symbols={symbols.value} />
        {fields.s === '' ? (
          <button type="button" class="quiet" onClick={() => form.set({ s: 'ETH:1' })}>
            Less another basket
          </button>
        ) : (
          <>
            <WeightsField
              form={form}
              name="s"
              member="params.short_weights"
              label="Less this basket"
              symbols={symbols.value}
            />
            <button type="button" class="quiet" onClick={() => form.set({ s: '' })}>
              The basket alone
            </button>
          </>
        )}
        <div class="grid-2">
          <MethodologyField form={form} question="backtest" />
          <LookbackField form={form} />
          <NumberField
            form={form}
            name="horizon"
            member="params.horizon"
            label="Horizon"
            hint="days"
            kind="whole"
          />
          <PercentField
            form={form}
            name="quantiles"
            member="params.quantile"
            label="Levels"
            hint="%"
            isList
          />
          <DayField form={form} name="from" member="params.from" label="From" hint={`empty: ${days.from}`} />
          <DayField form={form} name="to" member="params.to" label="To" hint={`empty: ${days.to}`} />
          {draws(fields.type) && (
            <NumberField
              form={form}
              name="paths"
              member="params.mc_iter"
              label="Paths"
              hint="a day"
              kind="whole"
            />
          )}
          <ShockField form={form} />
        </div>
      </OnceForm>
      <OnceResults
        of={once}
        before="Each day from the first to the last forecast is judged by the close that followed it. Run the back-test to see it."
        meanwhile="Every day of the range is calibrated and simulated anew."
      >
        {answer => (
          <BacktestResults
            answer={answer.body}
            synthetic={answer.synthetic}
            texts={{
              curl: () => asCurl(sent()),
              Python: () => asPython(sent()),
              link: () => linkToForm(DEFAULTS),
            }}
          />
        )}
      </OnceResults>
    </div>
  );
}
