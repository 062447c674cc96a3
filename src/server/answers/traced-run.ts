/**
 * The engines and the market of the service for one run that records the spans `market`, `calibration`, `engine`.
 *
 * Must not know: jobs, HTTP, who receives spans, what the operations compute.
 */
import type { QuestionEngines } from '../../engine/engine-set.ts';
import type { MarketData } from '../../market/market-data.ts';
import { failureName, type Span, spanned } from '../tracing/trace.ts';

/**
 * @param parent the request
 * @param market each read is a span `market`; after the last read comes a span `calibration`, which covers the fit of the
 *   model and the plan
 * @param engines each use is a span `engine`, which ends the span `calibration`
 */
export function tracedRun(parent: Span, market: MarketData, engines: QuestionEngines) {
  /** When the last read ended, by `performance.now()`; undefined before that. */
  let readUntil: number | undefined;

  function endCalibration(reason?: string): void {
    if (readUntil === undefined) return;
    const span = parent.child('calibration', {}, readUntil);
    readUntil = undefined;
    if (reason !== undefined) span.fail(reason);
    span.end();
  }

  const read = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    spanned(parent, 'market', async span => {
      span.set({ 'risk.read': what });
      const result = await work();
      readUntil = performance.now();
      return result;
    });

  const traced = (market: MarketData): MarketData => ({
    current: () => market.current(),
    version: market.version,
    symbols: market.symbols,
    assets: () => market.assets(),
    youngestCloses: () => market.youngestCloses(),
    sample: market.sample,
    description: market.description,
    dailyCloses: (...asked) => read('daily closes', () => market.dailyCloses(...asked)),
    history: (...asked) => read('history', () => market.history(...asked)),
    hourlyCloses: (...asked) => read('hourly closes', () => market.hourlyCloses(...asked)),
    hourlyClosesFrom: (...asked) => read('hourly closes', () => market.hourlyClosesFrom(...asked)),
    heldCloses: (...asked) => read('daily closes', () => market.heldCloses(...asked)),
    volatilityIndex: (...asked) => read('volatility index', () => market.volatilityIndex(...asked)),
    dailyVolumeUsd: (...asked) => read('volumes', () => market.dailyVolumeUsd(...asked)),
    fundingRates: (...asked) => read('funding rates', () => market.fundingRates(...asked)),
    list: () => market.list(),
    joined: joins => traced(market.joined(joins)),
  });
  const tracedEngines: QuestionEngines = {
    reference: engines.reference,
    use(plan, choice, body, options) {
      endCalibration();
      return spanned(parent, 'engine', async span => {
        const answer = await engines.use(plan, choice, body, options);
        span.set({ 'risk.engine': answer.engine.backend, 'risk.device': answer.engine.device });
        return answer;
      });
    },
  };
  return {
    market: traced(market),
    engines: tracedEngines,
    /** Ends the span of a calibration that failed. */
    failed: (error: unknown) => endCalibration(failureName(error)),
  };
}
