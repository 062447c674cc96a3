/** /var: the distributions of collateral, loan and net exposure at several horizons. */

import type { OperationBody } from '../compute/live.ts';
import type { HorizonPicture } from '../compute/picture.ts';
import { HistogramChart, type Level } from '../ui/charts.tsx';
import { TextField } from '../ui/fields.tsx';
import type { FigureAccuracy } from '../ui/figures.tsx';
import { compact } from '../ui/format.ts';
import { weightMap } from '../ui/weights.tsx';
import type { OperationDefinition } from './operation-view.tsx';
import {
  analysisDate,
  Baskets,
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
        const key = `${horizon} d, ${quantile}: ${name}`;
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
  form: form => (
    <>
      <Baskets form={form} />
      <div class="grid-2">
        <TextField
          form={form}
          name="horizons"
          member="params.var_duration"
          label="Horizons"
          hint="days, separated by commas"
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
        types={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'BOOTSTRAP')}
      />
    </>
  ),
  charts: ({ state: { picture }, answer }) => {
    if (picture?.kind !== 'value-at-risk') return null;
    const horizons = [...((answer.Arguments.var_duration as number[] | undefined) ?? [])].sort(
      (a, b) => a - b,
    );
    const longest = horizons.length - 1;
    const shown = picture.horizons[longest];
    if (shown === undefined) return null;
    const tails = (answer.Output?.[String(horizons[longest])] ?? {}) as Tails;
    const marks = (name: string): Level[] =>
      Object.entries(tails).map(([quantile, values]) => ({
        label: `${quantile}: ${compact(values[name])}`,
        value: values[name],
        tone: 'liquidation',
      }));
    return VALUES.map(([name, member, label]) => (
      <HistogramChart
        key={name}
        title={`${label} after ${horizons[longest]} days`}
        histogram={shown[member]}
        value="USD"
        marks={marks(name)}
      />
    ));
  },
};
