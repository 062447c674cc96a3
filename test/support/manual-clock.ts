/** A clock that stands still until a test moves it. */
import type { Clock } from '#src/core/clock.js';

interface Timer {
  due: number;
  readonly action: () => void;
  /** Undefined for a timer that runs once. */
  readonly period: number | undefined;
}

export class ManualClock implements Clock {
  private time = 0;
  private readonly timers = new Set<Timer>();

  now(): number {
    return this.time;
  }

  after(milliseconds: number, action: () => void): () => void {
    return this.add({ due: this.time + milliseconds, action, period: undefined });
  }

  every(milliseconds: number, action: () => void): () => void {
    return this.add({ due: this.time + milliseconds, action, period: milliseconds });
  }

  /** Timers that are set. */
  get pending(): number {
    return this.timers.size;
  }

  /** Moves the clock on, and calls what falls due on the way, each at its time. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (let timer = this.nextUntil(end); timer !== undefined; timer = this.nextUntil(end)) {
      this.time = timer.due;
      if (timer.period === undefined) this.timers.delete(timer);
      else timer.due += timer.period;
      timer.action();
    }
    this.time = end;
  }

  /** Lets time pass in which the process stands still, then calls what is due, once each. */
  stall(milliseconds: number): void {
    this.time += milliseconds;
    for (const timer of [...this.timers].sort((one, other) => one.due - other.due)) {
      if (timer.due > this.time) continue;
      if (timer.period === undefined) this.timers.delete(timer);
      else timer.due = this.time + timer.period;
      timer.action();
    }
  }

  private add(timer: Timer): () => void {
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  private nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.timers)
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    return next;
  }
}
