/** /loan_origination: the nominal ratio that brings a figure to its target, and the score of every candidate. */
import type { ScoreTerms } from '../../../src/question/origination/score.ts';
import type { ScoreCurve } from '../compute/curve.ts';
import { LinesChart, ratio } from '../ui/charts.tsx';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { percent } from '../ui/format.ts';
import { LoanCharts } from './loan.tsx';
import type { OperationDefinition } from './operation-view.tsx';
import {
  Baskets,
  basketAssets,
  choices,
  isSimulated,
  LOAN_DEFAULTS,
  loanParams,
  ModelFields,
  numberOf,
  pathParams,
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
  lead: 'Which nominal ratio N brings one figure of the loan to its target?',
  path: '/loan_origination',
  runsInBrowser: false,
  defaults: {
    ...LOAN_DEFAULTS,
    L: '1.15',
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
      L: numberOf(fields.L),
      ...pathParams(fields, paths),
      ...shockParams(fields),
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
        <ChoiceField
          form={form}
          name="score"
          member="params.opt_param.score_variable"
          label="Figure"
          choices={SCORES.map(score => [score, score] as const)}
        />
        <TextField form={form} name="target" member="params.opt_param.score_target" label="Target" />
        <TextField form={form} name="tolerance" member="params.opt_param.error_tolerance" label="Tolerance" />
        <TextField form={form} name="L" member="params.L" label="Liquidation ratio L" />
        <TextField form={form} name="min" member="params.opt_param.variable_min" label="Least ratio" />
        <TextField form={form} name="max" member="params.opt_param.variable_max" label="Largest ratio" />
      </div>
      <TermFields form={form} />
      <ModelFields
        form={form}
        types={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP')}
      />
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
      title={`${name} by nominal ratio`}
      x={curve.nominalRatios}
      xText={{ label: 'N', show: ratio }}
      yText={{ label: share ? 'share of scenarios' : 'lowest CCR', show }}
      lines={[{ label: name, values: curve.scores, tone: 'accent' }]}
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
