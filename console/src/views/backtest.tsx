/** /backtest: value at risk on past days against the closes that followed, and its exceedances over time. */

import { type AnswerOf, post } from '../api/request.ts';
import type { Fields } from '../state/address.ts';
import { draws } from '../state/methodologies.ts';
import { lastDayOf, symbols } from '../state/server.ts';
import { apiKey } from '../state/session.ts';
import { DayField, TextField } from '../ui/fields.tsx';
import { duration, whole } from '../ui/format.ts';
import { asCurl, asPython } from '../ui/request-texts.ts';
import { WeightsField, weightMap } from '../ui/weights.tsx';
import { OnceResults, useAskedOnce } from './asked-once.tsx';
import { BacktestResults } from './backtest-results.tsx';
import {
  LookbackField,
  MethodologyField,
  monthFirst,
  numberOf,
  numbersOf,
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
  readonly synthetic: boolean;
}

const DAY_MS = 86_400_000;
/** Days of forecasts where the form names none. */
const USUAL_DAYS = 365;

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** First and last forecast: as typed, else the newest year that the server can judge. */
function daysOf(fields: Readonly<Record<string, string>>): { from: string; to: string } {
  const newest = lastDayOf([...Object.keys(weightMap(fields.c)), ...Object.keys(weightMap(fields.s))]);
  const horizon = Number(fields.horizon) || 1;
  const latest = newest === undefined ? '' : isoDay(Date.parse(newest) - horizon * DAY_MS);
  const to = fields.to === '' ? latest : fields.to;
  const usual = Number.isNaN(Date.parse(to)) ? '' : isoDay(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
  return { from: fields.from === '' ? usual : fields.from, to };
}

export function BacktestView() {
  const once = useAskedOnce<BacktestAnswer>(DEFAULTS);
  const { fields, form, busy } = once;
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
  const ask = async () => {
    const { body, market, milliseconds } = await post('/backtest', sent().body, {
      seed: fields.seed,
    });
    const prices = market.startsWith('sample') ? ' Prices: the synthetic sample market.' : '';
    const told = `${whole(body.Output.Forecasts)} forecasts in ${duration(milliseconds)}.${prices}`;
    return { answer: { body, synthetic: market.startsWith('sample') }, told };
  };
  return (
    <div class="operation">
      <form
        class="panel"
        aria-label="Back-test"
        onSubmit={event => {
          event.preventDefault();
          void once.run(ask);
        }}
      >
        <h2>Back-test</h2>
        <p class="lead">How often did the value at risk of past days turn out to be too small?</p>
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
          <TextField form={form} name="horizon" member="params.horizon" label="Horizon" hint="days" />
          <TextField form={form} name="quantiles" member="params.quantile" label="Levels" hint="fractions" />
          <DayField form={form} name="from" member="params.from" label="From" hint={`empty: ${days.from}`} />
          <DayField form={form} name="to" member="params.to" label="To" hint={`empty: ${days.to}`} />
          {draws(fields.type) && (
            <TextField form={form} name="paths" member="params.mc_iter" label="Paths" hint="a day" />
          )}
          <ShockField form={form} />
        </div>
        <button type="submit" disabled={busy.value || apiKey.value === ''}>
          {busy.value ? 'Computing' : 'Run the back-test'}
        </button>
      </form>
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
              link: () => location.href,
            }}
          />
        )}
      </OnceResults>
    </div>
  );
}
