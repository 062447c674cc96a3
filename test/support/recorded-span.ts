/** A span whose children, failure and end a test can read. */
import type { Span, SpanAttributes } from '#src/server/tracing/trace.js';

export interface RecordedSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly children: readonly RecordedSpan[];
  readonly failed: string | undefined;
  /** How often it has ended: once, if all is well. */
  readonly ends: number;
}

/** A span, and what has happened to it so far. */
export function recordedSpan(name = 'request'): { span: Span; record: RecordedSpan } {
  const children: RecordedSpan[] = [];
  const record = {
    name,
    attributes: {} as Record<string, string | number | boolean>,
    children,
    failed: undefined as string | undefined,
    ends: 0,
  };
  const span: Span = {
    traceId: undefined,
    child(of, attributes = {}) {
      const { span: child, record: kept } = recordedSpan(of);
      child.set(attributes);
      children.push(kept);
      return child;
    },
    set: attributes => {
      Object.assign(record.attributes, attributes);
    },
    fail: reason => {
      record.failed = reason;
    },
    end: () => {
      record.ends += 1;
    },
  };
  return { span, record };
}
