/**
 * The four ratios of a loan as sliders on one axis of collateral coverage.
 *
 * Each slider is an input of its own, so that the axis works by keyboard and is read out. A ratio may be dragged past
 * another: the server says which order it wants.
 */
import { type FormContext, faultsAt } from './fields.tsx';

const RATIOS = [
  { name: 'L', label: 'Liquidation', className: 'liquidation' },
  { name: 'M', label: 'Margin call', className: 'margin-call' },
  { name: 'N', label: 'Nominal', className: 'nominal' },
  { name: 'R', label: 'Recovery', className: 'recovery' },
] as const;

const LOW = 0.8;
const TICKS = 6;

export function RatioAxis({
  form,
  names = ['L', 'M', 'N', 'R'],
}: {
  form: FormContext;
  names?: readonly string[];
}) {
  const ratios = RATIOS.filter(({ name }) => names.includes(name));
  const largest = Math.max(...ratios.map(({ name }) => Number(form.fields[name]) || 0));
  const high = largest > 2.4 ? Math.ceil(largest * 1.2) : 2.5;
  return (
    <fieldset class="ratio-axis">
      <legend>Collateral coverage ratios</legend>
      <div class="rail">
        {ratios.map(({ name, label, className }) => (
          <input
            key={name}
            type="range"
            class={className}
            min={LOW}
            max={high}
            step={0.01}
            value={form.fields[name]}
            aria-label={`${label} ratio ${name} on the axis`}
            onInput={event => form.set({ [name]: event.currentTarget.value })}
          />
        ))}
        <div class="ticks" aria-hidden="true">
          {Array.from({ length: TICKS }, (_, i) => LOW + ((high - LOW) * i) / (TICKS - 1)).map(tick => (
            <span key={tick}>{tick.toFixed(2)}</span>
          ))}
        </div>
      </div>
      <div class="ratio-values">
        {ratios.map(({ name, label, className }) => {
          const faults = faultsAt(form.faults, `params.${name}`);
          return (
            <div class="field" key={name}>
              <label for={`field-${name}`}>
                <span class={`swatch ${className}`} aria-hidden="true" />
                {label} <strong>{name}</strong>
              </label>
              <input
                id={`field-${name}`}
                type="text"
                inputMode="decimal"
                autocomplete="off"
                value={form.fields[name]}
                onInput={event => form.set({ [name]: event.currentTarget.value })}
                {...(faults.length > 0 ? { 'aria-invalid': true, 'aria-describedby': `fault-${name}` } : {})}
              />
              {faults.length > 0 && (
                <p class="fault" id={`fault-${name}`}>
                  {faults.map(({ message }) => message).join(' ')}
                </p>
              )}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
