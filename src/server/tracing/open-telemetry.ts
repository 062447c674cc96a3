/**
 * Spans that are sent to a collector by OTLP over HTTP with the packages of OpenTelemetry.
 *
 * Loaded only where a collector is configured. The packages read their standard variables: headers, sampler, name of the
 * service, resource attributes (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME,
 * OTEL_RESOURCE_ATTRIBUTES). Must not know: HTTP servers, what is traced.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Span as ApiSpan,
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { processClock } from '../../core/clock.ts';
import type { Logger } from '../../host/log.ts';
import { repeatedWarnings } from '../../host/repeated-warnings.ts';
import type { Span, Tracing } from './trace.ts';

const NAME = 'collateral-risk-engine';
/** Longest wait for the last spans when the service stops. */
const LAST_SPANS_MS = 2000;
const EXPORT_TIMEOUT_MS = 5000;

/**
 * Sends spans to a collector. While it does not answer, spans are lost, with a warning in the log.
 *
 * @param options.endpoint address of the collector, such as `http://127.0.0.1:4318`; spans go to `/v1/traces` below it
 * @param options.version of the service
 */
export function openTelemetry({
  endpoint,
  version,
  log,
}: {
  readonly endpoint: string;
  readonly version: string;
  readonly log: Logger;
}): Tracing {
  const warn = repeatedWarnings(processClock, log);
  const lost = (reason: string) => warn({ reason }, 'the collector did not accept spans');
  setGlobalErrorHandler(error => lost(reasonOf(error)));
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const own = resourceFromAttributes({ 'service.name': NAME, 'service.version': version });
  // The last one has priority: the environment.
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer(NAME, version);
  return {
    begin(name, traceparent, attributes) {
      const options = { kind: SpanKind.SERVER, attributes: attributes as Attributes };
      return wrap(tracer, tracer.startSpan(name, options, contextOf(traceparent)));
    },
    async close() {
      const ending = new AbortController();
      const overdue = sleep(LAST_SPANS_MS, 'overdue', { signal: ending.signal, ref: false }).catch(
        () => 'sent',
      );
      const sent = provider.shutdown().then(
        () => 'sent',
        error => reasonOf(error),
      );
      const outcome = await Promise.race([sent, overdue]);
      ending.abort();
      if (outcome !== 'sent') lost(outcome);
    },
  };
}

/** The trace that the caller names, if any. */
function contextOf(traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  return caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
}

function wrap(tracer: Tracer, span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId: (traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : traceId,
    spanId,
    child(name, attributes = {}, since) {
      const options = {
        attributes: attributes as Attributes,
        ...(since === undefined ? {} : { startTime: performance.timeOrigin + since }),
      };
      return wrap(tracer, tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, span)));
    },
    set: attributes => void span.setAttributes(attributes as Attributes),
    fail: reason => void span.setStatus({ code: SpanStatusCode.ERROR, message: reason }),
    end: () => span.end(),
  };
}

/** Only the kind of a failure is logged: messages can contain the address and headers of the collector. */
function reasonOf(error: unknown): string {
  const text = typeof error === 'string' ? error : String((error as Error).message ?? error);
  const known = /ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|[Tt]imeout|[Cc]oncurrent export|\b[45]\d\d\b/.exec(
    text,
  );
  return known?.[0] ?? (error instanceof Error ? error.name : 'unknown');
}
