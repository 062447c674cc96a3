/** /loan_origination: the nominal ratio that brings a figure to its target, and the score of every candidate. */
import { ORIGINATION_SCORES } from '#core/figures/origination.ts';
import type { ScoreTerms } from '#src/question/origination/score.ts';
import { isOfLoan } from '../compute/answer.ts';
import type { ScoreCurve } from '../compute/curve.ts';
import { coverageUnit } from '../state/session.ts';
import { LinesChart, ratio } from '../ui/charts.tsx';
import { coverageLabel } from '../ui/coverage.ts';
import { ChoiceField, CoverageField, NumberField, PercentField } from '../ui/fields.tsx';
import { figureName } from '../ui/figure-names.ts';
import { percent } from '../ui/format.ts';
import { RatioAxis } from '../ui/ratio-axis.tsx';
import { numberOf } from '../ui/typed-numbers.ts';
import { originationSentences } from '../words/loan.ts';
import { LoanCharts, onAxis } from './loan.tsx';
import type { OperationDefinition } from './operation-view.tsx';
import {
  Baskets,
  basketAssets,
  FallField,
  fallParams,
  LOAN_DEFAULTS,
  loanParams,
  RATIO_DEFAULTS,
  ratiosSent,
  simulationParams,
  TermFields,
} from './shared.tsx';

export const ORIGINATION: OperationDefinition = {
  title: 'Origination',
  lead: 'How much may be lent against the collateral, so that one figure of the loan meets its target?',
  path: '/loan_origination',
  question: 'origination',
  runsInBrowser: false,
  headline: ({ Output = {}, Arguments }) => originationSentences(Output, Arguments, coverageUnit.value),
  defaults: {
    ...LOAN_DEFAULTS,
    L: RATIO_DEFAULTS.L,
    score: 'PrForcedSale',
    target: '0.05',
    min: '1.2',
    max: '5',
    tolerance: '0.001',
  },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      ...loanParams(fields),
      ...ratiosSent(fields, ['L']),
      ...simulationParams(fields, paths),
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
            choices={Object.keys(ORIGINATION_SCORES).map(score => [score, figureName(score).label] as const)}
          />
        </div>
        {SEARCHED.map(({ name, member, label }) =>
          form.fields.score === 'WorstCaseCCR' ? (
            <NumberField key={name} form={form} name={name} member={member} label={label} kind="ratio" />
          ) : (
            <PercentField key={name} form={form} name={name} member={member} label={label} />
          ),
        )}
        {bounds().map(({ name, member, label, hint }) => (
          <CoverageField key={name} form={form} name={name} member={member} label={label} hint={hint} />
        ))}
      </div>
      <RatioAxis form={form} names={['L']} />
      <TermFields form={form} />
      <FallField form={form} assets={basketAssets(form.fields)} />
    </>
  ),
  curve: answer => answer.Arguments as unknown as ScoreTerms,
  charts: ({ state: { distribution, details, curve }, answer }) => {
    const { L, opt_param: search } = answer.Arguments as unknown as ScoreTerms;
    const terms = { ...answer.Arguments, ...answer.Output, L };
    return (
      <>
        {curve !== undefined && <ScoreChart curve={curve} search={search} found={Number(answer.Output?.N)} />}
        {/* The distribution of the answer is that of the loan at the N found. */}
        {isOfLoan(distribution) && (
          <LoanCharts distribution={distribution} terms={terms} paths={details?.paths} />
        )}
      </>
    );
  },
};

/** Shares in per cent, and the coverage of the worst case as a ratio. */
const SEARCHED = [
  { name: 'target', member: 'params.opt_param.score_target', label: 'Target' },
  { name: 'tolerance', member: 'params.opt_param.error_tolerance', label: 'Tolerance' },
] as const;

const BOUNDS = {
  min: { name: 'min', member: 'params.opt_param.variable_min' },
  max: { name: 'max', member: 'params.opt_param.variable_max' },
} as const;

/** The ends of the search, the lower one first: the least coverage is the highest LTV. */
const bounds = () =>
  coverageUnit.value === 'ltv'
    ? [
        { ...BOUNDS.max, label: 'Lowest initial LTV', hint: '%' },
        { ...BOUNDS.min, label: 'Highest initial LTV', hint: '%' },
      ]
    : [
        { ...BOUNDS.min, label: 'Least N', hint: 'coverage' },
        { ...BOUNDS.max, label: 'Largest N', hint: 'coverage' },
      ];

/** Score against the start of the loan as coverage is shown, with the target, the tolerance around it, and the start found. */
function ScoreChart({
  curve: { nominalRatios, scores, low, high },
  search,
  found,
}: {
  curve: ScoreCurve;
  search: ScoreTerms['opt_param'];
  found: number;
}) {
  const { score_variable: name, score_target: target, error_tolerance: tolerance } = search;
  const isLtv = coverageUnit.value === 'ltv';
  const share = name !== 'WorstCaseCCR';
  const show = share ? (value: number) => percent(value, 2) : ratio;
  const { label } = figureName(name);
  // LTVs fall as ratios rise.
  const rising = <T,>(values: readonly T[]) => (isLtv ? [...values].reverse() : values);
  return (
    <LinesChart
      title={isLtv ? `${label} by initial LTV` : `${label} by nominal ratio`}
      wide
      x={rising(nominalRatios.map(onAxis))}
      xText={isLtv ? { label: 'initial LTV', show: value => percent(value) } : { label: 'N', show: ratio }}
      yText={{ label: share ? 'share of scenarios' : 'lowest CCR', show }}
      lines={[{ label, values: rising(scores), tone: 'accent' }]}
      {...(low.some(end => end !== null)
        ? { band: { label: '95% interval', low: rising(low), high: rising(high) } }
        : {})}
      levels={[
        {
          label: `${show(target)} ± ${share ? percent(tolerance, 3) : ratio(tolerance)}`,
          value: target,
          tone: 'nominal',
          around: tolerance,
        },
      ]}
      marks={
        Number.isFinite(found)
          ? [
              {
                label: isLtv ? `initial LTV ${coverageLabel(found, 'ltv')}` : `N ${ratio(found)}`,
                value: onAxis(found),
                tone: 'liquidation',
              },
            ]
          : []
      }
    />
  );
}
