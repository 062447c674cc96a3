/** /loan_risk: one loan, its states over the term, its coverage. */
import { EventsChart, FanChart, HistogramChart, type Level } from '../ui/charts.tsx';
import { RatioAxis } from '../ui/ratio-axis.tsx';
import type { OperationDefinition } from './operation-view.tsx';
import {
  Baskets,
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

/** The four ratios as levels of a coverage chart. */
export const ratioLevels = (terms: Readonly<Record<string, unknown>>): Level[] => [
  { label: `R ${terms.R}`, value: Number(terms.R), tone: 'recovery' },
  { label: `M ${terms.M}`, value: Number(terms.M), tone: 'marginCall' },
  { label: `L ${terms.L}`, value: Number(terms.L), tone: 'liquidation' },
  { label: 'underwater', value: 1, tone: 'text' },
];

export const LOAN: OperationDefinition = {
  title: 'Loan',
  lead: 'How likely are margin call, liquidation, closeout and an underwater loan?',
  path: '/loan_risk',
  defaults: { ...LOAN_DEFAULTS, N: '1.5', M: '1.3', L: '1.15', R: '1.4' },
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
        types={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'BOOTSTRAP')}
      />
    </>
  ),
  charts: ({ state: { picture }, answer }) =>
    picture?.kind === 'loan' ? (
      <>
        <FanChart
          title="Collateral coverage"
          fan={picture.fan}
          value="CCR"
          levels={ratioLevels(answer.Arguments)}
        />
        <EventsChart picture={picture} />
        <HistogramChart
          title="Lowest coverage of the term"
          histogram={picture.lowest}
          value="lowest CCR"
          marks={ratioLevels(answer.Arguments).slice(1)}
        />
      </>
    ) : null,
};
