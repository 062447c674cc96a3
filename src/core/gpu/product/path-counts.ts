/**
 * Counts of paths on the device for the distribution that a plan asks for (shaders/kernel/counts.wgsl).
 *
 * Takes: the sections of a product and a run of its counting program. Gives: what the run gives, with the counts. Must not
 * know: which product.
 */
import { countsLayout, type DistributionOption, fanSteps, type Sections } from '../../plan/distribution.ts';
import { BIN_CONSTANTS } from '../bin-constants.ts';
import { onDevice } from '../device-errors.ts';
import type { Program } from '../kernels.ts';
import { readBuffer } from '../read-buffer.ts';
import type { GpuSession } from '../session.ts';
import { type StructLayout, uniformWords } from '../struct-layout.ts';

/** Where the sections of the counts lie; 0 for one that the product does not have. */
export const PLACES_LAYOUT = {
  struct: 'CountPlaces',
  size: 32,
  fields: {
    lowest: 0,
    final_value: 4,
    margin_call: 8,
    liquidation: 12,
    closeout: 16,
    fan: 20,
    day_steps: 24,
    times: 28,
  },
} as const satisfies StructLayout;

/** The member of `CountPlaces` of each section, by its name in the product's contract. */
const SECTION_FIELDS: Readonly<Record<string, keyof typeof PLACES_LAYOUT.fields>> = {
  lowest: 'lowest',
  final: 'final_value',
  marginCall: 'margin_call',
  liquidation: 'liquidation',
  closeout: 'closeout',
  fan: 'fan',
};

/** What every program that counts has beside its own. */
export const COUNTING = {
  files: ['lib/bins.wgsl', 'kernel/counts.wgsl'],
  own: ['uniform', 'storage'],
  constants: BIN_CONSTANTS,
} as const satisfies Partial<Program>;

/** A program of a loan that also counts. @param words of a path's counts between two time slices */
export function countingProgram<P extends Program>(program: P, own: readonly string[], words: number) {
  const files = program.files.filter(each => each !== 'kernel/no_counts.wgsl');
  return {
    ...program,
    name: `${program.name} counts`,
    files: [...files, ...own, ...COUNTING.files],
    countWords: words,
    own: COUNTING.own,
    constants: { ...program.constants, ...COUNTING.constants },
  };
}

/**
 * Runs a counting program.
 *
 * @param run is given the program's bindings after the terms
 * @throws RiskError as `simulate`
 */
export async function withCounts<T>(
  session: GpuSession,
  counted: { readonly sections: Sections; readonly steps: number; readonly option: DistributionOption },
  signal: AbortSignal | undefined,
  run: (own: readonly GPUBuffer[]) => Promise<T>,
): Promise<{ readonly value: T; readonly distribution: Float64Array }> {
  const { context, scratch: pool } = session;
  const { device } = context;
  const { places, length } = countsLayout(counted.sections, counted.steps, counted.option);
  const words = new Uint32Array(uniformWords(PLACES_LAYOUT).buffer);
  const { fields } = PLACES_LAYOUT;
  for (const [name, { first }] of Object.entries(places)) words[fields[SECTION_FIELDS[name]] / 4] = first;
  words[fields.day_steps / 4] = counted.option.daySteps;
  words[fields.times / 4] = fanSteps(counted.steps).length;
  const scratch = pool.open();
  try {
    const { UNIFORM, STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
    const placesBuffer = scratch.take('counts.places', words.byteLength, UNIFORM | COPY_DST);
    const counts = scratch.take('counts', 4 * length, STORAGE | COPY_DST | COPY_SRC);
    device.queue.writeBuffer(placesBuffer, 0, words);
    device.queue.writeBuffer(counts, 0, new Uint32Array(length));
    const value = await run([placesBuffer, counts]);
    const read = await onDevice(context, signal, () => readBuffer(device, scratch, counts, 4 * length));
    return { value, distribution: Float64Array.from(read) };
  } finally {
    scratch.release();
  }
}
