/** /advance_rate: how much may be lent against collateral that takes hours to sell. */
import { LinesChart } from '../ui/charts.tsx';
import { ChoiceField, NumberField, PercentField } from '../ui/fields.tsx';
import { FigureMatrix } from '../ui/figures.tsx';
import { levelName, percent, plain } from '../ui/format.ts';
import { numberOf, numbersOf } from '../ui/typed-numbers.ts';
import type { ShownWarning } from '../ui/warning-notice.tsx';
import { weightMap } from '../ui/weights.tsx';
import { advanceRateSentences, horizonsOf, type Rates } from '../words/advance-rate.ts';
import type { FlatFigures, OperationDefinition } from './operation-view.tsx';
import { analysisDate, Baskets, basketAssets, simulationParams, USUAL_MODEL } from './shared.tsx';

/** The advance rate of a bitcoin bond over two days, rated provisionally in March 2026 (docs/advance-rate.md). */
const PUBLIC_RATE = 0.7206;

const TONES = ['accent', 'recovery', 'marginCall', 'liquidation'] as const;

/** Tables of a level: its columns, and its name in a row. */
const TABLES = [
  {
    level: 'Confidence',
    title: 'What may be lent at a confidence',
    columns: ['AdvanceRate', 'Haircut', 'ExpectedLossPct', 'Episodes'],
    labels: ['Advance rate', 'Haircut', 'Expected loss', 'Episodes'],
    name: levelName,
  },
  {
    level: 'AdvanceRate',
    title: 'What is lost at a rate',
    columns: ['PrLoss', 'ExpectedLossPct', 'LossGivenLossPct', 'Episodes'],
    labels: ['Chance of a loss', 'Expected loss', 'Loss where there is one', 'Episodes'],
    name: (rate: string) => percent(Number(rate), 2),
  },
] as const;

function tables(flat: FlatFigures, answer: { readonly Output?: object }, warnings: readonly ShownWarning[]) {
  const horizons = horizonsOf(answer.Output);
  return TABLES.map(({ level, title, columns, labels, name }) => {
    const rows = horizons.flatMap(([hours, rates]) =>
      Object.keys(rates[level] ?? {}).map(number => ({
        name: `${hours} h, ${name(number)}`,
        cells: columns.map(figure => ({ key: `${hours} ${level} ${number} ${figure}`, figure })),
      })),
    );
    if (rows.length === 0) return null;
    const shown = columns.filter((_, i) => rows.some(({ cells }) => cells[i].key in flat.figures));
    return (
      <div key={level}>
        <h3>{title}</h3>
        <FigureMatrix
          label={title}
          corner="Hours, level"
          columns={shown.map(column => labels[(columns as readonly string[]).indexOf(column)])}
          rows={rows.map(({ name: row, cells }) => ({
            name: row,
            cells: cells.filter(({ figure }) => (shown as readonly string[]).includes(figure)),
          }))}
          {...flat}
          warnings={warnings}
        />
      </div>
    );
  });
}

/** The rate over the hours of an exposure, a line for each confidence, and the public number. */
function RateChart({ horizons }: { horizons: readonly (readonly [string, Rates])[] }) {
  const confidences = Object.keys(horizons[0]?.[1].Confidence ?? {}).sort((a, b) => Number(a) - Number(b));
  if (confidences.length === 0) return null;
  const rateOf = (rates: Rates, confidence: string) => rates.Confidence?.[confidence]?.AdvanceRate ?? null;
  const shown = horizons.flatMap(([, rates]) => confidences.map(each => rateOf(rates, each) ?? PUBLIC_RATE));
  return (
    <LinesChart
      title="Advance rate by hours to sell"
      wide
      points
      x={horizons.map(([hours]) => Number(hours))}
      xText={{ label: 'hours', show: plain }}
      yText={{ label: 'debt / collateral', show: value => percent(value, 1) }}
      lines={confidences.map((confidence, i) => ({
        label: levelName(confidence),
        values: horizons.map(([, rates]) => rateOf(rates, confidence)),
        tone: TONES[i % TONES.length],
      }))}
      yRange={[Math.min(PUBLIC_RATE, ...shown) - 0.02, Math.max(1, ...shown)]}
      levels={[{ label: `bond of 2026: ${percent(PUBLIC_RATE, 2)}`, value: PUBLIC_RATE, tone: 'nominal' }]}
    />
  );
}

export const ADVANCE_RATE: OperationDefinition = {
  title: 'Advance rate',
  lead: 'How much may be lent against collateral that takes hours to sell?',
  path: '/advance_rate',
  question: 'advance-rate',
  runsInBrowser: false,
  hasDistribution: false,
  defaults: {
    ...USUAL_MODEL,
    c: 'BTC:1',
    l: 'USD:1',
    shock: '0',
    hours: '6,12,24,48,72',
    measure: 'lowest',
    saleCost: '0',
    quantiles: '0.95,0.99,0.999',
    rates: String(PUBLIC_RATE),
    after: '0',
    within: '720',
  },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      collateral_weights: weightMap(fields.c),
      loan_weights: weightMap(fields.l),
      ...analysisDate(fields),
      model_lookback: numberOf(fields.lookback),
      exposure_hours: numbersOf(fields.hours),
      measure: fields.measure,
      sale_cost: numberOf(fields.saleCost),
      confidence: numbersOf(fields.quantiles),
      ...(fields.rates.trim() === '' ? {} : { advance_rate: numbersOf(fields.rates) }),
      ...(numberOf(fields.after) === 0
        ? {}
        : { after_fall: { fall: numberOf(fields.after), within_hours: numberOf(fields.within) } }),
      ...simulationParams(fields, paths),
    },
  }),
  headline: ({ Output = {}, Arguments }) => advanceRateSentences(Output, Arguments),
  tables,
  form: form => (
    <>
      <Baskets form={form} />
      <div class="grid-2">
        <NumberField
          form={form}
          name="hours"
          member="params.exposure_hours"
          label="Hours to sell"
          hint="hours, ..."
          kind="whole"
          isList
        />
        <ChoiceField
          form={form}
          name="measure"
          member="params.measure"
          label="Sold"
          choices={[
            ['lowest', 'at the worst hour'],
            ['end', 'at the end'],
          ]}
        />
        <PercentField
          form={form}
          name="quantiles"
          member="params.confidence"
          label="Levels"
          hint="%"
          isList
        />
        <PercentField
          form={form}
          name="rates"
          member="params.advance_rate"
          label="Given rates"
          hint="%"
          isList
        />
        <PercentField
          form={form}
          name="saleCost"
          member="params.sale_cost"
          label="Cost of the sale"
          hint="%"
        />
        <PercentField
          form={form}
          name="after"
          member="params.after_fall.fall"
          label="Begin after a fall of"
          hint="%, 0 for any hour"
        />
        {numberOf(form.fields.after) !== 0 && (
          <NumberField
            form={form}
            name="within"
            member="params.after_fall.within_hours"
            label="Fall within"
            hint="hours"
            kind="whole"
          />
        )}
      </div>
    </>
  ),
  charts: ({ answer }) => <RateChart horizons={horizonsOf(answer.Output)} />,
};
