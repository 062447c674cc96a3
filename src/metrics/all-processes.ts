/** The figures of all processes as one text, in the process that has started them. Must not know: who asks. */
import { AggregatorRegistry } from 'prom-client';

/** @returns a function that asks every process; it rejects where one does not answer within seconds */
export function metricsOfAll(): () => Promise<string> {
  const registry = new AggregatorRegistry();
  return () => registry.clusterMetrics();
}
