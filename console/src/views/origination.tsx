/** /loan_origination: the nominal ratio that brings a figure to its target, and the score of every candidate. */
import type { ScoreTerms } from '../../../src/question/origination/score.ts';
import type { ScoreCurve } from '../compute/curve.ts';
import { coverageUnit } from '../state/session.ts';
import { LinesChart, ratio } from '../ui/charts.tsx';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { figureName } from '../ui/figure-names.ts';
import { percent } from '../ui/format.ts';
import { RatioAxis } from '../ui/ratio-axis.tsx';
import { originationSentences } from '../words/loan.ts';
import { LoanCharts } from './loan.tsx';
import type { OperationDefinition } from './operation-view.tsx';
import {
  Baskets,
  basketAssets,
  choices,
  FallField,
  fallParams,
  isSimulated,
  LOAN_DEFAULTS,
  LOAN_MODELS,
  loanParams,
  ModelFields,
  numberOf,
  pathParams,
  RATIO_DEFAULTS,
  ratiosSent,
  shockParams,
  TermFields,
} from './shared.tsx';

const SCORES = [
  'PrLiquidation',
  'PrCloseout',
  'PrForcedSale',
  'PrMarginCall',
  'PrUnderwater',
  'WorstCaseCCR',
] as const;

export const ORIGINATION: OperationDefinition = {
  title: 'Origination',
  lead: 'How much may be lent against the collateral, so that one figure of the loan meets its target?',
  path: '/loan_origination',
  runsInBrowser: false,
  headline: ({ Output = {}, Arguments }) => originationSentences(Output, Arguments, coverageUnit.value),
  defaults: {
    ...LOAN_DEFAULTS,
    L: RATIO_DEFAULTS.L,
    score: 'PrLiquidation',
    target: '0.05',
    min: '1.2',
    max: '3',
    tolerance: '0.001',
  },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      ...loanParams(fields),
      ...ratiosSent(fields, ['L']),
      ...pathParams(fields, paths),
      ...shockParams(fields),
      ...fallParams(fields),
      opt_param: {
        score_variable: fields.score,
        score_target: numberOf(fields.target),
        variable_min: numberOf(fields.min),
        variable_max: numberOf(fields.max),
        error_tolerance: numberOf(fields.tolerance),
      },
    },
  }),
  refines: isSimulated,
  form: form => (
    <>
      <Baskets form={form} />
      <div class="grid-2">
        <div class="spread">
          <ChoiceField
            form={form}
            name="score"
            member="params.opt_param.score_variable"
            label="Figure"
            choices={SCORES.map(score => [score, figureName(score).label] as const)}
          />
        </div>
        <TextField form={form} name="target" member="params.opt_param.score_target" label="Target" />
        <TextField form={form} name="tolerance" member="params.opt_param.error_tolerance" label="Tolerance" />
        <TextField
          form={form}
          name="min"
          member="params.opt_param.variable_min"
          label="Least N"
          hint="coverage"
        />
        <TextField
          form={form}
          name="max"
          member="params.opt_param.variable_max"
          label="Largest N"
          hint="coverage"
        />
      </div>
      <RatioAxis form={form} names={['L']} />
      <TermFields form={form} />
      <FallField form={form} assets={basketAssets(form.fields)} />
      <ModelFields form={form} types={choices(...LOAN_MODELS)} />
    </>
  ),
  curve: answer => answer.Arguments as unknown as ScoreTerms,
  charts: ({ state: { picture, curve, stepHours }, answer }) => {
    const { L, opt_param: search } = answer.Arguments as unknown as ScoreTerms;
    const terms = { ...answer.Arguments, ...answer.Output, L };
    return (
      <>
        {curve !== undefined && <ScoreChart curve={curve} search={search} found={Number(answer.Output?.N)} />}
        {/* The plan of the answer is that of the loan at the N found. */}
        {picture?.kind === 'loan' && <LoanCharts picture={picture} terms={terms} stepHours={stepHours} />}
      </>
    );
  },
};

/** Score against N, with the target, the tolerance around it, and the N found. */
function ScoreChart({
  curve,
  search,
  found,
}: {
  curve: ScoreCurve;
  search: ScoreTerms['opt_param'];
  found: number;
}) {
  const { score_variable: name, score_target: target, error_tolerance: tolerance } = search;
  const share = name !== 'WorstCaseCCR';
  const show = share ? (value: number) => percent(value, 2) : ratio;
  const withBand = curve.low.some(low => low !== null);
  return (
    <LinesChart
      title={`${figureName(name).label} by nominal ratio`}
      x={curve.nominalRatios}
      xText={{ label: 'N', show: ratio }}
      yText={{ label: share ? 'share of scenarios' : 'lowest CCR', show }}
      lines={[{ label: figureName(name).label, values: curve.scores, tone: 'accent' }]}
      {...(withBand ? { band: { label: '95% interval', low: curve.low, high: curve.high } } : {})}
      levels={[
        {
          label: `${show(target)} ± ${share ? percent(tolerance, 3) : ratio(tolerance)}`,
          value: target,
          tone: 'nominal',
          around: tolerance,
        },
      ]}
      marks={
        Number.isFinite(found) ? [{ label: `N ${ratio(found)}`, value: found, tone: 'liquidation' }] : []
      }
    />
  );
}
