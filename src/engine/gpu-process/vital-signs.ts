/**
 * Whether a GPU process still answers: a hung driver does not end its process, which only stops answering.
 *
 * Takes: the time of every message of the process, and the beginning and end of aborted work. Gives: calls when the process
 * stalls, recovers or must be killed, with the reason. Must not know: processes, messages, engines.
 */

import type { Clock } from '../../core/clock.ts';

/*
 * How long a process may be silent. Its dispatches take tens of milliseconds and its event loop turns between them, but a
 * driver may block its thread for some seconds to compile a kernel.
 */
const PING_MILLISECONDS = 1000;
/** Unanswered pings after which the process counts as stalled, and after which it is killed. */
const STALLED_PINGS = 3;
const DEAD_PINGS = 9;
/** Time for aborted work to end, after which the process counts as stalled, and after which it is killed. */
const STALLED_ABORT_MILLISECONDS = 2000;
const DEAD_ABORT_MILLISECONDS = 20_000;

/** Calls about a process. */
export interface VitalActions {
  /** Sends the process a ping. */
  ping(): void;
  /** Called with the reason when the process stalls, and without one when it answers again. */
  changed(why: string | undefined): void;
  /** Called once, when the process has stalled for so long that it will not recover. */
  dead(why: string): void;
}

/** Watches one process from its first message to `stop`. */
export class VitalSigns {
  private readonly stopTicks: () => void;
  /** Per aborted work: functions that cancel its timers. */
  private readonly aborted = new Map<number, readonly (() => void)[]>();
  /** Aborted work that should have ended. */
  private readonly late = new Set<number>();
  // Counted in ticks, not read from a clock: while this process itself was suspended, no answer became overdue.
  private unanswered = 0;
  private lastHeard: number;
  private stalled = false;

  constructor(
    private readonly actions: VitalActions,
    private readonly clock: Clock,
  ) {
    this.lastHeard = clock.now();
    this.stopTicks = clock.every(PING_MILLISECONDS, () => this.tick());
  }

  /** Records a message of the process. */
  heard(): void {
    this.unanswered = 0;
    this.lastHeard = this.clock.now();
    this.update();
  }

  /** Records that work `id` was aborted. */
  abortBegan(id: number): void {
    const stall = () => {
      this.late.add(id);
      this.update();
    };
    const die = () => this.die(`aborted work did not end in ${DEAD_ABORT_MILLISECONDS / 1000} s`);
    this.aborted.set(id, [
      this.clock.after(STALLED_ABORT_MILLISECONDS, stall),
      this.clock.after(DEAD_ABORT_MILLISECONDS, die),
    ]);
  }

  /** Records that work `id` has ended, aborted or not. */
  workEnded(id: number): void {
    for (const cancel of this.aborted.get(id) ?? []) cancel();
    this.aborted.delete(id);
    this.late.delete(id);
    this.update();
  }

  /** Stops all pings and calls. */
  stop(): void {
    this.stopTicks();
    for (const timers of this.aborted.values()) for (const cancel of timers) cancel();
    this.aborted.clear();
  }

  private tick(): void {
    if (this.unanswered >= DEAD_PINGS) {
      const seconds = Math.round((this.clock.now() - this.lastHeard) / 100) / 10;
      this.die(`no sign of life for ${seconds} s`);
      return;
    }
    this.update();
    this.unanswered += 1;
    this.actions.ping();
  }

  private update(): void {
    let why: string | undefined;
    if (this.unanswered >= STALLED_PINGS) why = `${this.unanswered} pings in a row were not answered`;
    else if (this.late.size > 0)
      why = `aborted work has not ended for ${STALLED_ABORT_MILLISECONDS / 1000} s`;
    if (this.stalled === (why !== undefined)) return;
    this.stalled = why !== undefined;
    this.actions.changed(why);
  }

  private die(why: string): void {
    this.stop();
    this.actions.dead(why);
  }
}
