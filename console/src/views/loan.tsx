/** /loan_risk: one loan, its states over the term, its coverage. */
import type { LoanPicture } from '../compute/picture.ts';
import { EventsChart, FanChart, HistogramChart, type Level, ratio } from '../ui/charts.tsx';
import { RatioAxis } from '../ui/ratio-axis.tsx';
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

const TONES = { N: 'nominal', R: 'recovery', M: 'marginCall', L: 'liquidation' } as const;

/** The four ratios and coverage 1 as levels of a coverage chart; ratios that are equal share a line. */
export function ratioLevels(terms: Readonly<Record<string, unknown>>): Level[] {
  const levels: Level[] = [];
  for (const [name, tone] of Object.entries(TONES)) {
    const value = Number(terms[name]);
    const same = levels.findIndex(level => level.value === value);
    if (same >= 0) {
      const [names] = levels[same].label.split(' ');
      levels[same] = { ...levels[same], label: `${names}+${name} ${ratio(value)}` };
    } else levels.push({ label: `${name} ${ratio(value)}`, value, tone });
  }
  return [...levels, { label: 'underwater', value: 1, tone: 'ink' }];
}

/** The charts of a loan under unlimited liquidity. */
export function LoanCharts(props: {
  picture: LoanPicture;
  terms: Readonly<Record<string, unknown>>;
  stepHours: number;
  /** The fan as wide as the page. */
  wide?: boolean;
}) {
  const { picture, terms, stepHours, wide = false } = props;
  const levels = ratioLevels(terms);
  return (
    <>
      <FanChart
        title="Collateral coverage"
        fan={picture.fan}
        value={{ label: 'CCR', show: ratio }}
        levels={levels}
        wide={wide}
        stepHours={stepHours}
      />
      <EventsChart picture={picture} stepHours={stepHours} />
      <HistogramChart
        title="Lowest coverage of the term"
        histogram={picture.lowest}
        value={{ label: 'lowest CCR', show: ratio }}
        marks={levels.filter(({ tone }) => tone !== 'nominal' && tone !== 'recovery')}
      />
    </>
  );
}

export const LOAN: OperationDefinition = {
  title: 'Loan',
  lead: 'How likely are margin call, liquidation, closeout and an underwater loan?',
  path: '/loan_risk',
  defaults: { ...LOAN_DEFAULTS, N: '1.5', M: '1.3', L: '1.15', R: '1.4' },
  assets: basketAssets,
  body: (fields, paths) => ({
    type: fields.type,
    params: {
      ...loanParams(fields),
      N: numberOf(fields.N),
      M: numberOf(fields.M),
      L: numberOf(fields.L),
      R: numberOf(fields.R),
      ...pathParams(fields, paths),
      ...shockParams(fields),
    },
  }),
  refines: isSimulated,
  form: form => (
    <>
      <Baskets form={form} />
      <RatioAxis form={form} />
      <TermFields form={form} />
      <ModelFields
        form={form}
        types={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP')}
      />
    </>
  ),
  charts: ({ state: { picture, stepHours }, answer }) =>
    picture?.kind === 'loan' ? (
      <LoanCharts picture={picture} terms={answer.Arguments} stepHours={stepHours} wide />
    ) : null,
};
