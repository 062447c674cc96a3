/** /loan_risk_low_liquidity: a loan whose collateral sells no faster than its market trades. */
import type { LoanDistribution } from '#core/figures/distribution.ts';
import { isOfLoan } from '../compute/answer.ts';
import type { Sales } from '../compute/plan-details.ts';
import { coverageUnit } from '../state/session.ts';
import { FanChart, LinesChart } from '../ui/charts.tsx';
import { NumberField, PercentField, SliderField, TextField } from '../ui/fields.tsx';
import { compact, percent, plain } from '../ui/format.ts';
import { RatioAxis } from '../ui/ratio-axis.tsx';
import { numberOf } from '../ui/typed-numbers.ts';
import { cappedSentences } from '../words/loan.ts';
import { coverageAxis, LowestChart, ratioLevels, useCoverageFan } from './loan.tsx';
import type { OperationDefinition } from './operation-view.tsx';
import {
  Baskets,
  basketAssets,
  FallField,
  fallParams,
  LendingFields,
  LOAN_DEFAULTS,
  lendingParams,
  loanParams,
  RATIO_DEFAULTS,
  ratioParams,
  simulationParams,
} from './shared.tsx';

/** `BTC/USDT@binance, ETH/USDT@binance` as the triples of the interface. */
export const marketsOf = (text: string): string[][] =>
  text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
    .map(entry => entry.split(/[/@]/).map(part => part.trim()));

export const LOW_LIQUIDITY: OperationDefinition = {
  title: 'Low liquidity',
  lead: 'What becomes of the loan when an hour sells a 24th of what the market takes in a day?',
  path: '/loan_risk_low_liquidity',
  question: 'capped-loan',
  defaults: {
    ...LOAN_DEFAULTS,
    ...RATIO_DEFAULTS,
    value: '100000000',
    volumeLookback: '30',
    markets: 'BTC/USDT@binance',
    participation: '0.1',
  },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      ...loanParams(fields),
      ...ratioParams(fields),
      ...lendingParams(fields),
      ...fallParams(fields),
      volume_lookback: numberOf(fields.volumeLookback),
      markets: marketsOf(fields.markets),
      participation_ratio: numberOf(fields.participation),
      ...simulationParams(fields, paths),
    },
  }),
  headline: ({ Output = {}, Arguments }) => cappedSentences(Output, Arguments),
  keyOf: ([name, ofSummary]) => (ofSummary === undefined ? name : `Volume: ${ofSummary}`),
  form: form => (
    <>
      <Baskets form={form} />
      <SliderField
        form={form}
        name="value"
        member="params.loan_value"
        label="Size of the loan"
        hint="USD"
        low={1e4}
        high={1e11}
        show={value => `${compact(value)} USD`}
      />
      <RatioAxis form={form} />
      <div class="grid-2">
        <NumberField form={form} name="days" member="params.loan_duration" label="Term" hint="days" />
        <NumberField form={form} name="grace" member="params.mc_top_up" label="Grace" hint="hours" />
        <TextField form={form} name="markets" member="params.markets" label="Markets" hint="pair@exchange" />
        <PercentField
          form={form}
          name="participation"
          member="params.participation_ratio"
          label="Participation"
          hint="% of daily volume"
        />
        <NumberField
          form={form}
          name="volumeLookback"
          member="params.volume_lookback"
          label="Volume lookback"
          hint="days"
          kind="whole"
        />
      </div>
      <FallField form={form} assets={basketAssets(form.fields)} />
      <LendingFields form={form} />
    </>
  ),
  charts: ({ state: { distribution, details }, answer }) =>
    isOfLoan(distribution) ? (
      <CappedCharts distribution={distribution} sales={details?.sales} terms={answer.Arguments} />
    ) : null,
};

function CappedCharts(props: {
  distribution: LoanDistribution;
  sales: Sales | undefined;
  terms: Readonly<Record<string, unknown>>;
}) {
  const { distribution, sales, terms } = props;
  const size = Number(terms.loan_value);
  return (
    <>
      <FanChart
        title={coverageUnit.value === 'ltv' ? 'Loan-to-value with its sales' : 'Coverage with its sales'}
        fan={useCoverageFan(distribution, terms.N)}
        value={coverageAxis()}
        levels={ratioLevels(terms)}
        wide
      />
      <div class="charts thirds spread">
        {sales !== undefined && (
          <>
            <LinesChart
              title="Sold by day"
              x={sales.days}
              xText={{ label: 'days', show: plain }}
              yText={{ label: 'USD, mean over scenarios', show: compact }}
              lines={[
                { label: 'sold so far', values: sales.sold.map(share => share * size), tone: 'accent' },
              ]}
            />
            <LinesChart
              title="Share of loans in sale or sold"
              x={sales.days}
              xText={{ label: 'days', show: plain }}
              yText={{ label: 'share of loans', show: percent }}
              yRange={[0, 1]}
              lines={[{ label: 'in sale or sold', values: sales.sellers, tone: 'liquidation' }]}
            />
          </>
        )}
        <LowestChart distribution={distribution} terms={terms} />
      </div>
    </>
  );
}
