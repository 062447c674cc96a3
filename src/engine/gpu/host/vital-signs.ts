/**
 * Whether a GPU process still lives: a hung driver does not end its process, it only stops answering.
 *
 * Takes: every message of the process, and the beginning and end of aborted work. Gives: when it is to be left alone
 * and when it is to be killed, with the reason. Must not know: processes, messages, engines.
 */

/** How long a process may be silent. */
export interface VitalTimes {
  /** Between two pings. */
  readonly pingMilliseconds: number;
  /** Unanswered pings after which the process stalls, and after which it is dead. */
  readonly stalledPings: number;
  readonly deadPings: number;
  /** How long aborted work may take to end until the process stalls, and until it is dead. */
  readonly stalledAbortMilliseconds: number;
  readonly deadAbortMilliseconds: number;
}

/**
 * The process computes in pieces of tens of milliseconds and turns its event loop in between, but a driver may take its
 * thread for some seconds to compile a kernel, and aborted work waits for a compilation under way.
 */
const TIMES: VitalTimes = {
  pingMilliseconds: 1000,
  stalledPings: 3,
  deadPings: 9,
  stalledAbortMilliseconds: 2000,
  deadAbortMilliseconds: 20_000,
};

/** What to do about a process. */
export interface VitalActions {
  /** Asks the process for a sign of life. */
  ping(): void;
  /** It stalls, and why; or, without a reason, it no longer does. */
  changed(why: string | undefined): void;
  /** It has stalled for so long that it will not recover. Told once. */
  dead(why: string): void;
}

/** Follows one process from its first sign of life to `stop`. */
export class VitalSigns {
  private readonly actions: VitalActions;
  private readonly times: VitalTimes;
  private readonly ticks: NodeJS.Timeout;
  private readonly aborted = new Map<number, readonly NodeJS.Timeout[]>();
  /** Aborted work that should have ended. */
  private readonly late = new Set<number>();
  // Counted in ticks, not read from a clock: when this process stood still itself, no answer is overdue.
  private unanswered = 0;
  private lastHeard = performance.now();
  private stalled = false;

  constructor(actions: VitalActions, times: Partial<VitalTimes> = {}) {
    this.actions = actions;
    this.times = { ...TIMES, ...times };
    this.ticks = setInterval(() => this.tick(), this.times.pingMilliseconds);
    this.ticks.unref();
  }

  /** A message has come. */
  heard(): void {
    this.unanswered = 0;
    this.lastHeard = performance.now();
    this.judge();
  }

  /** Work `id` was told to end. */
  abortBegan(id: number): void {
    const { stalledAbortMilliseconds, deadAbortMilliseconds } = this.times;
    const stall = () => {
      this.late.add(id);
      this.judge();
    };
    const die = () => this.die(`aborted work did not end in ${deadAbortMilliseconds / 1000} s`);
    this.aborted.set(id, [
      setTimeout(stall, stalledAbortMilliseconds).unref(),
      setTimeout(die, deadAbortMilliseconds).unref(),
    ]);
  }

  /** Work `id` has ended, aborted or not. */
  workEnded(id: number): void {
    for (const timer of this.aborted.get(id) ?? []) clearTimeout(timer);
    this.aborted.delete(id);
    this.late.delete(id);
    this.judge();
  }

  /** Nothing is asked or told from now on. */
  stop(): void {
    clearInterval(this.ticks);
    for (const timers of this.aborted.values()) for (const timer of timers) clearTimeout(timer);
    this.aborted.clear();
  }

  private tick(): void {
    if (this.unanswered >= this.times.deadPings) {
      const seconds = Math.round((performance.now() - this.lastHeard) / 100) / 10;
      this.die(`no sign of life for ${seconds} s`);
      return;
    }
    this.judge();
    this.unanswered += 1;
    this.actions.ping();
  }

  private judge(): void {
    const { stalledPings, stalledAbortMilliseconds } = this.times;
    let why: string | undefined;
    if (this.unanswered >= stalledPings) why = `${this.unanswered} pings in a row were not answered`;
    else if (this.late.size > 0) why = `aborted work has not ended for ${stalledAbortMilliseconds / 1000} s`;
    if (this.stalled === (why !== undefined)) return;
    this.stalled = why !== undefined;
    this.actions.changed(why);
  }

  private die(why: string): void {
    this.stop();
    this.actions.dead(why);
  }
}
