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
import { coverageScale } from './coverage.ts';
import { inWords } from './member-words.ts';
import {
  groupedNumber,
  heldList,
  heldText,
  isOpen,
  listsOf,
  listText,
  markOf,
  type NumberKind,
  PERCENT,
  PLAIN,
  readingsOf,
  type Scale,
  shownList,
  shownText,
  typedText,
} from './typed-numbers.ts';

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

/** Those beneath a field; a text with two readings has its question there. */
const shownFaults = ({ fields, faults }: FormContext, name: string, member: string) =>
  isOpen(fields[name] ?? '') ? [] : faultsAt(faults, member);

function Shell(props: FieldProps & { readonly children: ComponentChildren }) {
  const { form, name, member, label, hint, children } = props;
  const faults = shownFaults(form, name, member);
  return (
    <div class="field">
      <label for={`field-${name}`}>
        {label}
        {hint !== undefined && <span class="hint"> {hint}</span>}
      </label>
      {children}
      {faults.length > 0 && (
        <p class="fault" id={`fault-${name}`}>
          {faults.map(({ message, path }) => inWords(message, path)).join(' ')}
        </p>
      )}
    </div>
  );
}

/** Of what a number field counts, and how it is typed. */
export interface TypedAs {
  readonly kind?: NumberKind;
  readonly scale?: Scale;
  /** Several numbers. */
  readonly isList?: boolean;
}

/**
 * A number as it is typed: the text stays as it was typed until the control loses the focus, which groups its digits. A text
 * with two readings gets a question beneath it.
 */
export function NumberInput(
  props: TypedAs & {
    readonly id?: string;
    readonly label?: string;
    /** The text of the form. */
    readonly held: string;
    hold(held: string): void;
    readonly placeholder?: string | undefined;
    readonly 'aria-invalid'?: true;
    readonly 'aria-describedby'?: string;
  },
) {
  const { id, label, held, hold, kind = 'amount', scale = PLAIN, isList = false, ...others } = props;
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const shown = isList ? shownList(held, scale, LANGUAGE) : shownText(held, scale, LANGUAGE);
  const read = isList ? heldList : heldText;
  return (
    <>
      <input
        {...others}
        {...(id === undefined ? {} : { id })}
        {...(label === undefined ? {} : { 'aria-label': label })}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        value={draft ?? shown}
        onInput={event => {
          setDraft(event.currentTarget.value);
          hold(read(event.currentTarget.value, kind, scale));
        }}
        onBlur={() => setDraft(undefined)}
      />
      {isOpen(held) && (
        <p class="question" role="status">
          {typedText(held)}:{' '}
          {choicesOf(typedText(held), { kind, scale, isList }).map(({ text, chosen }, i) => (
            <span key={text}>
              {i > 0 && ', or '}
              <button
                type="button"
                class="quiet small"
                onClick={() => {
                  setDraft(undefined);
                  hold(chosen);
                }}
              >
                {text}
              </button>
            </span>
          ))}
          ?
        </p>
      )}
    </>
  );
}

/** The language of the reader, whose mark stands before fractions. */
const LANGUAGE = navigator.language;

/** The readings of a text, as they are shown and as the form holds them; that of the reader's language first. */
function choicesOf(text: string, { kind = 'amount', scale = PLAIN, isList }: TypedAs) {
  const readings = isList
    ? listsOf(text, kind).map(values => ({
        text: values.map(value => groupedNumber(value, LANGUAGE)).join(' and '),
        chosen: listText(values, scale),
      }))
    : readingsOf(text, kind).map(value => ({
        text: groupedNumber(value, LANGUAGE),
        chosen: String(scale.sent(value)),
      }));
  return markOf(LANGUAGE) === ',' && !isList ? readings.reverse() : readings;
}

/** Attributes of a control that has a fault. */
function faultAttributes({ form, name, member }: FieldProps) {
  return shownFaults(form, name, member).length === 0
    ? {}
    : { 'aria-invalid': true as const, 'aria-describedby': `fault-${name}` };
}

/** A text. */
export function TextField(props: FieldProps & { readonly placeholder?: string }) {
  const { form, name, placeholder } = props;
  return (
    <Shell {...props}>
      <input
        id={`field-${name}`}
        type="text"
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

/** A number. */
export function NumberField(props: FieldProps & TypedAs & { readonly placeholder?: string }) {
  const { form, name, kind, scale, isList, placeholder } = props;
  return (
    <Shell {...props}>
      <NumberInput
        id={`field-${name}`}
        held={form.fields[name] ?? ''}
        hold={held => form.set({ [name]: held })}
        {...(kind && { kind })}
        {...(scale && { scale })}
        {...(isList && { isList })}
        placeholder={placeholder}
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

/** A fraction that is shown and typed in per cent, or several. */
export const PercentField = (
  props: FieldProps & { readonly isList?: boolean; readonly placeholder?: string },
) => <NumberField {...props} hint={props.hint ?? '%'} kind="ratio" scale={PERCENT} />;

/** A ratio of collateral to debt that is shown and typed as coverage is. */
export const CoverageField = (props: FieldProps) => (
  <NumberField {...props} kind="ratio" scale={coverageScale(coverageUnit.value)} />
);

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
        <label key={value} title={behind ?? ''} class={missing === undefined ? '' : 'missing'}>
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
      {options.map(
        ({ label, missing }) =>
          missing !== undefined && (
            <p class="hint spread" key={label}>
              {label}: {missing}.
            </p>
          ),
      )}
    </fieldset>
  );
}
