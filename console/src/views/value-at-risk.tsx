/** /var: the distributions of collateral, loan and net exposure at several horizons. */

import type { HorizonDistribution, ValuesMember } from '#core/figures/distribution.ts';
import { isOfHorizons, type OperationBody } from '../compute/answer.ts';
import { HistogramChart } from '../ui/charts.tsx';
import { NumberField, PercentField, Radios } from '../ui/fields.tsx';
import { FigureMatrix, FigureTable, figureText, intervalText, type KeyFigure } from '../ui/figures.tsx';
import { levelName, moneyBetween, whole } from '../ui/format.ts';
import { numberOf, numbersOf } from '../ui/typed-numbers.ts';
import type { ShownWarning } from '../ui/warning-notice.tsx';
import { weightMap } from '../ui/weights.tsx';
import { lossOf, varSentences } from '../words/exposure.ts';
import type { FlatFigures, OperationDefinition } from './operation-view.tsx';
import {
  analysisDate,
  Baskets,
  basketAssets,
  FallField,
  fallParams,
  simulationParams,
  USUAL_MODEL,
} from './shared.tsx';

const VALUES = [
  ['CollateralVar', 'Collateral', 'Collateral'],
  ['LoanVar', 'Loan', 'Loan'],
  ['NetExposureVar', 'NetExposure', 'Net exposure'],
] as const satisfies readonly (readonly [string, keyof HorizonDistribution, string])[];

type Tails = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The name of a figure in the flat table. */
const figureKey = (horizon: string, quantile: string, name: string) => `${horizon} d, ${quantile}: ${name}`;

/** A label that leaves room for six columns. */
const shortName = (label: string) => label.replace(' exposure', '');

/** A row for each horizon and quantile: what is lost, and below it what is left. */
function tables(flat: FlatFigures, answer: OperationBody, warnings: readonly ShownWarning[]) {
  const output = Object.entries(answer.Output ?? {});
  const horizons = output.filter((entry): entry is [string, Tails] => typeof entry[1] === 'object');
  const ofWindow = output.filter(([, value]) => typeof value === 'number').map(([name]) => name);
  const columns = VALUES.flatMap(([name, , label]) => [
    { name, label: `${shortName(label)} VaR` },
    { name: name.replace(/Var$/, 'CVar'), label: `${shortName(label)} CVaR` },
  ]);
  const losses = Object.fromEntries(
    horizons.flatMap(([horizon, tails]) =>
      Object.entries(tails).flatMap(([quantile, values]) =>
        columns.map(({ name }) => [
          `loss, ${figureKey(horizon, quantile, name)}`,
          lossOf(name, values[name], answer.Arguments),
        ]),
      ),
    ),
  );
  const rows = (prefix: string) =>
    horizons.flatMap(([horizon, tails]) =>
      Object.keys(tails).map(quantile => ({
        name: `${horizon} d, ${levelName(quantile)}`,
        cells: columns.map(({ name }) => ({
          key: `${prefix}${figureKey(horizon, quantile, name)}`,
          figure: name,
        })),
      })),
    );
  const labels = columns.map(({ label }) => label);
  return (
    <>
      <h3>What is lost, USD</h3>
      <FigureMatrix
        label="Losses by horizon and level"
        corner="Horizon, level"
        columns={labels}
        rows={rows('loss, ')}
        figures={losses}
        accuracy={undefined}
      />
      <h3>What is left, USD</h3>
      <FigureMatrix
        label="Value at risk by horizon and quantile"
        corner="Horizon, level"
        columns={labels}
        rows={rows('')}
        {...flat}
        warnings={warnings}
      />
      <p class="hint">
        What is left is the value of the interface: it is undercut with a probability of one less the level
        (VaR); CVaR is the mean of the values below it. What is lost is that against today; below 0 it is a
        gain.
      </p>
      <FigureTable
        figures={Object.fromEntries(ofWindow.map(name => [name, flat.figures[name]]))}
        accuracy={flat.accuracy}
      />
    </>
  );
}

/** What is lost at the outermost level of the longest horizon. */
function keys({ accuracy }: FlatFigures, { Output = {}, Arguments }: OperationBody): readonly KeyFigure[] {
  const horizons = Object.keys(Output).filter(key => typeof Output[key] === 'object');
  const longest = String(Math.max(...horizons.map(Number)));
  const tails = (Output[longest] ?? {}) as Tails;
  const level = Object.keys(tails).sort((a, b) => Number(b) - Number(a))[0];
  if (level === undefined) return [];
  const at = `${levelName(level)}, ${longest} d, USD`;
  const shown = [
    ['NetExposureVar', `Net loss at ${at}`],
    ['NetExposureCVar', 'Mean net loss beyond it'],
    ['CollateralVar', `Loss of the collateral at ${at}`],
    ['CollateralCVar', 'Mean loss of the collateral beyond it'],
  ] as const;
  return shown.map(([name, label]) => {
    const lossAt = (value: number) => lossOf(name, value, Arguments);
    const { low, high } = accuracy?.[figureKey(longest, level, name)] ?? {};
    const ofLoss = low == null || high == null ? {} : { low: lossAt(high), high: lossAt(low) };
    return {
      label,
      text: figureText(name, lossAt(tails[level][name])),
      interval: intervalText(name, ofLoss),
    };
  });
}

/** Whether no scenario moves the value. */
const isConstant = ({ quantiles, histogram: { below, zero, above, counts } }: ValuesMember<number>) =>
  quantiles['q00.1'] === quantiles['q99.9'] && counts.length === 1 && below + zero + above === 0;

export const VALUE_AT_RISK: OperationDefinition = {
  title: 'Value at risk',
  lead: 'What can collateral, loan and their difference be worth at a horizon?',
  path: '/var',
  question: 'value-at-risk',
  defaults: {
    ...USUAL_MODEL,
    c: 'BTC:0.6,ETH:0.4',
    l: 'USD:1',
    fall: '0',
    fallOf: '',
    shock: '0',
    horizons: '1,10,30',
    quantiles: '0.95,0.99',
    collateralValue: '1500000',
    value: '1000000',
  },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      collateral_weights: weightMap(fields.c),
      loan_weights: weightMap(fields.l),
      ...analysisDate(fields),
      model_lookback: numberOf(fields.lookback),
      var_duration: numbersOf(fields.horizons),
      quantile: numbersOf(fields.quantiles),
      loan_value: numberOf(fields.value),
      collateral_value: numberOf(fields.collateralValue),
      ...simulationParams(fields, paths),
      ...fallParams(fields),
    },
  }),
  headline: ({ Output = {}, Arguments }) => varSentences(Output, Arguments),
  keyOf: path => (path.length === 1 ? path[0] : figureKey(path[0], path[1], path[2])),
  keys,
  tables,
  form: form => (
    <>
      <Baskets form={form} />
      <div class="grid-2">
        <NumberField
          form={form}
          name="horizons"
          member="params.var_duration"
          label="Horizons"
          hint="days, ..."
          kind="whole"
          isList
        />
        <PercentField form={form} name="quantiles" member="params.quantile" label="Levels" hint="%" isList />
        <NumberField
          form={form}
          name="collateralValue"
          member="params.collateral_value"
          label="Collateral"
          hint="USD"
        />
        <NumberField form={form} name="value" member="params.loan_value" label="Loan" hint="USD" />
      </div>
      <FallField form={form} assets={basketAssets(form.fields)} />
    </>
  ),
  charts: ({ state: { distribution }, answer, fields, form }) => {
    const horizons = [...((answer.Arguments.var_duration as number[] | undefined) ?? [])].sort(
      (a, b) => a - b,
    );
    const chosen = Math.max(
      0,
      horizons.includes(Number(fields.h)) ? horizons.indexOf(Number(fields.h)) : horizons.length - 1,
    );
    const shown = isOfHorizons(distribution) ? distribution[String(horizons[chosen])] : undefined;
    if (typeof shown !== 'object') return null;
    const tails = (answer.Output?.[String(horizons[chosen])] ?? {}) as Tails;
    return (
      <>
        <Radios
          name="h"
          legend="Distributions after"
          options={horizons.map(days => ({ value: String(days), label: `${days} d` }))}
          chosen={String(horizons[chosen])}
          choose={h => form.set({ h })}
        />
        <div class="charts thirds spread">
          {VALUES.filter(([, member]) => !isConstant(shown[member])).map(([name, member, label]) => {
            const { quantiles } = shown[member];
            const show = moneyBetween(quantiles['q00.5'], quantiles['q99.5']);
            return (
              <HistogramChart
                key={name}
                title={`${label}, ${horizons[chosen]} d`}
                values={shown[member]}
                value={{ label: 'USD', show }}
                marks={Object.entries(tails).map(([quantile, values]) => ({
                  label: `${levelName(quantile)}: ${show(values[name])}`,
                  value: values[name],
                  tone: 'liquidation',
                }))}
              />
            );
          })}
        </div>
        {VALUES.filter(([, member]) => isConstant(shown[member])).map(([name, member, label]) => (
          <p class="hint spread" key={name}>
            {label}: {whole(shown[member].quantiles.q50)} USD in every scenario.
          </p>
        ))}
      </>
    );
  },
};
