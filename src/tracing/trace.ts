/**
 * Spans: what a request spent its time on, for a collector of traces.
 *
 * Gives: the types that everything above sees, and spans that record nothing. Must not know: OpenTelemetry, HTTP.
 */

/** Attributes of a span: no key, no value of a body. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A stretch of time with a name. It ends once. */
export interface Span {
  /** Identifies the trace in 32 hexadecimal digits, for the log; undefined where nothing is recorded. */
  readonly traceId: string | undefined;
  /**
   * A span within this one; it may end later than this one.
   *
   * @param since milliseconds of `performance.now()` at which it began; now where absent
   */
  child(name: string, attributes?: SpanAttributes, since?: number): Span;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. @param reason a word, such as the reason of a RiskError */
  fail(reason: string): void;
  end(): void;
}

/** Where spans go. */
export interface Tracing {
  /**
   * The first span of a request.
   *
   * @param traceparent header of the caller (W3C Trace Context), whose trace it then belongs to
   */
  begin(name: string, traceparent: string | undefined, attributes: SpanAttributes): Span;
  /** Sends what has not been sent yet, for some seconds at most. */
  close(): Promise<void>;
}

/** Records nothing. */
export const NO_SPAN: Span = {
  traceId: undefined,
  child: () => NO_SPAN,
  set: () => {},
  fail: () => {},
  end: () => {},
};

export const NO_TRACING: Tracing = { begin: () => NO_SPAN, close: async () => {} };

/** How a failure is named in a span: by its reason, never by its message. */
export function failureName(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'reason' in error && typeof error.reason === 'string')
    return error.reason;
  return error instanceof Error ? error.name : 'unknown';
}

/** Does `work` within a span of its own, and gives its result. */
export async function spanned<T>(parent: Span, name: string, work: (span: Span) => Promise<T>): Promise<T> {
  const span = parent.child(name);
  try {
    return await work(span);
  } catch (error) {
    span.fail(failureName(error));
    throw error;
  } finally {
    span.end();
  }
}
