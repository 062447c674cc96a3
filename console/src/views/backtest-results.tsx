/** What /backtest answers: tests by level, the forecasts against what followed, and the exceedances as they add up. */
import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../api/request.ts';
import { LinesChart } from '../ui/charts.tsx';
import { CopyButtons } from '../ui/figures.tsx';
import { percent, plain, precise, whole } from '../ui/format.ts';
import { Scroll } from '../ui/scroll.tsx';

type Output = AnswerOf<'/backtest'>['Output'];

const LEVEL_TONES = ['accent', 'recovery', 'marginCall', 'nominal'] as const;
/** A p-value below it is marked. */
const DOUBTFUL = 0.05;
/** Normal quantile of the ends of a 95 % band. */
const BAND = 1.959964;

/** `99.5%` */
const levelName = (level: string) => `${Number((100 * Number(level)).toPrecision(8))}%`;

/** What a return lost or won. */
const change = (value: number) => percent(value, 2);

export function BacktestResults(props: {
  answer: AnswerOf<'/backtest'>;
  texts: Readonly<Record<string, () => string>>;
}) {
  const { answer, texts } = props;
  const { Levels: levels, Daily: daily } = answer.Output;
  const names = Object.keys(levels).sort((a, b) => Number(a) - Number(b));
  const chosen = useSignal('');
  const level = names.includes(chosen.value) ? chosen.value : (names.at(-1) ?? '');
  const x = daily.Date.map(date => Date.parse(date) / 1000);
  return (
    <div class="answer">
      <div class="charts">
        <div class="chart-table spread">
          <LevelTable levels={levels} names={names} />
          <CopyButtons texts={{ ...texts, CSV: () => dailyCsv(daily, names) }} />
        </div>
        <fieldset class="places spread">
          <legend>Level</legend>
          {names.map(name => (
            <label key={name}>
              <input
                class="place-input"
                type="radio"
                name="level"
                checked={name === level}
                onChange={() => {
                  chosen.value = name;
                }}
              />
              <span>{levelName(name)}</span>
            </label>
          ))}
        </fieldset>
        <Forecasts daily={daily} names={names} level={level} x={x} />
        <Exceedances daily={daily} level={level} x={x} horizonDays={answer.Arguments.horizon} />
      </div>
    </div>
  );
}

function LevelTable({ levels, names }: { levels: Output['Levels']; names: readonly string[] }) {
  return (
    <Scroll label="Tests by level">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Exceedances</th>
            <th scope="col">Expected</th>
            <th scope="col">Rate</th>
            <th scope="col">Kupiec, p</th>
            <th scope="col">Independence, p</th>
            <th scope="col">Coverage, p</th>
            <th scope="col">Quantile score</th>
            <th scope="col">Z2</th>
            <th scope="col">Z2, p</th>
            <th scope="col">ESR strict, p</th>
            <th scope="col">ESR intercept, p</th>
            <th scope="col">FZ0</th>
            <th scope="col">t against GBM</th>
          </tr>
        </thead>
        <tbody>
          {names.map(name => {
            const { Exceedances, Expected, ExceedanceRate, QuantileScore, Tests, Shortfall } = levels[name];
            return (
              <tr key={name} data-level={name}>
                <th scope="row">{levelName(name)}</th>
                <td data-figure={`${name} Exceedances`} data-value={Exceedances}>
                  {whole(Exceedances)}
                </td>
                <td data-figure={`${name} Expected`} data-value={Expected}>
                  {plain(Expected)}
                </td>
                <td data-figure={`${name} ExceedanceRate`} data-value={ExceedanceRate}>
                  {percent(ExceedanceRate, 2)}
                </td>
                <PValue test={Tests.Kupiec} figure={`${name} Kupiec`} />
                <PValue test={Tests.Independence} figure={`${name} Independence`} />
                <PValue test={Tests.ConditionalCoverage} figure={`${name} ConditionalCoverage`} />
                <td data-figure={`${name} QuantileScore`} data-value={QuantileScore}>
                  {precise(QuantileScore, undefined)}
                </td>
                <Figure value={Shortfall?.Z2.Statistic} figure={`${name} Z2`} />
                <PValue test={Shortfall?.Z2} figure={`${name} Z2 p`} />
                <PValue test={Shortfall?.EsrStrict} figure={`${name} EsrStrict`} />
                <PValue test={Shortfall?.EsrIntercept} figure={`${name} EsrIntercept`} />
                <Figure value={Shortfall?.FZ0.Score} figure={`${name} FZ0`} />
                <Figure value={Shortfall?.FZ0.AgainstGbm?.T} figure={`${name} FZ0 t`} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A figure that some answers do not have. */
function Figure({ value, figure }: { value: number | null | undefined; figure: string }) {
  if (value === null || value === undefined) return <td>-</td>;
  return (
    <td data-figure={figure} data-value={value}>
      {precise(value, undefined)}
    </td>
  );
}

function PValue({ test, figure }: { test: { readonly PValue: number } | null | undefined; figure: string }) {
  if (test === null || test === undefined) return <td>-</td>;
  return (
    <td class={test.PValue < DOUBTFUL ? 'gap' : ''} data-figure={figure} data-value={test.PValue}>
      {test.PValue < 1e-4 ? test.PValue.toExponential(1) : test.PValue.toFixed(4)}
    </td>
  );
}

/** Value at risk of every level as a change of the basket, what followed, and the days on which the chosen level was exceeded. */
function Forecasts(props: {
  daily: Output['Daily'];
  names: readonly string[];
  level: string;
  x: readonly number[];
}) {
  const { daily, names, level, x } = props;
  const limit = daily.Var[level];
  return (
    <LinesChart
      title="Forecasts and what followed"
      wide
      x={x}
      xText={{ label: 'day', show: dayText }}
      yText={{ label: 'change of the basket', show: change }}
      time
      lines={[
        { label: 'change', values: daily.Realised.map(value => value - 1), tone: 'faint', width: 1 },
        ...names.map((name, i) => ({
          label: `VaR ${levelName(name)}`,
          values: daily.Var[name].map(value => value - 1),
          tone: LEVEL_TONES[i % LEVEL_TONES.length],
        })),
        {
          label: `exceeds ${levelName(level)}`,
          values: daily.Realised.map((value, i) => (value < limit[i] ? value - 1 : null)),
          tone: 'liquidation',
          dots: true,
        },
      ]}
    />
  );
}

/** Exceedances as they add up, against what the level promises. */
function Exceedances(props: {
  daily: Output['Daily'];
  level: string;
  x: readonly number[];
  horizonDays: number;
}) {
  const { daily, level, x, horizonDays } = props;
  const limit = daily.Var[level];
  const share = 1 - Number(level);
  let sum = 0;
  const counted = daily.Realised.map((value, i) => {
    if (value < limit[i]) sum++;
    return sum;
  });
  const expected = counted.map((_, i) => share * (i + 1));
  const halfWidth = counted.map((_, i) => BAND * Math.sqrt((i + 1) * share * (1 - share) * horizonDays));
  return (
    <LinesChart
      title={`Exceedances of ${levelName(level)} so far`}
      wide
      x={x}
      xText={{ label: 'day', show: dayText }}
      yText={{ label: 'exceedances', show: plain }}
      time
      lines={[
        { label: 'expected', values: expected, tone: 'nominal' },
        { label: 'counted', values: counted, tone: 'liquidation' },
      ]}
      band={{
        label: '95% if the model is right',
        low: expected.map((value, i) => Math.max(0, value - halfWidth[i])),
        high: expected.map((value, i) => value + halfWidth[i]),
      }}
    />
  );
}

const dayText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** A row for every forecast. */
function dailyCsv(daily: Output['Daily'], names: readonly string[]): string {
  const rows = daily.Date.map((date, i) =>
    [date, daily.Realised[i], ...names.map(name => daily.Var[name][i])].join(','),
  );
  return [['date', 'realised', ...names.map(name => `var ${name}`)].join(','), ...rows, ''].join('\n');
}
