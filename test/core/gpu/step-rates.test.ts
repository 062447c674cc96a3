import { describe, expect, it } from 'vitest';
import { SliceSchedule } from '#src/core/gpu/slices.js';
import { StepRates } from '#src/core/gpu/step-rates.js';
import { SubmissionTimeline } from '#src/core/gpu/submissions.js';

const exact = (nanoseconds: number) => ({ nanoseconds, exact: true, queued: false });

describe('StepRates', () => {
  it('bounds rates that were not measured by measured ones', () => {
    const rates = new StepRates(1000);
    rates.record(1024, 1000, exact(1000 * 5000));
    expect(rates.estimate(1024)).toBe(5000);
    expect(rates.estimate(64)).toBe(5000);
    expect(rates.estimate(4096)).toBe(20_000);
  });

  it('uses a slow device of its class as a bound before any measurement', () => {
    const rates = new StepRates(1);
    rates.record(64, 4, exact(1e6));
    expect(rates.estimate(4096)).toBe(4096);
  });

  it('does not use a short dispatch as a measurement', () => {
    const rates = new StepRates(1);
    rates.record(64, 4, exact(1e6));
    expect(rates.measured(64)).toBeUndefined();
    rates.record(64, 1000, exact(4e6));
    expect(rates.measured(64)).toBe(4000);
    rates.record(64, 4, exact(1e6));
    expect(rates.measured(64), 'overhead does not raise a rate').toBe(4000);
  });

  it('uses a dispatch of two milliseconds as a measurement, and none below', () => {
    const rates = new StepRates(1);
    rates.record(64, 1000, exact(2e6 - 1));
    expect(rates.measured(64)).toBeUndefined();
    rates.record(64, 1000, exact(2e6));
    expect(rates.measured(64)).toBe(2000);
  });

  it('does not raise the estimate of a longer dispatch after a short first one', () => {
    const rates = new StepRates(0.1);
    // 0.4 ms for a day of a thousand paths is overhead: a year of them takes no 146 ms for that.
    rates.record(1024, 24, exact(4e5));
    expect(rates.estimate(1024)).toBeCloseTo(102.4, 10);
  });

  it('uses the latency of a step for a few paths, until it is measured', () => {
    const rates = new StepRates(0.1, 16_384);
    expect(rates.estimate(10)).toBeCloseTo(1638.4, 10);
    expect(rates.estimate(32_768)).toBeCloseTo(3276.8, 10);
    rates.record(16, 10_000, exact(1e7));
    expect(rates.estimate(16)).toBe(1000);
  });

  it('corrects a rate that was too high at once, and follows one that rises', () => {
    const rates = new StepRates(1);
    rates.record(1024, 10, exact(1e9));
    rates.record(1024, 10, exact(1e7));
    expect(rates.measured(1024)).toBe(1e6);
    for (let i = 0; i < 10; i++) rates.record(1024, 10, exact(2e7));
    expect(rates.measured(1024)).toBeCloseTo(2e6, -4);
  });

  it('ignores an end that was noticed late', () => {
    const rates = new StepRates(1);
    rates.record(1024, 10, exact(1e8));
    rates.record(1024, 10, { nanoseconds: 8e7, exact: false, queued: false });
    expect(rates.measured(1024)).toBeUndefined();
    expect(rates.estimate(1024)).toBe(8e6);
    rates.record(1024, 10, { nanoseconds: 2e5, exact: true, queued: true });
    expect(rates.estimate(1024), 'a start that was seen late').toBe(4e6);
  });
});

/** Runs on a pretended device with a fake clock: two submissions under way, as simulate.ts has it. */
class PretendedDevice {
  readonly rates = new StepRates(200);
  asleep = 0;
  dispatches = 0;
  private time = 0;
  private deviceFree = 0;
  private readonly timeline = new SubmissionTimeline(() => this.time);
  private readonly duration: (paths: number, steps: number) => number;

  /** @param duration milliseconds of a dispatch */
  constructor(duration: (paths: number, steps: number) => number) {
    this.duration = duration;
  }

  /** Milliseconds from request to answer. */
  run(paths: number, steps: number, parallelPaths = 256): number {
    const began = this.time;
    const limits = { paths, steps, maxPaths: 1e7, parallelPaths, targetNanoseconds: () => 25e6 };
    const schedule = new SliceSchedule(limits, this.rates);
    const underWay: (() => void)[] = [];
    for (let slice = schedule.next(); slice !== undefined; slice = schedule.next()) {
      if (underWay.length === 2) underWay.shift()!();
      const { pathCount } = slice;
      const steps = slice.endStep - slice.firstStep;
      const perStep = this.rates.measured(pathCount);
      const submission = this.timeline.submitted(perStep === undefined ? undefined : (perStep * steps) / 1e6);
      this.deviceFree = Math.max(this.deviceFree, this.time) + this.duration(pathCount, steps);
      const end = this.deviceFree;
      this.dispatches++;
      underWay.push(() => {
        const pause = this.timeline.pause(submission, 25);
        this.asleep += Math.max(0, this.time + pause - Math.max(this.time, end));
        this.time += pause;
        this.timeline.polled(submission);
        this.time = Math.max(this.time, end) + 0.05;
        this.rates.record(pathCount, steps, this.timeline.finished(submission));
      });
    }
    for (const finish of underWay) finish();
    return this.time - began;
  }
}

describe('The waits for a device', () => {
  /** 0.5 ms of overhead and 50 ns per path-step: 60 ms for 4,000 x 300. */
  const software = (paths: number, steps: number) => 0.5 + paths * steps * 50e-6;

  it('do not slow down a run after a tiny first one', () => {
    const device = new PretendedDevice(software);
    device.run(64, 4);
    for (let i = 0; i < 5; i++) expect(device.run(4000, 300), `run ${i}`).toBeLessThan(70);
    expect(device.asleep).toBe(0);
  });

  it('recover within one run from a short slowdown of the device', () => {
    let slowness = 1;
    const device = new PretendedDevice((paths, steps) => slowness * software(paths, steps));
    for (let i = 0; i < 3; i++) device.run(4000, 300);
    slowness = 50;
    device.run(4000, 300);
    slowness = 1;
    const after = device.run(4000, 300);
    const later = device.run(4000, 300);
    expect(after, 'the first run after it').toBeLessThan(150);
    expect(later, 'the second run after it').toBeLessThan(70);
  });

  it('are not too long in a mix of small and large runs', () => {
    const device = new PretendedDevice(software);
    for (let i = 0; i < 40; i++) {
      device.run(4000, 2);
      device.run(4000, 300);
    }
    expect(device.asleep).toBeLessThan(40 * 0.5);
  });

  it('do not split a first run on a fast device into many slices', () => {
    // 1e11 path-steps per second, 0.5 us per step of a path, 0.3 ms of overhead.
    const device = new PretendedDevice((paths, steps) => 0.3 + steps * Math.max(0.0005, paths * 1e-8));
    Object.assign(device, { rates: new StepRates(0.1) });
    device.run(64, 4, 1 << 18);
    const before = device.dispatches;
    const first = device.run(1_000_000, 720, 1 << 18);
    // 7.2 ms of work, and the overhead of each dispatch.
    expect(device.dispatches - before).toBeLessThanOrEqual(4);
    expect(first).toBeLessThan(9.5);
  });
});
