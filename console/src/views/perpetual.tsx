/** /isolated_perp_risk: one isolated perpetual position. */

import { useMemo } from 'preact/hooks';
import type { FanMember } from '#core/figures/distribution.ts';
import { isOfPosition, type OperationBody } from '../compute/answer.ts';
import type { Fields } from '../state/address.ts';
import { FanChart, HistogramChart, type Level } from '../ui/charts.tsx';
import { type Fan, fanOf } from '../ui/distributions.ts';
import { ChoiceField, NumberField, PercentField, StepSlider, TextField } from '../ui/fields.tsx';
import { figureName } from '../ui/figure-names.ts';
import { FigureMatrix, FigureTable, figureText, intervalText, keyFiguresOf } from '../ui/figures.tsx';
import { Folded } from '../ui/form-panel.tsx';
import { money, NARROW, percent, plain } from '../ui/format.ts';
import { numberOf } from '../ui/typed-numbers.ts';
import type { ShownWarning } from '../ui/warning-notice.tsx';
import { perpetualSentences } from '../words/exposure.ts';
import type { FlatFigures, OperationDefinition } from './operation-view.tsx';
import { analysisDate, simulationParams, USUAL_MODEL } from './shared.tsx';

/** Shares as a list, distributions as a row of quantiles each. */
function tables(flat: FlatFigures, answer: OperationBody, warnings: readonly ShownWarning[]) {
  const results = Object.entries(answer.Results ?? {});
  const single = results.filter(([, value]) => typeof value === 'number').map(([name]) => name);
  const distributions = results.filter(([, value]) => typeof value === 'object' && value !== null);
  const quantiles = Object.keys((distributions[0]?.[1] ?? {}) as object);
  return (
    <>
      <FigureTable
        figures={Object.fromEntries(single.map(name => [name, flat.figures[name]]))}
        accuracy={flat.accuracy}
        level={answer.Accuracy?.level}
        warnings={warnings}
      />
      <FigureMatrix
        label="Quantiles"
        corner="Quantile"
        columns={quantiles.map(quantile => `${Number(quantile.slice(1))}${NARROW}%`)}
        rows={distributions.map(([name]) => ({
          name: figureName(name).label,
          meaning: figureName(name).meaning,
          code: name,
          cells: quantiles.map(quantile => ({ key: `${name} ${quantile}`, figure: name })),
        }))}
        {...flat}
        warnings={warnings}
      />
    </>
  );
}

/** Prices of a position from `include=model`. */
function priceLevels(answer: OperationBody): Level[] {
  const levels: Level[] = [
    {
      label: `entry ${plain(Number(answer.Arguments.entry_price))}`,
      value: Number(answer.Arguments.entry_price),
      tone: 'nominal',
    },
  ];
  const model = answer.Model ?? {};
  for (const [member, label] of [
    ['liquidation_price', 'liquidation'],
    ['margin_call_price', 'margin call'],
  ] as const) {
    const value = model[member];
    if (typeof value === 'number')
      levels.push({
        label: `${label} ${money(value)}`,
        value,
        tone: member === 'liquidation_price' ? 'liquidation' : 'marginCall',
      });
  }
  return levels;
}

/** A move of the mark before the first step, where the form has one. */
const moveParams = (fields: Fields) => {
  const move = Number(fields.fall) || 0;
  return move === 0 ? {} : { price_shock: { [fields.market]: move / 100 } };
};

/** Where the position starts: at the mark or the profit of the form, else at the last close. */
const markParams = ({ mark, pnl }: Fields) => ({
  ...(mark !== '' && { mark_price: numberOf(mark) }),
  ...(pnl !== '' && { unrealized_pnl: numberOf(pnl) }),
  ...(mark === '' && pnl === '' && { mark_price: 'close' }),
});

/** Members of the fields that are folded away. */
const VENUE_MEMBERS: readonly string[] = [
  'maintenance_margin_rate',
  'maintenance_amount',
  'taker_fee_rate',
  'liquidation_remainder',
  'funding_method',
  'funding_rate',
  'funding_interval_hour',
  'contract_size',
  'contract_value_usd',
];

/** The rates that matter most, in the line of the group. */
const venueNote = ({ maintenance, rate, interval }: Fields) =>
  [
    ...(maintenance === '' ? [] : [`maintenance ${percent(Number(maintenance), 3)}`]),
    `funding ${percent(Number(rate), 4)} every ${interval} hours`,
  ].join(' \u00b7 ');

/** Most paths that the operation takes. */
const MAX_PATHS = 100_000;

export const PERPETUAL: OperationDefinition = {
  title: 'Perpetual',
  lead: 'What can become of one isolated position: margin call, liquidation, return, drawdown?',
  path: '/isolated_perp_risk',
  question: 'perpetual',
  defaults: {
    ...USUAL_MODEL,
    market: 'BTC',
    fall: '0',
    hours: '168',
    contract: 'linear',
    funding: 'flat',
    entry: '60000',
    mark: '',
    pnl: '',
    maintenance: '',
    amount: '',
    fee: '',
    remainder: 'kept',
    margin: '6000',
    size: '1',
    rate: '0.0001',
    interval: '8',
    contractSize: '1',
    contractValue: '1',
    shock: '0',
    paths: '100000',
  },
  assets: ({ market }) => [market],
  body: (fields, paths) => ({
    model: fields.type,
    market: fields.market,
    ...analysisDate(fields),
    model_lookback: numberOf(fields.lookback),
    trade_duration_hours: numberOf(fields.hours),
    contract_type: fields.contract,
    funding_method: fields.funding,
    entry_price: numberOf(fields.entry),
    initial_margin: numberOf(fields.margin),
    ...markParams(fields),
    ...(fields.maintenance !== '' && { maintenance_margin_rate: numberOf(fields.maintenance) }),
    ...(fields.amount !== '' && { maintenance_amount: numberOf(fields.amount) }),
    ...(fields.fee !== '' && { taker_fee_rate: numberOf(fields.fee) }),
    ...(fields.remainder === 'kept' && { liquidation_remainder: 'kept' }),
    position_size: numberOf(fields.size),
    funding_rate: numberOf(fields.rate),
    funding_interval_hour: numberOf(fields.interval),
    ...(fields.contract === 'linear'
      ? { contract_size: numberOf(fields.contractSize) }
      : { contract_value_usd: numberOf(fields.contractValue) }),
    ...moveParams(fields),
    ...simulationParams(fields, paths),
  }),
  headline: ({ Results = {}, Arguments }) => perpetualSentences(Results, Arguments),
  include: 'model',
  modelMembers: { type: 'model', prefix: '' },
  mostPaths: MAX_PATHS,
  keys: ({ figures, accuracy }) => [
    ...keyFiguresOf({ PrMarginCall: figures.PrMarginCall, PrLiquidation: figures.PrLiquidation }, accuracy),
    ...(['q50', 'q05'] as const).map(quantile => {
      const key = `Roi ${quantile}`;
      return {
        label: quantile === 'q50' ? 'Return, median' : 'Return in one of twenty, or less',
        text: figureText('Roi', figures[key], accuracy?.[key]),
        interval: intervalText('Roi', accuracy?.[key]),
      };
    }),
  ],
  tables,
  form: form => (
    <>
      <div class="grid-2">
        <TextField form={form} name="market" member="market" label="Market" />
        <NumberField form={form} name="size" member="position_size" label="Position" hint="negative: short" />
        <NumberField form={form} name="entry" member="entry_price" label="Entry price" hint="USD" />
        <NumberField
          form={form}
          name="mark"
          member="mark_price"
          label="Mark price"
          hint="USD"
          placeholder="last close"
        />
        <NumberField form={form} name="margin" member="initial_margin" label="Initial margin" />
        <NumberField
          form={form}
          name="pnl"
          member="unrealized_pnl"
          label="Profit now"
          placeholder="at the mark"
        />
        <NumberField
          form={form}
          name="hours"
          member="trade_duration_hours"
          label="Duration"
          hint="hours"
          kind="whole"
        />
        <div class="spread">
          <ChoiceField
            form={form}
            name="contract"
            member="contract_type"
            label="Contract"
            choices={[
              ['linear', 'Linear, margin in USD'],
              ['inverse', 'Inverse, margin in coins'],
            ]}
          />
        </div>
      </div>
      <fieldset class="scenario-bar">
        <legend>What if the price moves now?</legend>
        <StepSlider
          form={form}
          name="fall"
          member="price_shock"
          label="Move"
          low={-90}
          high={200}
          step={1}
          show={value => (value === 0 ? 'none' : `${value > 0 ? '+' : ''}${value}${NARROW}%`)}
        />
      </fieldset>
      <Folded
        title="Rules of the venue"
        note={venueNote(form.fields)}
        open={form.faults.some(({ path }) => VENUE_MEMBERS.includes(path))}
      >
        <div class="grid-2">
          <PercentField
            form={form}
            name="maintenance"
            member="maintenance_margin_rate"
            label="Maintenance rate"
            hint="% of the notional"
            placeholder="of the server"
          />
          <NumberField
            form={form}
            name="amount"
            member="maintenance_amount"
            label="Maintenance amount"
            hint="less, of the bracket"
            placeholder="0"
          />
          <PercentField
            form={form}
            name="fee"
            member="taker_fee_rate"
            label="Fee of closing"
            hint="% of the notional"
            placeholder="0"
          />
          <ChoiceField
            form={form}
            name="remainder"
            member="liquidation_remainder"
            label="After a liquidation"
            choices={[
              ['kept', 'Rest is kept'],
              ['returned', 'Rest comes back'],
            ]}
          />
          <ChoiceField
            form={form}
            name="funding"
            member="funding_method"
            label="Funding"
            choices={[
              ['flat', 'Every flow'],
              ['debitflat', 'Debits only'],
            ]}
          />
          <PercentField
            form={form}
            name="rate"
            member="funding_rate"
            label="Funding rate"
            hint="% per interval"
          />
          <NumberField
            form={form}
            name="interval"
            member="funding_interval_hour"
            label="Interval"
            hint="hours"
            kind="whole"
          />
          {form.fields.contract === 'linear' ? (
            <NumberField
              form={form}
              name="contractSize"
              member="contract_size"
              label="Contract size"
              hint="asset units"
            />
          ) : (
            <NumberField
              form={form}
              name="contractValue"
              member="contract_value_usd"
              label="Contract value"
              hint="USD"
            />
          )}
        </div>
      </Folded>
    </>
  ),
  charts: ({ state: { distribution, details }, answer, fields }) => {
    if (!isOfPosition(distribution)) return null;
    const currency = fields.contract === 'linear' ? 'USD' : fields.market;
    const equity = (answer.Results?.FinalEquity ?? {}) as Readonly<Record<string, number>>;
    return (
      <>
        {distribution.Fan !== undefined && details?.startPrice !== undefined && (
          <MarkChart
            fan={distribution.Fan}
            start={details.startPrice}
            paths={details.paths}
            levels={priceLevels(answer)}
          />
        )}
        <HistogramChart
          title="Final equity"
          values={distribution.FinalEquity}
          value={{ label: currency, show: plain }}
          marks={(['q05', 'q50', 'q95'] as const).flatMap(quantile =>
            equity[quantile] === undefined
              ? []
              : [
                  {
                    label: `${Number(quantile.slice(1))}${NARROW}%: ${money(equity[quantile])}`,
                    value: equity[quantile],
                    tone: 'ink',
                  },
                ],
          )}
        />
      </>
    );
  },
};

/** The mark price over the term, USD. @param start in USD: the fan is relative to it */
function MarkChart(props: { fan: FanMember; start: number; paths: Fan['paths']; levels: readonly Level[] }) {
  const { fan, start, paths, levels } = props;
  const shown = useMemo(() => fanOf(fan, start, start, paths), [fan, start, paths]);
  return <FanChart title="Mark price" fan={shown} value={{ label: 'USD', show: plain }} levels={levels} />;
}
