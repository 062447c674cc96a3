/**
 * Counts of paths for the distribution of a plan. A program writes ratios, which a pass counts in bins (order/slot-counts.ts), and counts
 * events by day itself (shaders/kernel/counts.wgsl). Paths run in blocks whose ratios fit one buffer.
 */
import {
  countsLayout,
  type DistributionOption,
  daysOf,
  fanSteps,
  RATIO_SLOTS,
  type SectionKind,
  type Sections,
} from '../../plan/distribution.ts';
import { largestBinding } from '../buffers.ts';
import { onDevice } from '../device-errors.ts';
import type { Program } from '../kernels.ts';
import { countRatios } from '../order/slot-counts.ts';
import { addRanges, type RangeSums } from '../range-sums.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import type { GpuPlan } from '../simulate.ts';
import { struct, u32, uniformBytes, wordsOf } from '../struct-layout.ts';

/** First words of the kinds of events; 0 for a kind that the product lacks. */
const PLACES = struct('CountPlaces', {
  margin_call: u32,
  liquidation: u32,
  closeout: u32,
  day_steps: u32,
  times: u32,
});

/** Further files, bindings and structs of every counting program. */
export const COUNTING = {
  files: ['kernel/counts.wgsl'],
  own: ['uniform', 'storage', 'storage'],
  structs: [PLACES],
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
  };
}

/** What a plan counts. */
interface Counted {
  readonly sections: Sections;
  readonly steps: number;
  readonly option: DistributionOption;
}

/** Runs the program on a plan, with its bindings after the terms. @returns the words of its sums */
type Simulation<P extends GpuPlan> = (plan: P, own: readonly GPUBuffer[]) => Promise<Uint32Array>;

/**
 * Runs a counting program over the paths of a plan.
 *
 * @throws RiskError as `simulate`
 */
export async function withCounts<P extends GpuPlan>(
  session: GpuSession,
  plan: P,
  counted: Counted,
  signal: AbortSignal | undefined,
  run: Simulation<P>,
): Promise<RangeSums> {
  const { firstPath = 0, paths } = plan;
  const bytes = Math.min(session.memory.valueBytes, largestBinding(session.context.device));
  const most = Math.max(1, Math.floor(bytes / (4 * placesOf(counted).ratios.length)));
  return session.scratch.lend(async scratch => {
    const blocks: RangeSums[] = [];
    for (let first = 0; first < paths; first += most) {
      const block = { ...plan, firstPath: firstPath + first, paths: Math.min(most, paths - first) };
      blocks.push(await countBlock(session, scratch, block, counted, signal, run));
    }
    return addRanges(blocks);
  });
}

/** First words in the counts: of every column of ratios, in their order, and of every kind of event. */
function placesOf({ sections, steps, option }: Counted) {
  const { places, length } = countsLayout(sections, steps, option);
  const namesOf = (wanted: SectionKind) => Object.keys(sections).filter(name => sections[name] === wanted);
  const ofTime = (time: number) => places.fan.first + time * RATIO_SLOTS;
  const ends = namesOf('ratio').map(name => places[name].first);
  return {
    length,
    ratios: [...fanSteps(steps).keys()].map(ofTime).concat(ends),
    events: namesOf('days'),
    places,
  };
}

async function countBlock<P extends GpuPlan>(
  session: GpuSession,
  scratch: ScratchRun,
  block: P,
  counted: Counted,
  signal: AbortSignal | undefined,
  run: Simulation<P>,
): Promise<RangeSums> {
  const { steps, option } = counted;
  const { length, ratios, events, places } = placesOf(counted);
  const days = daysOf(steps, option);
  const firstDay = (event: string) => Math.max(0, events.indexOf(event)) * days;
  const words = wordsOf(PLACES, {
    margin_call: firstDay('marginCall'),
    liquidation: firstDay('liquidation'),
    closeout: firstDay('closeout'),
    day_steps: option.daySteps,
    times: fanSteps(steps).length,
  });
  const { UNIFORM, STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const placesBuffer = await scratch.take('counts.places', uniformBytes(PLACES), UNIFORM | COPY_DST);
  session.context.device.queue.writeBuffer(placesBuffer, 0, words);
  const eventDays = await scratch.upload(
    'counts.events',
    new Uint32Array(1 + events.length * days),
    COPY_SRC,
  );
  const values = await scratch.take('counts.ratios', 4 * ratios.length * block.paths, STORAGE);
  const sums = await run(block, [placesBuffer, eventDays, values]);
  const columns = { buffer: values, count: ratios.length, values: block.paths };
  const counts = new Float64Array(length);
  for (const [column, slots] of (await countRatios(session, scratch, columns, signal)).entries())
    counts.set(slots, ratios[column]);
  if (events.length > 0) {
    const bytes = 4 * events.length * days;
    const read = await onDevice(session.context, signal, () => scratch.read(eventDays, bytes));
    for (const event of events)
      counts.set(read.subarray(firstDay(event), firstDay(event) + days), places[event].first);
  }
  return { words: sums, counts };
}
