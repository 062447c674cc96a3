/** The headers `x-seed` and `x-compute`, which are part of a question: their values with defaults, or their faults. */
import type { Fault, FaultCode } from '../../core/errors.ts';
import type { ComputeChoice } from '../../engine/engine-set.ts';
import { requirement } from '../../text/message.ts';
import { LARGEST_SEED } from './fields.ts';
import type { Checked } from './parse.ts';

export interface RunHeaders {
  /** 0 to 2^32 - 1. */
  readonly seed: number;
  readonly compute: ComputeChoice;
}

const isCompute = (text: string): text is ComputeChoice =>
  text === 'auto' || text === 'gpu' || text === 'cpu';

/** Reads both headers; `undefined` is a missing header. */
export function checkRunHeaders(seed: string | undefined, compute = 'auto'): Checked<RunHeaders> {
  const faults: Fault[] = [];
  const refuse = (code: FaultCode, header: string, bound: string, input: string) => {
    const path = ['header', header];
    faults.push({ code, path: path.join('.'), message: requirement(bound)({ code: 'custom', path, input }) });
  };
  const seedNumber = Number(seed ?? 0);
  if (seed !== undefined && !(/^\d{1,10}$/.test(seed) && seedNumber <= LARGEST_SEED))
    refuse('out_of_range', 'x-seed', `a whole number from 0 to ${LARGEST_SEED}`, seed);
  if (!isCompute(compute)) {
    refuse('unknown_value', 'x-compute', 'one of auto, gpu, cpu', compute);
    return { ok: false, faults };
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: { seed: seedNumber, compute } };
}
