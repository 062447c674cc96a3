/** /var: the distributions of collateral, loan and net exposure at several horizons. */

import type { FigureAccuracy } from '../compute/accuracy.ts';
import type { OperationBody } from '../compute/live.ts';
import type { HorizonPicture } from '../compute/picture.ts';
import { HistogramChart } from '../ui/charts.tsx';
import { TextField } from '../ui/fields.tsx';
import { FigureMatrix, FigureTable } from '../ui/figures.tsx';
import { moneyBetween } from '../ui/format.ts';
import { weightMap } from '../ui/weights.tsx';
import type { FlatFigures, OperationDefinition } from './operation-view.tsx';
import {
  analysisDate,
  Baskets,
  basketAssets,
  choices,
  isSimulated,
  ModelFields,
  numberOf,
  numbersOf,
  pathParams,
  shockParams,
} from './shared.tsx';

const VALUES = [
  ['CollateralVar', 'collateral', 'Collateral'],
  ['LoanVar', 'loan', 'Loan'],
  ['NetExposureVar', 'netExposure', 'Net exposure'],
] as const satisfies readonly (readonly [string, keyof HorizonPicture, string])[];

type Tails = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** `99.5%` */
const quantileName = (quantile: string) => `${Number((100 * Number(quantile)).toPrecision(8))}%`;

/** The name of a figure in the flat table. */
const figureKey = (horizon: string, quantile: string, name: string) => `${horizon} d, ${quantile}: ${name}`;

/** Figures by horizon and quantile as one flat table. */
function figures(answer: OperationBody) {
  const flat: Record<string, number> = {};
  const accuracy: Record<string, FigureAccuracy> = {};
  const precise = (answer.Accuracy?.figures ?? {}) as Readonly<Record<string, unknown>>;
  for (const [horizon, tails] of Object.entries(answer.Output ?? {})) {
    if (typeof tails === 'number') {
      flat[horizon] = tails;
      continue;
    }
    for (const [quantile, values] of Object.entries(tails as Tails)) {
      for (const [name, value] of Object.entries(values)) {
        const key = figureKey(horizon, quantile, name);
        flat[key] = value;
        const told = (
          precise[horizon] as Readonly<Record<string, Record<string, FigureAccuracy>>> | undefined
        )?.[quantile]?.[name];
        if (told !== undefined) accuracy[key] = told;
      }
    }
  }
  return { figures: flat, accuracy };
}

/** A label that leaves room for six columns. */
const shortName = (label: string) => label.replace(' exposure', '');

/** A row for each horizon and quantile, value at risk and expected shortfall of the three values beside each other. */
function tables(flat: FlatFigures, answer: OperationBody) {
  const output = Object.entries(answer.Output ?? {});
  const horizons = output.filter((entry): entry is [string, Tails] => typeof entry[1] === 'object');
  const ofWindow = output.filter(([, value]) => typeof value === 'number').map(([name]) => name);
  const columns = VALUES.flatMap(([name, , label]) => [
    { name, label: `${shortName(label)} VaR` },
    { name: name.replace(/Var$/, 'CVar'), label: `${shortName(label)} CVaR` },
  ]);
  return (
    <>
      <FigureMatrix
        label="Value at risk by horizon and quantile"
        corner="Horizon, quantile"
        columns={columns.map(({ label }) => label)}
        rows={horizons.flatMap(([horizon, tails]) =>
          Object.keys(tails).map(quantile => ({
            name: `${horizon} d, ${quantileName(quantile)}`,
            cells: columns.map(({ name }) => ({ key: figureKey(horizon, quantile, name), figure: name })),
          })),
        )}
        {...flat}
      />
      <p class="hint">
        USD. VaR: the value that is undercut with a probability of one less the quantile. CVaR: the mean of
        the values below it.
      </p>
      <FigureTable
        figures={Object.fromEntries(ofWindow.map(name => [name, flat.figures[name]]))}
        accuracy={flat.accuracy}
      />
    </>
  );
}

export const VALUE_AT_RISK: OperationDefinition = {
  title: 'Value at risk',
  lead: 'What can collateral, loan and their difference be worth at a horizon?',
  path: '/var',
  defaults: {
    type: 'GBM',
    c: 'BTC:0.6,ETH:0.4',
    l: 'USD:1',
    lookback: '90',
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
      ...pathParams(fields, paths),
      ...shockParams(fields),
    },
  }),
  refines: isSimulated,
  figures,
  tables,
  form: form => (
    <>
      <Baskets form={form} />
      <div class="grid-2">
        <TextField
          form={form}
          name="horizons"
          member="params.var_duration"
          label="Horizons"
          hint="days, ..."
        />
        <TextField form={form} name="quantiles" member="params.quantile" label="Quantiles" hint="fractions" />
        <TextField
          form={form}
          name="collateralValue"
          member="params.collateral_value"
          label="Collateral"
          hint="USD"
        />
        <TextField form={form} name="value" member="params.loan_value" label="Loan" hint="USD" />
      </div>
      <ModelFields
        form={form}
        types={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP')}
      />
    </>
  ),
  charts: ({ state: { picture }, answer, fields, form }) => {
    if (picture?.kind !== 'value-at-risk') return null;
    const horizons = [...((answer.Arguments.var_duration as number[] | undefined) ?? [])].sort(
      (a, b) => a - b,
    );
    const chosen = Math.max(
      0,
      horizons.includes(Number(fields.h)) ? horizons.indexOf(Number(fields.h)) : horizons.length - 1,
    );
    const shown = picture.horizons[chosen];
    if (shown === undefined) return null;
    const tails = (answer.Output?.[String(horizons[chosen])] ?? {}) as Tails;
    return (
      <>
        <fieldset class="places spread">
          <legend>Distributions after</legend>
          {horizons.map((days, i) => (
            <label key={days}>
              <input
                class="place-input"
                type="radio"
                name="h"
                value={days}
                checked={i === chosen}
                onChange={() => form.set({ h: String(days) })}
              />
              <span>{days} d</span>
            </label>
          ))}
        </fieldset>
        <div class="charts thirds spread">
          {VALUES.map(([name, member, label]) => {
            const { from, width } = shown[member];
            const show = moneyBetween(from[0], (from.at(-1) ?? 0) + width);
            return (
              <HistogramChart
                key={name}
                title={`${label}, ${horizons[chosen]} d`}
                histogram={shown[member]}
                value={{ label: 'USD', show }}
                marks={Object.entries(tails).map(([quantile, values]) => ({
                  label: `${quantileName(quantile)}: ${show(values[name])}`,
                  value: values[name],
                  tone: 'liquidation',
                }))}
              />
            );
          })}
        </div>
      </>
    );
  },
};
