/** Counts of paths on the device for the distribution of a plan (shaders/kernel/counts.wgsl). */
import { countsLayout, type DistributionOption, fanSteps, type Sections } from '../../plan/distribution.ts';
import { BIN_CONSTANTS } from '../bin-constants.ts';
import { onDevice } from '../device-errors.ts';
import type { Program } from '../kernels.ts';
import type { GpuSession } from '../session.ts';
import { struct, u32, uniformBytes, wordsOf } from '../struct-layout.ts';

/** First words of the sections of the counts; 0 for a section that the product lacks. */
const PLACES = struct('CountPlaces', {
  lowest: u32,
  final_value: u32,
  margin_call: u32,
  liquidation: u32,
  closeout: u32,
  fan: u32,
  day_steps: u32,
  times: u32,
});

/** Further files, bindings and constants of every counting program. */
export const COUNTING = {
  files: ['lib/bins.wgsl', 'kernel/counts.wgsl'],
  own: ['uniform', 'storage'],
  structs: [PLACES],
  constants: BIN_CONSTANTS,
} as const satisfies Partial<Program>;

/** A program of a loan that also counts. @param words of a path's counts between two time slices */
export function countingProgram(program: Program, own: readonly string[], words: number): Program {
  const files = program.files.filter(each => each !== 'kernel/no_counts.wgsl');
  return {
    ...program,
    name: `${program.name} counts`,
    files: [...files, ...own, ...COUNTING.files],
    countWords: words,
    own: COUNTING.own,
    structs: COUNTING.structs,
    constants: { ...program.constants, ...COUNTING.constants },
  };
}

/**
 * Runs a counting program.
 *
 * @param run called with the program's bindings after the terms
 * @throws RiskError as `simulate`
 */
export async function withCounts<T>(
  session: GpuSession,
  counted: { readonly sections: Sections; readonly steps: number; readonly option: DistributionOption },
  signal: AbortSignal | undefined,
  run: (own: readonly GPUBuffer[]) => Promise<T>,
): Promise<{ readonly value: T; readonly distribution: Float64Array }> {
  const { places, length } = countsLayout(counted.sections, counted.steps, counted.option);
  const placeOf = (section: string) => places[section]?.first ?? 0;
  const words = wordsOf(PLACES, {
    lowest: placeOf('lowest'),
    final_value: placeOf('final'),
    margin_call: placeOf('marginCall'),
    liquidation: placeOf('liquidation'),
    closeout: placeOf('closeout'),
    fan: placeOf('fan'),
    day_steps: counted.option.daySteps,
    times: fanSteps(counted.steps).length,
  });
  return session.scratch.lend(async scratch => {
    const { UNIFORM, COPY_DST, COPY_SRC } = GPUBufferUsage;
    const placesBuffer = await scratch.take('counts.places', uniformBytes(PLACES), UNIFORM | COPY_DST);
    session.context.device.queue.writeBuffer(placesBuffer, 0, words);
    const counts = await scratch.upload('counts', new Uint32Array(length), COPY_SRC);
    const value = await run([placesBuffer, counts]);
    const read = await onDevice(session.context, signal, () => scratch.read(counts, 4 * length));
    return { value, distribution: Float64Array.from(read) };
  });
}
