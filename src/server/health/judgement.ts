/**
 * Whether the service is alive and ready, by the reports of its processes and their times.
 *
 * A process reports from its event loop: a process without recent reports does not serve. Must not know: how reports arrive,
 * which probe reads the verdict.
 */

/** Time without a report after which a process is not ready for requests. */
const READY_WITHIN_MS = 5000;
/** Time without a report after which a process has stalled: longer than any single turn of its event loop. */
const LIVE_WITHIN_MS = 30_000;

export interface Verdict {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Source {
  readonly obstacles: readonly string[];
  readonly at: number;
}

/** @param now milliseconds of a monotonic clock */
export function createJudgement(now: () => number) {
  const sources = new Map<number, Source>();
  return {
    /** @param obstacles why the process is not ready; empty where it is */
    report(source: number, obstacles: readonly string[]): void {
      sources.set(source, { obstacles, at: now() });
    },
    /** Removes a process that has ended. */
    forget(source: number): void {
      sources.delete(source);
    },
    /** 503 where a process has stalled. */
    live(): Verdict {
      const silentMs = now() - Math.min(now(), ...Array.from(sources.values(), ({ at }) => at));
      return silentMs > LIVE_WITHIN_MS
        ? { status: 503, body: { status: 'stalled', silent_seconds: Math.floor(silentMs / 1000) } }
        : { status: 200, body: { status: 'alive' } };
    },
    /** 200 where at least one process accepts requests, else 503 with the reasons of all. */
    ready(): Verdict {
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
