/**
 * The four ratios of a loan as sliders on one axis, in loan-to-value or coverage, as the visitor has chosen.
 *
 * Each slider is an input of its own, so that the axis works by keyboard and is read out. A ratio may be dragged past
 * another: the server refuses a wrong order.
 */
import { coverageUnit } from '../state/session.ts';
import { type CoverageUnit, coverageScale, RATIO_WORDS } from './coverage.ts';
import { type FormContext, faultsAt, NumberInput } from './fields.tsx';
import { inWords } from './member-words.ts';
import { numberOf } from './typed-numbers.ts';

const RATIOS = [
  { name: 'L', className: 'liquidation', ltv: 'liquidation_ltv' },
  { name: 'M', className: 'margin-call', ltv: 'margin_call_ltv' },
  { name: 'N', className: 'nominal', ltv: 'initial_ltv' },
  { name: 'R', className: 'recovery', ltv: 'recovery_ltv' },
] as const;

/** The order of the fields: that of the axis. */
const ORDER: Readonly<Record<CoverageUnit, readonly string[]>> = {
  ccr: ['L', 'M', 'N', 'R'],
  ltv: ['N', 'R', 'M', 'L'],
};

const TICKS = 6;

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly step: number;
  tick(value: number): string;
}

/** Ends of the axis around the values that are on it. */
function axisOf(values: readonly number[], unit: CoverageUnit): Axis {
  const largest = Math.max(...values.map(value => value || 0));
  if (unit === 'ltv') {
    const least = Math.min(...values.filter(value => value > 0), 40);
    const low = Math.max(0, 10 * Math.floor(least / 10) - 10);
    return {
      low,
      high: largest > 95 ? 10 * Math.ceil(largest / 10 + 0.5) : 100,
      step: 0.5,
      tick: value => `${Math.round(value)}`,
    };
  }
  return {
    low: 0.8,
    high: largest > 2.4 ? Math.ceil(largest * 1.2) : 2.5,
    step: 0.01,
    tick: value => value.toFixed(2),
  };
}

export function RatioAxis({
  form,
  names = ['L', 'M', 'N', 'R'],
}: {
  form: FormContext;
  names?: readonly string[];
}) {
  const unit = coverageUnit.value;
  const order = ORDER[unit];
  const ratios = RATIOS.filter(({ name }) => names.includes(name)).sort(
    (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
  );
  const scale = coverageScale(unit);
  const shown = (name: string) => scale.shown(Number(numberOf(form.fields[name])));
  const { low, high, step, tick } = axisOf(
    ratios.map(({ name }) => shown(name)),
    unit,
  );
  return (
    <fieldset class="ratio-axis">
      <legend>{unit === 'ltv' ? 'Loan-to-value, %' : 'Collateral coverage ratios'}</legend>
      <CoverageSwitch />
      <div class="rail">
        {ratios.map(({ name, className }) => (
          <input
            key={name}
            type="range"
            class={className}
            min={low}
            max={high}
            step={step}
            value={shown(name) || low}
            aria-label={`${RATIO_WORDS[unit][name]} (${name}) on the axis`}
            onInput={event => form.set({ [name]: String(scale.sent(Number(event.currentTarget.value))) })}
          />
        ))}
        <div class="ticks" aria-hidden="true">
          {Array.from({ length: TICKS }, (_, i) => low + ((high - low) * i) / (TICKS - 1)).map(at => (
            <span key={at}>{tick(at)}</span>
          ))}
        </div>
      </div>
      <div class="ratio-values">
        {ratios.map(({ name, ltv, className }) => {
          const faults = [
            ...faultsAt(form.faults, `params.${name}`),
            ...faultsAt(form.faults, `params.${ltv}`),
          ];
          return (
            <div class="field" key={name}>
              <label for={`field-${name}`} title={name}>
                <span class={`swatch ${className}`} aria-hidden="true" />
                {RATIO_WORDS[unit][name]}
              </label>
              <NumberInput
                id={`field-${name}`}
                held={form.fields[name] ?? ''}
                hold={held => form.set({ [name]: held })}
                kind="ratio"
                scale={scale}
                {...(faults.length > 0
                  ? { 'aria-invalid': true as const, 'aria-describedby': `fault-${name}` }
                  : {})}
              />
              {faults.length > 0 && (
                <p class="fault" id={`fault-${name}`}>
                  {faults.map(({ message, path }) => inWords(message, path)).join(' ')}
                </p>
              )}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

const UNITS: Readonly<Record<CoverageUnit, string>> = { ltv: 'LTV', ccr: 'Coverage' };

/** Loan-to-value or coverage, for the whole page. */
export function CoverageSwitch() {
  return (
    <span class="coverage-switch">
      {Object.entries(UNITS).map(([unit, label]) => (
        <button
          key={unit}
          type="button"
          class="quiet small"
          aria-pressed={coverageUnit.value === unit}
          onClick={() => {
            coverageUnit.value = unit as CoverageUnit;
          }}
        >
          {label}
        </button>
      ))}
    </span>
  );
}
