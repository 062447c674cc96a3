/** Plans with their long arrays in shared memory, so that a message to a thread does not copy them. */
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';

/** Arrays above this size are shared; smaller ones are cheaper to copy. */
const SHARE_ABOVE_BYTES = 4096;

/** The same plan with every long array in shared memory; the original is not changed. */
export function sharePlan<P extends SimulationPlan>(plan: P): P {
  return share(plan) as P;
}

/** A cache of shared plans by their originals: parts of one plan arrive one after another. */
export class SharedPlans {
  private readonly known = new WeakMap<SimulationPlan, SimulationPlan>();

  of<P extends SimulationPlan>(plan: P): P {
    const known = this.known.get(plan) ?? sharePlan<SimulationPlan>(plan);
    this.known.set(plan, known);
    return known as P;
  }
}

/** Plain data with every long array in shared memory. */
export const shareArrays = <T>(data: T): T => share(data) as T;

function share(value: unknown): unknown {
  if (value instanceof Float64Array) return toShared(value, Float64Array);
  if (value instanceof Uint32Array) return toShared(value, Uint32Array);
  if (Array.isArray(value)) return value.map(share);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, share(member)]));
  }
  return value;
}

function toShared<T extends Float64Array | Uint32Array>(
  array: T,
  kind: new (buffer: SharedArrayBuffer) => T,
): T {
  if (array.byteLength <= SHARE_ABOVE_BYTES || array.buffer instanceof SharedArrayBuffer) return array;
  const shared = new kind(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}
