/**
 * An engine on a clock of its own, whose runs share it evenly, and callers that ask again as soon as they are answered.
 */

import type { Clock } from '#src/core/clock.js';
import { RiskError } from '#src/core/errors.js';
import { type Admission, createAdmission } from '#src/server/admission/admission.js';

/** What became of the requests of a simulated service. */
export interface Outcome {
  /** Answers in time. */
  answered: number;
  /** Deadlines passed. */
  late: number;
  /** Refusals by the admission. */
  refused: number;
  /** Seconds of the engine that went into runs that were broken off. */
  wasted: number;
}

interface Run {
  remaining: number;
  done: number;
  readonly finish: () => void;
}

export interface ServiceOptions {
  readonly callers: number;
  readonly seconds: number;
  /** Seconds from arrival until a request has to be answered. */
  readonly timeout: number;
  /** Seconds that the request number `i` takes with the engine for itself. */
  readonly secondsOf: (i: number) => number;
  /** Seconds that a caller waits after a refusal. */
  readonly pause: (error: RiskError) => number;
}

/** Lets `callers` ask in closed loops for so many seconds of a simulated clock. */
export async function simulateService(options: ServiceOptions): Promise<Outcome> {
  const { callers, seconds, timeout, secondsOf, pause } = options;
  const outcome: Outcome = { answered: 0, late: 0, refused: 0, wasted: 0 };
  const runs = new Set<Run>();
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>();
  let now = 0;
  let requests = 0;
  const at = (time: number, ring: () => void) => {
    const alarm = { at: time, ring };
    alarms.add(alarm);
    return () => {
      alarms.delete(alarm);
    };
  };
  const every = (milliseconds: number, action: () => void) => {
    let forget = () => {};
    const ring = () => {
      forget = at(now + milliseconds / 1000, ring);
      action();
    };
    forget = at(now + milliseconds / 1000, ring);
    return () => forget();
  };
  const clock: Clock = {
    now: () => now * 1000,
    after: (milliseconds, action) => at(now + milliseconds / 1000, action),
    every,
  };
  const admission: Admission = createAdmission(32, clock);

  function compute(i: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const run: Run = { remaining: secondsOf(i), done: 0, finish: resolve };
      runs.add(run);
      signal.addEventListener('abort', () => {
        if (!runs.delete(run)) return;
        outcome.wasted += run.done;
        reject(signal.reason);
      });
    });
  }

  async function ask(): Promise<void> {
    const request = requests++;
    const ending = new AbortController();
    const deadline = now + timeout;
    const forget = at(deadline, () => ending.abort(new Error('late')));
    const entrant = {
      engine: 'cpu',
      kind: 'loan',
      caller: 'anyone',
      // Far from what it takes, and a large request.
      predictedSeconds: 0.1,
      deadline,
    } as const;
    let rest = 0;
    try {
      await admission.run(entrant, ending.signal, () => compute(request, ending.signal));
      outcome.answered++;
    } catch (error) {
      const refused = error instanceof RiskError;
      outcome[refused ? 'refused' : 'late']++;
      if (refused) rest = pause(error);
    }
    forget();
    // The next millisecond: no caller is quicker.
    at(now + Math.max(rest, 0.001), () => void ask());
  }

  for (let i = 0; i < callers; i++) at(0, () => void ask());
  while (now < seconds) {
    await new Promise(setImmediate);
    const share = 1 / Math.max(1, runs.size);
    const next = Math.min(
      ...[...runs].map(run => now + run.remaining / share),
      ...[...alarms].map(alarm => alarm.at),
    );
    for (const run of runs) {
      run.done += (next - now) * share;
      run.remaining -= (next - now) * share;
    }
    now = next;
    for (const run of runs) {
      if (run.remaining > 1e-9) continue;
      runs.delete(run);
      run.finish();
    }
    for (const alarm of alarms) {
      if (alarm.at > now) continue;
      alarms.delete(alarm);
      alarm.ring();
    }
  }
  return outcome;
}
