/** Parts of forms that several operations share, and how their bodies are written. */
import type { Fields } from '../state/address.ts';
import { cashNames, symbols } from '../state/server.ts';
import type { FormContext } from '../ui/fields.tsx';
import { ChoiceField, DayField, TextField } from '../ui/fields.tsx';
import { WeightsField, weightMap } from '../ui/weights.tsx';

/** A number as typed; a text that is none goes to the server as it is, which then says what it wants. */
export const numberOf = (text: string | undefined): number | string => {
  const value = Number(text);
  return text === undefined || text.trim() === '' || !Number.isFinite(value) ? (text ?? '') : value;
};

/** Several numbers separated by commas. */
export const numbersOf = (text: string | undefined) =>
  (text ?? '').split(',').map(part => numberOf(part.trim()));

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day as the interface wants it, `06-30-2024`; any other text goes to the server as it is. */
export const monthFirst = (day: string) => day.replace(ISO_DAY, '$2-$3-$1');

/** `analysis_date` from a date field, or nothing where it is empty. */
export const analysisDate = ({ date = '' }: Fields): { analysis_date?: string } =>
  date === '' ? {} : { analysis_date: monthFirst(date) };

/** Members of `params` that all loan operations take. */
export const loanParams = (fields: Fields) => ({
  collateral_weights: weightMap(fields.c),
  loan_weights: weightMap(fields.l),
  ...analysisDate(fields),
  model_lookback: numberOf(fields.lookback),
  loan_duration: numberOf(fields.days),
  mc_top_up: numberOf(fields.grace),
  loan_value: numberOf(fields.value),
});

/** The assets of both baskets. */
export const basketAssets = (fields: Fields) =>
  [...new Set([...Object.keys(weightMap(fields.c)), ...Object.keys(weightMap(fields.l))])].filter(
    name => !cashNames.value.includes(name),
  );

/** The shock, for a methodology that takes one. */
export const shockParams = (fields: Fields) =>
  fields.type === 'GBM_VIX' || fields.type === 'HISTORICAL'
    ? {}
    : { volatility_shock: numberOf(fields.shock) };

/** The number of paths, for a methodology that takes one. */
export const pathParams = (fields: Fields, paths: number) =>
  fields.type === 'HISTORICAL' ? {} : { mc_iter: paths };

/** Whether a methodology is a simulation. */
export const isSimulated = (fields: Fields) => fields.type !== 'HISTORICAL';

/** Names of methodologies. */
export const METHODOLOGIES: Readonly<Record<string, string>> = {
  GBM: 'GBM',
  GBM_VIX: 'GBM, volatility index',
  HISTORICAL: 'Historical windows',
  GARCH: 'GARCH(1,1)',
  STUDENT_T: 'Student t',
  FHS: 'Filtered historical simulation',
  FHS_EVT: 'Filtered historical, Pareto tails',
  BOOTSTRAP: 'Stationary bootstrap',
};

export const choices = (...types: string[]) => types.map(type => [type, METHODOLOGIES[type]] as const);

export function Baskets({ form }: { form: FormContext }) {
  return (
    <div class="grid-2 weights-pair">
      <WeightsField
        form={form}
        name="c"
        member="params.collateral_weights"
        label="Collateral"
        symbols={symbols.value}
      />
      <WeightsField form={form} name="l" member="params.loan_weights" label="Loan" symbols={symbols.value} />
    </div>
  );
}

/** Methodology, lookback, date and shock. */
export function ModelFields({
  form,
  types,
}: {
  form: FormContext;
  types: readonly (readonly [string, string])[];
}) {
  return (
    <div class="grid-2">
      <ChoiceField form={form} name="type" member="type" label="Methodology" choices={types} />
      <TextField form={form} name="lookback" member="params.model_lookback" label="Lookback" hint="days" />
      <DateField form={form} />
      {isSimulated(form.fields) && form.fields.type !== 'GBM_VIX' && (
        <TextField
          form={form}
          name="shock"
          member="params.volatility_shock"
          label="Volatility shock"
          hint="0.1: +10%"
        />
      )}
    </div>
  );
}

export const DateField = ({
  form,
  member = 'params.analysis_date',
}: {
  form: FormContext;
  member?: string;
}) => <DayField form={form} name="date" member={member} label="Date" hint="empty: today" />;

/** Term, grace and size of a loan. */
export function TermFields({ form }: { form: FormContext }) {
  return (
    <div class="grid-3">
      <TextField form={form} name="days" member="params.loan_duration" label="Term" hint="days" />
      <TextField form={form} name="grace" member="params.mc_top_up" label="Grace" hint="hours" />
      <TextField form={form} name="value" member="params.loan_value" label="Loan" hint="USD" />
    </div>
  );
}

/** Fields of the shared parts. */
export const LOAN_DEFAULTS: Fields = {
  type: 'GBM',
  c: 'BTC:1',
  l: 'USD:1',
  lookback: '90',
  days: '30',
  grace: '24',
  value: '1000000',
  shock: '0',
};
