/** How long a kind of request is expected to take, after runs that finished or were aborted. */
import { describe, expect, it } from 'vitest';
import { createRunTimes } from '#src/server/admission/run-times.js';

describe('The expected time of a kind', () => {
  const KIND = { kind: 'k', predictedSeconds: 2 };

  it('is the prediction, then the first run, then moves a fifth of the way to each', () => {
    const times = createRunTimes();
    expect(times.expected(KIND)).toBe(2);
    times.note(KIND, 6, true);
    expect(times.expected(KIND)).toBe(6);
    expect(times.expected({ ...KIND, predictedSeconds: 1 })).toBe(3);
    expect(times.expected({ ...KIND, kind: 'other' })).toBe(2);
    times.note(KIND, 16, true);
    expect(times.expected(KIND)).toBeCloseTo(8, 12);
    times.note(KIND, 3, true);
    expect(times.expected(KIND)).toBeCloseTo(7, 12);
  });

  it('grows with an aborted run that took longer, and never shrinks with one', () => {
    const times = createRunTimes();
    times.note(KIND, 2, false);
    times.note(KIND, 1, false);
    times.doubt(KIND);
    expect(times.expected(KIND)).toBe(2);
    times.note(KIND, 12, false);
    expect(times.expected(KIND)).toBeCloseTo(4, 12);
    times.note(KIND, 3, false);
    expect(times.expected(KIND)).toBeCloseTo(4, 12);
    times.note(KIND, 9, false);
    expect(times.expected(KIND)).toBeCloseTo(5, 12);
  });

  it('is not known from an aborted run that took as long as predicted', () => {
    const times = createRunTimes();
    times.note(KIND, 2, false);
    times.note(KIND, 6, true);
    expect(times.expected(KIND)).toBe(6);
  });

  it('moves a twentieth of the way back to the prediction with each doubt', () => {
    const times = createRunTimes();
    times.note(KIND, 6, true);
    times.doubt(KIND);
    expect(times.expected(KIND)).toBeCloseTo(5.8, 12);
    times.note({ ...KIND, kind: 'fast' }, 1, true);
    times.doubt({ ...KIND, kind: 'fast' });
    expect(times.expected({ ...KIND, kind: 'fast' })).toBeCloseTo(1.05, 12);
  });
});
