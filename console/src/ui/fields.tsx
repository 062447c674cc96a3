/**
 * Form controls bound to the address, each showing the fault that the server found at its member.
 *
 * A control is named by its field in the address; `member` is the path at which the server reports faults.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Fault } from '../api/request.ts';
import type { Fields } from '../state/address.ts';
import { coverageUnit } from '../state/session.ts';
import { shownCoverage, typedCoverage } from './coverage.ts';
import { inWords } from './member-words.ts';

export interface FormContext {
  readonly fields: Fields;
  readonly faults: readonly Fault[];
  set(changed: Fields): void;
}

interface FieldProps {
  readonly form: FormContext;
  readonly name: string;
  /** Where the server reports a fault of this field: `params.loan_duration`. */
  readonly member: string;
  readonly label: string;
  readonly hint?: string;
}

/** The faults of a member and of what lies below it. */
export const faultsAt = (faults: readonly Fault[], member: string): readonly Fault[] =>
  faults.filter(({ path }) => path === member || path.startsWith(`${member}.`));

function Shell(props: FieldProps & { readonly children: ComponentChildren }) {
  const { form, name, member, label, hint, children } = props;
  const faults = faultsAt(form.faults, member);
  return (
    <div class="field">
      <label for={`field-${name}`}>
        {label}
        {hint !== undefined && <span class="hint"> {hint}</span>}
      </label>
      {children}
      {faults.length > 0 && (
        <p class="fault" id={`fault-${name}`}>
          {faults.map(({ message }) => inWords(message)).join(' ')}
        </p>
      )}
    </div>
  );
}

/**
 * A text whose shown form differs from its value: what was typed stays as it was typed until the control loses the focus.
 */
export function DraftInput(props: {
  readonly id: string;
  readonly value: string;
  onText(text: string): void;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}) {
  const { value, onText, ...others } = props;
  const [draft, setDraft] = useState<string | undefined>(undefined);
  return (
    <input
      {...others}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      spellcheck={false}
      value={draft ?? value}
      onInput={event => {
        setDraft(event.currentTarget.value);
        onText(event.currentTarget.value);
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}

/** Attributes of a control that has a fault. */
function faultAttributes({ form, name, member }: FieldProps) {
  return faultsAt(form.faults, member).length === 0
    ? {}
    : { 'aria-invalid': true as const, 'aria-describedby': `fault-${name}` };
}

/** A number or a date as text. */
export function TextField(props: FieldProps & { readonly numeric?: boolean; readonly placeholder?: string }) {
  const { form, name, numeric = true, placeholder } = props;
  return (
    <Shell {...props}>
      <input
        id={`field-${name}`}
        type="text"
        inputMode={numeric ? 'decimal' : 'text'}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={form.fields[name]}
        onInput={event => form.set({ [name]: event.currentTarget.value })}
        {...faultAttributes(props)}
      />
    </Shell>
  );
}

/** A day of the calendar. */
export function DayField(props: FieldProps) {
  const { form, name } = props;
  return (
    <Shell {...props}>
      <input
        id={`field-${name}`}
        type="date"
        value={form.fields[name]}
        onInput={event => form.set({ [name]: event.currentTarget.value })}
        {...faultAttributes(props)}
      />
    </Shell>
  );
}

/** A fraction that is shown and typed in per cent. */
export function PercentField(props: FieldProps) {
  const { form, name } = props;
  const fraction = form.fields[name] ?? '';
  const shown =
    fraction.trim() === '' || !Number.isFinite(Number(fraction)) ? fraction : plainPercent(Number(fraction));
  return (
    <Shell {...props} hint={props.hint ?? '%'}>
      <DraftInput
        id={`field-${name}`}
        value={shown}
        onText={text => {
          const typed = Number(text.replace(/\s*%$/, ''));
          const isNumber = text.trim() !== '' && Number.isFinite(typed);
          form.set({ [name]: isNumber ? String(Number((typed / 100).toPrecision(12))) : text });
        }}
        {...faultAttributes(props)}
      />
    </Shell>
  );
}

const plainPercent = (fraction: number) => String(Number((100 * fraction).toPrecision(12)));

/** A ratio of collateral to debt that is shown and typed as coverage is. */
export function CoverageField(props: FieldProps) {
  const { form, name } = props;
  const unit = coverageUnit.value;
  return (
    <Shell {...props}>
      <DraftInput
        id={`field-${name}`}
        value={shownCoverage(form.fields[name] ?? '', unit)}
        onText={text => form.set({ [name]: typedCoverage(text, unit) })}
        {...faultAttributes(props)}
      />
    </Shell>
  );
}

/** A control that is on or off; the value of on is `1`. */
export function SwitchField(props: FieldProps) {
  const { form, name, label } = props;
  return (
    <label class="switch">
      <input
        type="checkbox"
        id={`field-${name}`}
        checked={form.fields[name] === '1'}
        onChange={event => form.set({ [name]: event.currentTarget.checked ? '1' : '' })}
        {...faultAttributes(props)}
      />
      {label}
    </label>
  );
}

/** One of some values. */
export function ChoiceField(
  props: FieldProps & { readonly choices: readonly (readonly [value: string, label: string])[] },
) {
  const { form, name, choices } = props;
  return (
    <Shell {...props}>
      <select
        id={`field-${name}`}
        value={form.fields[name]}
        onChange={event => form.set({ [name]: event.currentTarget.value })}
        {...faultAttributes(props)}
      >
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Shell>
  );
}

/** A number as a slider on a scale of equal steps, with its value beside it. */
export function StepSlider(
  props: FieldProps & {
    readonly low: number;
    readonly high: number;
    readonly step: number;
    /** The ends are those of the negative number. */
    readonly mirrored?: boolean;
    show(value: number): string;
  },
) {
  const { form, name, show, mirrored } = props;
  const value = Number(form.fields[name]) || 0;
  const sign = mirrored ? -1 : 1;
  return (
    <Slider
      {...props}
      position={sign * value}
      shown={show(value)}
      move={to => form.set({ [name]: String(sign * to || 0) })}
    />
  );
}

/** A number as a slider on a logarithmic scale from `low` to `high`, with its value beside it. */
export function SliderField(
  props: FieldProps & { readonly low: number; readonly high: number; show(value: number): string },
) {
  const { form, name, low, high, show } = props;
  const span = Math.log(high / low);
  const value = Number(form.fields[name]);
  const move = (to: number) =>
    form.set({ [name]: String(Number((low * Math.exp(span * to)).toPrecision(2))) });
  const position = Math.log(Math.max(low, Math.min(high, value)) / low) / span;
  return (
    <Slider {...props} low={0} high={1} step={0.001} position={position} shown={show(value)} move={move} />
  );
}

/** A slider with its value beside it. */
function Slider(
  props: FieldProps & {
    readonly low: number;
    readonly high: number;
    readonly step: number;
    readonly position: number;
    readonly shown: string;
    move(position: number): void;
  },
) {
  const { name, low, high, step, position, shown, move } = props;
  return (
    <Shell {...props}>
      <div class="slider">
        <input
          id={`field-${name}`}
          class="slider-input"
          type="range"
          min={low}
          max={high}
          step={step}
          value={position}
          aria-valuetext={shown}
          onInput={event => move(Number(event.currentTarget.value))}
          {...faultAttributes(props)}
        />
        <output for={`field-${name}`}>{shown}</output>
      </div>
    </Shell>
  );
}

/** One of a few values, all of them in sight. */
export function Radios(props: {
  /** Of the group. */
  readonly name: string;
  readonly legend: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    /** The text after the value. */
    readonly name?: string;
    /** Why the value cannot be chosen. */
    readonly missing?: string;
  }[];
  readonly chosen: string;
  choose(value: string): void;
}) {
  const { name, legend, options, chosen, choose } = props;
  return (
    <fieldset class="places spread">
      <legend>{legend}</legend>
      {options.map(({ value, label, name: behind, missing }) => (
        <label key={value} title={missing ?? behind ?? ''} class={missing === undefined ? '' : 'missing'}>
          <input
            class="place-input"
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            disabled={missing !== undefined}
            aria-label={missing === undefined ? label : `${label}: ${missing}`}
            onChange={() => choose(value)}
          />
          <span aria-hidden="true">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
