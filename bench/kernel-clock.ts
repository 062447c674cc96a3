/**
 * The kernel clock: how long each compute pass of a device took, by time stamps that the device itself writes.
 *
 * Attaches to an open device, so that the engine under measurement is the product's own, unchanged. The device must
 * have the feature timestamp-query and exact time stamps (`openDevice`, exactTimestamps). Must not know: plans.
 */

/** What the passes of one kernel took together. */
export interface KernelTime {
  /** Label of the passes. */
  readonly kernel: string;
  readonly passes: number;
  readonly milliseconds: number;
}

export interface KernelClock {
  /** The passes since the last call, by kernel; all of them must have been submitted. */
  take(): Promise<readonly KernelTime[]>;
}

/** Two time stamps per pass; 4,096 is the most that a query set may hold. */
const PASSES_PER_SET = 2048;
const STAMP_BYTES = 8;
const NANOSECONDS_PER_MILLISECOND = 1e6;

/**
 * Puts a clock on a device.
 *
 * @throws Error where the device has no time stamps
 */
export function attachKernelClock(device: GPUDevice): KernelClock {
  if (!device.features.has('timestamp-query')) throw new Error('The device has no time stamps.');
  const querySets: GPUQuerySet[] = [];
  let labels: string[] = [];

  const stampsOfNextPass = (label: string): GPUComputePassTimestampWrites => {
    const pass = labels.push(label) - 1;
    const set = Math.floor(pass / PASSES_PER_SET);
    querySets[set] ??= device.createQuerySet({ type: 'timestamp', count: 2 * PASSES_PER_SET });
    const first = 2 * (pass % PASSES_PER_SET);
    return { querySet: querySets[set], beginningOfPassWriteIndex: first, endOfPassWriteIndex: first + 1 };
  };

  const createCommandEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = descriptor => {
    const encoder = createCommandEncoder(descriptor);
    const beginComputePass = encoder.beginComputePass.bind(encoder);
    encoder.beginComputePass = pass =>
      beginComputePass({ ...pass, timestampWrites: stampsOfNextPass(pass?.label ?? 'unnamed') });
    return encoder;
  };

  return {
    async take() {
      const taken = labels;
      labels = [];
      const stamps = await readStamps(device, createCommandEncoder, querySets, taken.length);
      const times = new Map<string, KernelTime>();
      let previousEnd = 0n;
      taken.forEach((kernel, pass) => {
        const nanoseconds = Number(timeOfPass(stamps[2 * pass], stamps[2 * pass + 1], previousEnd));
        previousEnd = later(previousEnd, stamps[2 * pass + 1]);
        const { passes, milliseconds } = times.get(kernel) ?? { passes: 0, milliseconds: 0 };
        times.set(kernel, {
          kernel,
          passes: passes + 1,
          milliseconds: milliseconds + nanoseconds / NANOSECONDS_PER_MILLISECOND,
        });
      });
      return [...times.values()];
    },
  };
}

/**
 * Time of a pass that was not the time of the one before it: a driver may stamp the beginning of a queued pass while the
 * one before still runs, so overlapping passes count once.
 */
export function timeOfPass(begin: bigint, end: bigint, previousEnd: bigint): bigint {
  const from = later(begin, previousEnd);
  return end > from ? end - from : 0n;
}

const later = (a: bigint, b: bigint) => (a > b ? a : b);

/** The stamps of so many passes, two each, in nanoseconds. */
async function readStamps(
  device: GPUDevice,
  createCommandEncoder: GPUDevice['createCommandEncoder'],
  querySets: readonly GPUQuerySet[],
  passes: number,
): Promise<BigUint64Array> {
  if (passes === 0) return new BigUint64Array(0);
  const bytes = 2 * STAMP_BYTES * passes;
  const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const stamps = device.createBuffer({ label: 'clock.stamps', size: bytes, usage: QUERY_RESOLVE | COPY_SRC });
  const readback = device.createBuffer({ label: 'clock.readback', size: bytes, usage: COPY_DST | MAP_READ });
  const encoder = createCommandEncoder({ label: 'clock' });
  for (let first = 0; first < passes; first += PASSES_PER_SET) {
    const count = Math.min(PASSES_PER_SET, passes - first);
    encoder.resolveQuerySet(querySets[first / PASSES_PER_SET], 0, 2 * count, stamps, 2 * STAMP_BYTES * first);
  }
  encoder.copyBufferToBuffer(stamps, 0, readback, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  const values = new BigUint64Array(readback.getMappedRange().slice(0));
  for (const buffer of [stamps, readback]) buffer.destroy();
  return values;
}
