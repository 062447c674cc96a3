/** /loan_origination: the nominal ratio that brings a figure to its target, and the score of every candidate. */
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { LOAN } from './loan.tsx';
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

const SCORES = ['PrLiquidation', 'PrCloseout', 'PrMarginCall', 'PrUnderwater', 'WorstCaseCCR'] as const;

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
        types={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'BOOTSTRAP')}
      />
    </>
  ),
  // The plan of the answer is that of the loan at the ratio found.
  charts: LOAN.charts,
};
