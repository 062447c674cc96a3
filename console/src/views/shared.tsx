/** Parts of forms that several operations share, and how their bodies are written. */
import type { ComponentChildren } from 'preact';
import { USUAL } from '#core/figures/usual.ts';
import { changeOfAll, lendsCoins } from '#src/desk/ask-stress.ts';
import type { Fields } from '../state/address.ts';
import { declared, draws, methodologiesOf, type Question, takesShock } from '../state/methodologies.ts';
import { cashNames, symbols } from '../state/server.ts';
import { coverageUnit } from '../state/session.ts';
import type { FormContext } from '../ui/fields.tsx';
import { ChoiceField, DayField, NumberField, PercentField, StepSlider } from '../ui/fields.tsx';
import { Folded } from '../ui/form-panel.tsx';
import { NARROW, percent } from '../ui/format.ts';
import { numberOf } from '../ui/typed-numbers.ts';
import { WeightsField, weightMap } from '../ui/weights.tsx';

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day in the form of the interface, `06-30-2024`; another text goes to the server as it is. */
export const monthFirst = (day: string) => day.replace(ISO_DAY, '$2-$3-$1');

/** `analysis_date` from a date field, or nothing where it is empty. */
export const analysisDate = ({ date = '' }: Fields): { analysis_date?: string } =>
  date === '' ? {} : { analysis_date: monthFirst(date) };

/** Whether the form has the loan in units of its assets. */
export const isInUnits = (fields: Fields) => fields.by === 'units';

/** The baskets: by weight with the size of the loan, or by units, from which size and ratio follow. */
export const basketParams = (fields: Fields) =>
  isInUnits(fields)
    ? { collateral: weightMap(fields.cu), loan: weightMap(fields.lu) }
    : {
        collateral_weights: weightMap(fields.c),
        loan_weights: weightMap(fields.l),
        loan_value: numberOf(fields.value),
      };

/** Members of `params` that all loan operations take. */
export const loanParams = (fields: Fields) => ({
  ...basketParams(fields),
  ...analysisDate(fields),
  model_lookback: numberOf(fields.lookback),
  loan_duration: numberOf(fields.days),
  mc_top_up: numberOf(fields.grace),
});

const RATIO_MEMBERS = {
  N: 'initial_ltv',
  M: 'margin_call_ltv',
  L: 'liquidation_ltv',
  R: 'recovery_ltv',
} as const;

/** Digits of an LTV that is sent: what was typed in per cent comes back whole. */
const LTV_DIGITS = 12;

/** Ratios as they are shown: the server then refuses the numbers that were typed. */
export function ratiosSent(fields: Fields, names: readonly (keyof typeof RATIO_MEMBERS)[]) {
  const sent = names.map(name => {
    const ratio = numberOf(fields[name]);
    if (coverageUnit.value === 'ccr') return [name, ratio];
    const isRatio = typeof ratio === 'number' && ratio > 0;
    return [RATIO_MEMBERS[name], isRatio ? Number((1 / ratio).toPrecision(LTV_DIGITS)) : ratio];
  });
  return Object.fromEntries(sent) as Readonly<Record<string, number | string>>;
}

/** The ratios of a loan; that at which it begins follows from units. */
export const ratioParams = (fields: Fields) =>
  ratiosSent(fields, isInUnits(fields) ? ['M', 'L', 'R'] : ['N', 'M', 'L', 'R']);

/** A member whose field is not empty. */
const sentWhere = (name: string, text: string | undefined) =>
  (text ?? '').trim() === '' ? {} : { [name]: numberOf(text) };

/** Interest, an open call, and answers to calls, where the form has them. */
export const lendingParams = (fields: Fields) => ({
  ...sentWhere('interest_rate', fields.interest),
  ...sentWhere('called_hours_ago', fields.called),
  ...((fields.answered ?? '').trim() === ''
    ? {}
    : {
        top_up: {
          share: numberOf(fields.answered),
          ...sentWhere('delay_hours', fields.answerAfter),
          ...sentWhere('to_ltv', fields.answerTo),
        },
      }),
});

/** A fall of prices before the first step, where the form has one. @param loans those of a book, else that of the form */
export const fallParams = (fields: Fields, loans?: Parameters<typeof lendsCoins>[0]) => {
  const change = -(Number(fields.fall) || 0) / 100;
  if (change === 0) return {};
  const { fallOf } = fields;
  const ofForm = () => [{ loan_weights: Object.fromEntries(basketAssets(fields).map(name => [name, 1])) }];
  return { price_shock: fallOf ? { [fallOf]: change } : changeOfAll(change, loans ?? ofForm()) };
};

/** The assets of both baskets. */
export const basketAssets = (fields: Fields) => {
  const [collateral, loan] = isInUnits(fields) ? [fields.cu, fields.lu] : [fields.c, fields.l];
  return [...new Set([...Object.keys(weightMap(collateral)), ...Object.keys(weightMap(loan))])].filter(
    name => !cashNames.value.includes(name),
  );
};

/** The shock of volatilities, for a methodology that takes it. */
export const shockParams = (fields: Fields) =>
  takesShock(fields.type) ? { volatility_shock: numberOf(fields.shock) } : {};

/** The number of paths and the shock of volatilities, for a methodology that takes them. */
export const simulationParams = (fields: Fields, paths: number | string) => ({
  ...(draws(fields.type) ? { mc_iter: paths } : {}),
  ...shockParams(fields),
});

export function Baskets({ form, withUnits = false }: { form: FormContext; withUnits?: boolean }) {
  const inUnits = withUnits && isInUnits(form.fields);
  const field = (name: string, member: string, label: string) => (
    <WeightsField
      form={form}
      name={name}
      member={member}
      label={label}
      symbols={symbols.value}
      of={inUnits ? 'units' : 'weight'}
    />
  );
  return (
    <>
      {withUnits && (
        <ChoiceField
          form={form}
          name="by"
          member="params.by"
          label="The loan is given by"
          choices={[
            ['', 'shares and an LTV'],
            ['units', 'coins and dollars'],
          ]}
        />
      )}
      <div class={inUnits ? '' : 'grid-2 weights-pair'}>
        {inUnits ? (
          <>
            {field('cu', 'params.collateral', 'Collateral, units')}
            {field('lu', 'params.loan', 'Loan, units')}
          </>
        ) : (
          <>
            {field('c', 'params.collateral_weights', 'Collateral')}
            {field('l', 'params.loan_weights', 'Loan')}
          </>
        )}
      </div>
    </>
  );
}

/** A fall of prices before the first step, or a rise where a loan is in a coin. */
export function FallField(props: {
  form: FormContext;
  assets: readonly string[];
  /** Loans with their assets; the loan of the form where absent. */
  loans?: Parameters<typeof lendsCoins>[0];
}) {
  const { form, assets } = props;
  const { l, lu } = form.fields;
  const rises = lendsCoins(props.loans ?? [{ loan: weightMap(isInUnits(form.fields) ? lu : l) }]);
  return (
    <fieldset class="scenario-bar">
      <legend>What if prices fall{rises && ' or rise'} now?</legend>
      <StepSlider
        form={form}
        name="fall"
        member="params.price_shock"
        label={rises ? 'Move' : 'Fall'}
        mirrored={rises}
        low={rises ? -90 : 0}
        high={rises ? 200 : 90}
        step={1}
        show={value => (value === 0 ? 'none' : `${value > 0 ? '-' : '+'}${Math.abs(value)}${NARROW}%`)}
      />
      <ChoiceField
        form={form}
        name="fallOf"
        member="params.price_shock"
        label="Of"
        choices={[['', 'all coins'], ...assets.map(name => [name, name] as const)]}
      />
    </fieldset>
  );
}

/** Interest, an open call, answers to calls: terms that not every loan has. */
export function LendingFields({ form, children }: { form: FormContext; children?: ComponentChildren }) {
  const names = ['interest', 'called', 'answered', 'tail'];
  const filled = names.filter(name => (form.fields[name] ?? '') !== '').length;
  return (
    <Folded title="Interest, open calls, answers" note={filled > 0 ? `${filled} set` : ''} open={filled > 0}>
      <div class="grid-2">
        <PercentField
          form={form}
          name="interest"
          member="params.interest_rate"
          label="Interest"
          hint="% a year"
        />
        <NumberField
          form={form}
          name="called"
          member="params.called_hours_ago"
          label="Called for"
          hint="hours; empty: not called"
        />
        <PercentField
          form={form}
          name="answered"
          member="params.top_up.share"
          label="Calls answered"
          hint="% of calls"
        />
        <NumberField
          form={form}
          name="answerAfter"
          member="params.top_up.delay_hours"
          label="Answer after"
          hint="hours"
        />
        <PercentField
          form={form}
          name="answerTo"
          member="params.top_up.to_ltv"
          label="Answered up to an LTV of"
          hint="%"
        />
        {children}
      </div>
    </Folded>
  );
}

/** Methodology, lookback, date and shock, and what else a run depends on: the second group of every form. */
export function ModelFields(props: {
  form: FormContext;
  question: Question;
  /** Where the interface has the methodology, and the others. */
  type?: string;
  prefix?: string;
  /** Of the run, in the line of the group. */
  run: string;
  children?: ComponentChildren;
}) {
  const { form, question, type = 'type', prefix = 'params.', run, children } = props;
  const { fields } = form;
  const shock = takesShock(fields.type) && Number(fields.shock) !== 0;
  const note = [
    declared(fields.type)?.title.split(':')[0],
    `${fields.lookback} days`,
    fields.date === '' ? 'today' : fields.date,
    ...(shock ? [`volatility ${percent(Number(fields.shock))}`] : []),
    run,
  ];
  const members = [
    type,
    ...['model_lookback', 'analysis_date', 'volatility_shock', 'tranches'].map(name => prefix + name),
  ];
  return (
    <Folded
      title="Model and run"
      note={note.join(' \u00b7 ')}
      open={form.faults.some(({ path }) => members.includes(path))}
    >
      <div class="grid-2">
        <MethodologyField form={form} question={question} member={type} />
        <LookbackField form={form} member={`${prefix}model_lookback`} />
        <DateField form={form} member={`${prefix}analysis_date`} />
        <ShockField form={form} member={`${prefix}volatility_shock`} />
        {children}
      </div>
    </Folded>
  );
}

/** The methodologies that a question takes, with a sentence on the chosen one. */
export const MethodologyField = (props: { form: FormContext; question: Question; member?: string }) => {
  const { form, question, member = 'type' } = props;
  return (
    <div class="spread">
      <ChoiceField
        form={form}
        name="type"
        member={member}
        label="Methodology"
        choices={methodologiesOf(question).map(name => [name, declared(name)?.title ?? name] as const)}
      />
      <p class="hint">{declared(form.fields.type)?.words}</p>
    </div>
  );
};

export const LookbackField = ({
  form,
  member = 'params.model_lookback',
}: {
  form: FormContext;
  member?: string;
}) => <NumberField form={form} name="lookback" member={member} label="Lookback" hint="days" kind="whole" />;

/** The shock of volatilities, where the methodology takes one. */
export const ShockField = ({
  form,
  member = 'params.volatility_shock',
}: {
  form: FormContext;
  member?: string;
}) =>
  takesShock(form.fields.type) && (
    <PercentField form={form} name="shock" member={member} label="Volatility shock" hint="%" />
  );

export const DateField = ({
  form,
  member = 'params.analysis_date',
}: {
  form: FormContext;
  member?: string;
}) => <DayField form={form} name="date" member={member} label="Date" hint="empty: today" />;

/** Term, grace and, unless units state it, the size of a loan. */
export function TermFields({ form }: { form: FormContext }) {
  return (
    <div class="grid-3">
      <NumberField form={form} name="days" member="params.loan_duration" label="Term" hint="days" />
      <NumberField form={form} name="grace" member="params.mc_top_up" label="Grace" hint="hours" />
      {!isInUnits(form.fields) && (
        <NumberField form={form} name="value" member="params.loan_value" label="Loan" hint="USD" />
      )}
    </div>
  );
}

/** The methodology of a page without a choice, and days that are enough for its tails (docs/choosing.md). */
export const USUAL_MODEL = { type: USUAL.type, lookback: String(USUAL.lookbackDays) } as const;

/** Fields of the shared parts. */
export const LOAN_DEFAULTS: Fields = {
  ...USUAL_MODEL,
  by: '',
  c: 'BTC:1',
  l: 'USD:1',
  cu: 'BTC:20',
  lu: 'USD:800000',
  days: '30',
  grace: '24',
  value: '1000000',
  shock: '0',
  fall: '0',
  fallOf: '',
  interest: '',
  called: '',
  answered: '',
  answerAfter: '12',
  answerTo: '',
};

/** Ratios of a page without a choice: LTVs of 65, 75 and 85 %. */
export const RATIO_DEFAULTS: Fields = {
  N: String(1 / 0.65),
  M: String(1 / 0.75),
  L: String(1 / 0.85),
  R: String(1 / 0.7),
};
