/**
 * Whether the service is alive and ready, by its reports and their times.
 *
 * Reports come from the event loop of the process: without recent ones it does not serve. Must not know: how reports arrive,
 * which probe reads the verdict.
 */

/** Time without a report after which the process is not ready for requests. */
const READY_WITHIN_MS = 5000;
/** Time without a report after which the process has stalled: longer than any single turn of its event loop. */
const LIVE_WITHIN_MS = 30_000;

export interface Verdict {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param now milliseconds of a monotonic clock */
export function createJudgement(now: () => number) {
  let last: { readonly obstacles: readonly string[]; readonly at: number } | undefined;
  const silentMs = () => (last === undefined ? 0 : now() - last.at);
  return {
    /** @param obstacles why the process is not ready; empty where it is */
    report(obstacles: readonly string[]): void {
      last = { obstacles, at: now() };
    },
    /** 503 where the process has stalled. */
    live(): Verdict {
      return silentMs() > LIVE_WITHIN_MS
        ? { status: 503, body: { status: 'stalled', silent_seconds: Math.floor(silentMs() / 1000) } }
        : { status: 200, body: { status: 'alive' } };
    },
    /** 200 where the process accepts requests, else 503 with the reasons. */
    ready(): Verdict {
      const { obstacles } = last ?? { obstacles: ['starting'] };
      const reasons = silentMs() > READY_WITHIN_MS ? ['event loop stalled'] : obstacles;
      return reasons.length === 0
        ? { status: 200, body: { status: 'ready', reasons } }
        : { status: 503, body: { status: 'not ready', reasons } };
    },
  };
}
