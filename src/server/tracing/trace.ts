/**
 * Spans: how a request spent its time, for a collector of traces.
 *
 * Gives: types, and spans that record nothing. Must not know: OpenTelemetry, HTTP.
 */

/** Attributes of a span: no key, no value of a body. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A period with a name. It ends once. */
export interface Span {
  /** Identifies the trace in 32 hexadecimal digits, for the log; undefined where nothing is recorded. */
  readonly traceId: string | undefined;
  /** 16 hexadecimal digits; absent where nothing is recorded. */
  readonly spanId?: string | undefined;
  /**
   * A span within this one; it may end later than this one.
   *
   * @param since its start in milliseconds of `performance.now()`; now where absent
   */
  child(name: string, attributes?: SpanAttributes, since?: number): Span;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. @param reason a word, such as the reason of a RiskError */
  fail(reason: string): void;
  end(): void;
}

/** Receives spans. */
export interface Tracing {
  /**
   * The first span of a request.
   *
   * @param traceparent header of the caller (W3C Trace Context), which names the trace
   */
  begin(name: string, traceparent: string | undefined, attributes: SpanAttributes): Span;
  /** Sends the remaining spans, for some seconds at most. */
  close(): Promise<void>;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** The trace that a header `traceparent` names; undefined for another text and for the trace of zeros. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const id = TRACEPARENT.exec(traceparent ?? '')?.[1];
  return id === '0'.repeat(32) ? undefined : id;
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

/** The name of a failure in a span: its reason, never its message. */
export function failureName(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'reason' in error && typeof error.reason === 'string')
    return error.reason;
  return error instanceof Error ? error.name : 'unknown';
}

/** Returns the result of `work`, within a span. */
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
