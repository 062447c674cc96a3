/**
 * Form controls bound to the address, each showing the fault that the server found at its member.
 *
 * A control is named by its field in the address; `member` is the path at which the server reports faults.
 */
import type { ComponentChildren } from 'preact';
import type { Fault } from '../api/request.ts';
import type { Fields } from '../state/address.ts';

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
          {faults.map(({ message }) => message).join(' ')}
        </p>
      )}
    </div>
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

/** A number as a slider on a logarithmic scale from `low` to `high`, with its value beside it. */
export function SliderField(
  props: FieldProps & { readonly low: number; readonly high: number; show(value: number): string },
) {
  const { form, name, low, high, show } = props;
  const span = Math.log(high / low);
  const value = Number(form.fields[name]);
  const position = Math.log(Math.max(low, Math.min(high, value)) / low) / span;
  return (
    <Shell {...props}>
      <div class="slider">
        <input
          id={`field-${name}`}
          class="slider-input"
          type="range"
          min={0}
          max={1}
          step={0.001}
          value={position}
          aria-valuetext={show(value)}
          onInput={event => {
            const sent = low * Math.exp(span * Number(event.currentTarget.value));
            form.set({ [name]: String(Number(sent.toPrecision(2))) });
          }}
          {...faultAttributes(props)}
        />
        <output for={`field-${name}`}>{show(value)}</output>
      </div>
    </Shell>
  );
}
