/**
 * Whether the service lives and is ready, by what its processes have reported and when.
 *
 * A process reports as often as its event loop lets it: one that has been silent for long does not serve. Must not know: how
 * reports come, who asks.
 */

/** A process is not ready for requests once it has reported nothing for so long. */
const READY_WITHIN_MS = 5000;
/** It is to be ended once it has reported nothing for so long: longer than anything that it does in one go. */
const LIVE_WITHIN_MS = 30_000;

export interface Verdict {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Judgement {
  /** @param obstacles why no request should come to the process; empty where one may */
  report(source: number, obstacles: readonly string[]): void;
  /** The process has ended. */
  forget(source: number): void;
  /** 503 where a process has stalled. */
  live(): Verdict;
  /** 200 where at least one process takes requests, else 503 with the reasons of all. */
  ready(): Verdict;
}

interface Source {
  readonly obstacles: readonly string[];
  readonly at: number;
}

/** @param now milliseconds of a clock that never goes back */
export function createJudgement(now: () => number): Judgement {
  const sources = new Map<number, Source>();
  return {
    report(source, obstacles) {
      sources.set(source, { obstacles, at: now() });
    },
    forget(source) {
      sources.delete(source);
    },
    live() {
      const silentMs = now() - Math.min(now(), ...Array.from(sources.values(), ({ at }) => at));
      return silentMs > LIVE_WITHIN_MS
        ? { status: 503, body: { status: 'stalled', silent_seconds: Math.floor(silentMs / 1000) } }
        : { status: 200, body: { status: 'alive' } };
    },
    ready() {
      const reasons = Array.from(sources.values(), ({ obstacles, at }) =>
        now() - at > READY_WITHIN_MS ? ['event loop stalled'] : obstacles,
      );
      if (reasons.some(found => found.length === 0))
        return { status: 200, body: { status: 'ready', reasons: [] } };
      const all = reasons.length === 0 ? ['starting'] : [...new Set(reasons.flat())];
      return { status: 503, body: { status: 'not ready', reasons: all } };
    },
  };
}
