/** /loan_risk: one loan, its states over the term, its coverage. */
import { useMemo } from 'preact/hooks';
import type { LoanDistribution } from '#core/figures/distribution.ts';
import { isOfLoan, numbersOf } from '../compute/answer.ts';
import type { Fields } from '../state/address.ts';
import { takesTail } from '../state/methodologies.ts';
import { coverageUnit } from '../state/session.ts';
import type { AxisText } from '../ui/chart.tsx';
import { EventsChart, FanChart, HistogramChart, type Level, ratio } from '../ui/charts.tsx';
import { coverageLabel } from '../ui/coverage.ts';
import { type Fan, fanOf, invertedFan, invertedValues } from '../ui/distributions.ts';
import { SwitchField } from '../ui/fields.tsx';
import { percent } from '../ui/format.ts';
import { RatioAxis } from '../ui/ratio-axis.tsx';
import { ScenarioPanel } from '../ui/scenario-panel.tsx';
import { BeforeAfter } from '../ui/side-by-side.tsx';
import { numberOf } from '../ui/typed-numbers.ts';
import { loanSentences } from '../words/loan.ts';
import type { OperationDefinition } from './operation-view.tsx';
import {
  analysisDate,
  Baskets,
  basketAssets,
  FallField,
  fallParams,
  isInUnits,
  LendingFields,
  LOAN_DEFAULTS,
  lendingParams,
  loanParams,
  RATIO_DEFAULTS,
  ratioParams,
  shockParams,
  simulationParams,
  TermFields,
} from './shared.tsx';

const TONES = { N: 'nominal', R: 'recovery', M: 'marginCall', L: 'liquidation' } as const;
/** What the lines are called where coverage is loan-to-value. */
const LTV_LINES = { N: 'initial', R: 'call over', M: 'call', L: 'liquidation' } as const;

/** The four ratios and coverage 1 as levels of a coverage chart, as coverage is shown; ratios that are equal share a line. */
export function ratioLevels(terms: Readonly<Record<string, unknown>>): Level[] {
  const unit = coverageUnit.value;
  const levels: { names: string[]; value: number; tone: Level['tone'] }[] = [];
  for (const [name, tone] of Object.entries(TONES)) {
    const value = Number(terms[name]);
    const words = unit === 'ltv' ? LTV_LINES[name as keyof typeof LTV_LINES] : name;
    const same = levels.find(level => level.value === value);
    if (same === undefined) levels.push({ names: [words], value, tone });
    else {
      same.names.push(words);
      same.tone = tone;
    }
  }
  return [
    ...levels.map(({ names, value, tone }) => ({
      label: `${names.join(', ')} ${coverageLabel(value, unit)}`,
      value: onAxis(value),
      tone,
    })),
    { label: 'under water', value: 1, tone: 'ink' },
  ];
}

/** A coverage on an axis: 1/x where loan-to-value is shown. */
export const onAxis = (value: number) => (coverageUnit.value === 'ltv' ? 1 / value : value);

/** How values of an axis of coverage are written. */
export const coverageAxis = (): AxisText =>
  coverageUnit.value === 'ltv'
    ? { label: 'LTV', show: value => percent(value) }
    : { label: 'CCR', show: ratio };

const NO_PATHS: Fan['paths'] = [];

/** The fan of coverage as it is shown. @param paths single paths of coverage */
export function useCoverageFan({ Fan: member }: LoanDistribution, start: unknown, paths = NO_PATHS): Fan {
  const isLtv = coverageUnit.value === 'ltv';
  return useMemo(() => {
    const fan = fanOf(member, Number(start), 1, paths);
    return isLtv ? invertedFan(fan) : fan;
  }, [member, start, paths, isLtv]);
}

/** The charts of a loan under unlimited liquidity. */
export function LoanCharts(props: {
  distribution: LoanDistribution;
  terms: Readonly<Record<string, unknown>>;
  paths?: Fan['paths'] | undefined;
}) {
  const { distribution, terms, paths } = props;
  return (
    <>
      <FanChart
        title={coverageUnit.value === 'ltv' ? 'Loan-to-value' : 'Collateral coverage'}
        fan={useCoverageFan(distribution, terms.N, paths)}
        value={coverageAxis()}
        levels={ratioLevels(terms)}
        wide
      />
      <EventsChart distribution={distribution} />
      <LowestChart distribution={distribution} terms={terms} />
    </>
  );
}

/** The lowest coverage of the term, as coverage is shown. */
export function LowestChart(props: {
  distribution: LoanDistribution;
  terms: Readonly<Record<string, unknown>>;
}) {
  const { distribution, terms } = props;
  const { LowestCCR } = distribution;
  const isLtv = coverageUnit.value === 'ltv';
  const values = useMemo(() => (isLtv ? invertedValues(LowestCCR) : LowestCCR), [LowestCCR, isLtv]);
  return (
    <HistogramChart
      title={isLtv ? 'Highest loan-to-value of the term' : 'Lowest coverage of the term'}
      values={values}
      value={
        isLtv ? { label: 'highest LTV', show: value => percent(value) } : { label: 'lowest CCR', show: ratio }
      }
      marks={ratioLevels(terms).filter(({ tone }) => tone !== 'nominal' && tone !== 'recovery')}
    />
  );
}

/** The loan of the form as a row of a book, for scenarios. */
const loanRow = (fields: Fields) => {
  const { analysis_date: _, model_lookback: __, ...row } = loanParams(fields) as Record<string, unknown>;
  return { id: 'loan', ...row, ...ratioParams(fields), ...lendingParams(fields) };
};

export const LOAN: OperationDefinition = {
  title: 'Loan',
  lead: 'How likely are margin call, liquidation, closeout and an underwater loan?',
  path: '/loan_risk',
  question: 'loan',
  defaults: { ...LOAN_DEFAULTS, ...RATIO_DEFAULTS, tail: '' },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      ...loanParams(fields),
      ...ratioParams(fields),
      ...lendingParams(fields),
      ...fallParams(fields),
      ...simulationParams(fields, paths),
    },
  }),
  query: fields => (isShifted(fields) ? { sampling: 'tail' } : {}),
  include: 'model',
  headline: ({ Output = {}, Arguments, Model }) => loanSentences(Output, Arguments, Model),
  form: form => (
    <>
      <Baskets form={form} withUnits />
      <RatioAxis form={form} names={isInUnits(form.fields) ? ['L', 'M', 'R'] : ['L', 'M', 'N', 'R']} />
      <TermFields form={form} />
      <FallField form={form} assets={basketAssets(form.fields)} />
      <LendingFields form={form}>
        {takesTail(form.fields.type) && (
          <SwitchField form={form} name="tail" member="query.sampling" label="More paths to rare losses" />
        )}
      </LendingFields>
    </>
  ),
  charts: ({ state: { distribution, details }, answer }) =>
    isOfLoan(distribution) ? (
      <LoanCharts distribution={distribution} terms={answer.Arguments} paths={details?.paths} />
    ) : null,
  below: ({ fields, seed, paths, answer }) => (
    <>
      {(Number(fields.fall) || 0) !== 0 && (
        <BeforeAfter
          path="/loan_risk"
          body={LOAN.body({ ...fields, fall: '0' }, paths)}
          seed={seed}
          move={Number(fields.fall) > 0 ? 'fall' : 'rise'}
          after={numbersOf(answer.Output)}
        />
      )}
      <ScenarioPanel
        type={fields.type}
        params={{
          ...analysisDate(fields),
          model_lookback: numberOf(fields.lookback),
          ...shockParams(fields),
        }}
        loans={[loanRow(fields)]}
        seed={seed}
        levels={ratioLevels(answer.Arguments)}
      />
    </>
  ),
};

/** Whether the paths are shifted to rare losses. */
const isShifted = ({ tail, type }: Fields) => tail === '1' && takesTail(type);
