/** How long a dispatch may take, and how many invocations a workgroup has. */
import { describe, expect, it } from 'vitest';
import type { SimulationKernel } from '#src/core/gpu/kernels.js';
import { type GpuSession, sliceNanoseconds, workgroupSizeOf } from '#src/core/gpu/session.js';

/** The parts of a session that these depend on. */
function sessionOf(shared: boolean, sliceMilliseconds: number): GpuSession {
  const limits = { maxComputeWorkgroupStorageSize: 16_384 };
  const session = {
    context: { device: { limits } },
    slots: { shared },
    dispatch: { sliceMilliseconds, workgroupSize: 64 },
  };
  return session as unknown as GpuSession;
}

describe('A dispatch', () => {
  it('takes the time of the options, and no more than 5 ms while other runs wait', () => {
    expect(sliceNanoseconds(sessionOf(false, 25))).toBe(25e6);
    expect(sliceNanoseconds(sessionOf(true, 25))).toBe(5e6);
    expect(sliceNanoseconds(sessionOf(true, 1))).toBe(1e6);
  });

  it('has the workgroups of the options, or smaller ones whose memory fits beside 512 bytes of sums', () => {
    const sizeFor = (invocationBytes?: number) =>
      workgroupSizeOf(sessionOf(false, 1), { program: { invocationBytes } } as unknown as SimulationKernel);
    expect(sizeFor()).toBe(64);
    expect(sizeFor(4)).toBe(64);
    expect(sizeFor(496)).toBe(32);
    expect(sizeFor(497)).toBe(16);
  });
});
