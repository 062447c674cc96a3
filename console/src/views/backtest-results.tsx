/** The answer of /backtest: tests by level, the forecasts against what followed, and the exceedances over time. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { verdictsOf } from '#src/desk/verdict.ts';
import type { AnswerOf } from '../api/request.ts';
import { LinesChart } from '../ui/charts.tsx';
import { Radios } from '../ui/fields.tsx';
import { CopyButtons } from '../ui/figures.tsx';
import { levelName, percent, plain, precise, whole } from '../ui/format.ts';
import { Headline } from '../ui/headline.tsx';
import { Scroll } from '../ui/scroll.tsx';

type Output = AnswerOf<'/backtest'>['Output'];

const LEVEL_TONES = ['accent', 'recovery', 'marginCall', 'nominal'] as const;
/** A p-value below it is marked. */
const DOUBTFUL = 0.05;
/** Normal quantile of the ends of a 95 % band. */
const BAND = 1.959964;

/** What a return lost or won. */
const change = (value: number) => percent(value, 2);

export function BacktestResults(props: {
  answer: AnswerOf<'/backtest'>;
  synthetic: boolean;
  texts: Readonly<Record<string, () => string>>;
}) {
  const { answer, synthetic, texts } = props;
  const { Levels: levels, Daily: daily } = answer.Output;
  const names = Object.keys(levels).sort((a, b) => Number(a) - Number(b));
  const chosen = useSignal('');
  const level = names.includes(chosen.value) ? chosen.value : (names.at(-1) ?? '');
  const x = daily.Date.map(date => Date.parse(date) / 1000);
  return (
    <div class="answer">
      <Headline sentences={verdicts(answer.Output)} synthetic={synthetic} />
      <div class="charts">
        <div class="chart-table spread">
          <LevelTable levels={levels} names={names} />
          <CopyButtons texts={{ ...texts, CSV: () => dailyCsv(daily, names) }} />
        </div>
        <Radios
          name="level"
          legend="Level"
          options={names.map(value => ({ value, label: levelName(value) }))}
          chosen={level}
          choose={value => {
            chosen.value = value;
          }}
        />
        <Forecasts daily={daily} names={names} level={level} x={x} />
        <Exceedances daily={daily} level={level} x={x} horizonDays={answer.Arguments.horizon} />
      </div>
    </div>
  );
}

/** Sentences on the tests of each level, the outermost first. */
function verdicts({ Levels }: Output): string[] {
  const found = verdictsOf({
    Levels: Object.fromEntries(
      Object.entries(Levels).map(([level, { Exceedances, Expected, Tests, Shortfall }]) => [
        level,
        { Exceedances, Expected, KupiecP: Tests.Kupiec.PValue, Z2P: Shortfall?.Z2.PValue ?? null },
      ]),
    ),
  });
  return found.map(({ text }) => `${text[0].toUpperCase()}${text.slice(1)}.`).reverse();
}

type Level = Output['Levels'][string];
type Cell = (name: string, level: Level) => ComponentChildren;

/** Figures of a level, a row each. */
const LEVEL_ROWS: readonly (readonly [label: string, cell: Cell])[] = [
  ['Days beyond the level', (name, { Exceedances }) => valueCell(`${name} Exceedances`, Exceedances, whole)],
  ['Promised', (name, { Expected }) => valueCell(`${name} Expected`, Expected, plain)],
  ['Rate', (name, { ExceedanceRate }) => valueCell(`${name} ExceedanceRate`, ExceedanceRate, change)],
  ['As many as promised (Kupiec), p', (name, { Tests }) => pCell(`${name} Kupiec`, Tests.Kupiec)],
  [
    'Not in clusters (independence), p',
    (name, { Tests }) => pCell(`${name} Independence`, Tests.Independence),
  ],
  [
    'Both (Christoffersen), p',
    (name, { Tests }) => pCell(`${name} ConditionalCoverage`, Tests.ConditionalCoverage),
  ],
  ['Quantile score', (name, { QuantileScore }) => figureCell(`${name} QuantileScore`, QuantileScore)],
  ['Losses beyond it: Z2', (name, { Shortfall }) => figureCell(`${name} Z2`, Shortfall?.Z2.Statistic)],
  ['Z2, p', (name, { Shortfall }) => pCell(`${name} Z2 p`, Shortfall?.Z2)],
  ['ESR strict, p', (name, { Shortfall }) => pCell(`${name} EsrStrict`, Shortfall?.EsrStrict)],
  ['ESR intercept, p', (name, { Shortfall }) => pCell(`${name} EsrIntercept`, Shortfall?.EsrIntercept)],
  ['FZ0 score', (name, { Shortfall }) => figureCell(`${name} FZ0`, Shortfall?.FZ0.Score)],
  ['FZ0 against GBM, t', (name, { Shortfall }) => figureCell(`${name} FZ0 t`, Shortfall?.FZ0.AgainstGbm?.T)],
];

function LevelTable({ levels, names }: { levels: Output['Levels']; names: readonly string[] }) {
  return (
    <Scroll label="Tests by level">
      <table class="figures wide-names">
        <thead>
          <tr>
            <th scope="col">Test</th>
            {names.map(name => (
              <th scope="col" key={name} data-level={name}>
                {levelName(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {LEVEL_ROWS.map(([label, cell]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {names.map(name => cell(name, levels[name]))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function valueCell(figure: string, value: number, show: (value: number) => string) {
  return (
    <td key={figure} data-figure={figure} data-value={value}>
      {show(value)}
    </td>
  );
}

/** A figure that some answers do not have. */
function figureCell(figure: string, value: number | null | undefined) {
  if (value === null || value === undefined) return <td key={figure}>-</td>;
  return valueCell(figure, value, shown => precise(shown, undefined));
}

/** A p-value, marked where it is an objection. */
function pCell(figure: string, test: { readonly PValue: number } | null | undefined) {
  if (test === null || test === undefined) return <td key={figure}>-</td>;
  const { PValue } = test;
  return (
    <td key={figure} class={PValue < DOUBTFUL ? 'gap' : ''} data-figure={figure} data-value={PValue}>
      {PValue < 1e-4 ? PValue.toExponential(1) : PValue.toFixed(4)}
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
