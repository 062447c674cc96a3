/**
 * Asks the operations many times with one seed after another, in this process, on the sample market.
 *
 * Takes: a case. Gives: how often the intervals of each figure held its true value.
 */
import type { AccuracyFigures } from '#src/core/figures/accuracy.js';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import { openMarket } from '#src/market/open-market.js';
import { answerQuestion, checkQuestion } from '#src/question/asking.js';
import { QUESTIONS } from '#src/question/questions.js';
import { type CoverageCase, withPaths } from './cases.ts';
import { CoverageCount, type CoverageRow, numbersOf, rowsOf } from './figures.ts';

/** After the date of every case. */
const NOW = new Date('2024-07-10T10:00:00Z');
const LEVEL = 0.95;
/** No seed of a case is that of its truth. */
const SEED_OF_TRUTH = 4_000_000_000;
/** Questions under way at once: while some wait for a thread, others are simulated. */
const ABREAST = 16;

/** A result whose long members are objects. */
const withRows = (result: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      value instanceof Map ? Object.fromEntries(value) : value,
    ]),
  );

export interface Asking {
  coverage(asked: CoverageCase, seeds: number, onSeed?: (done: number) => void): Promise<CoverageRow[]>;
  close(): Promise<void>;
}

/** Opens market and engines. */
export async function openAsking(threads: number): Promise<Asking> {
  const log = createLogger('silent');
  const live = await openMarket({ path: 'sample', asked: true, now: () => NOW, log });
  const limits = { cpu: 1e13, gpu: 1e13 };
  const engines = await openEngines({ compute: 'cpu', softwareGpu: false, threads, limits, log });

  const answer = async (asked: CoverageCase, body: unknown, seed: number, query: Record<string, string>) => {
    const question = QUESTIONS.find(({ path }) => path === asked.path);
    if (question === undefined) throw new Error(`${asked.path}, ${asked.name}: no such path`);
    const asker = { caller: '', signal: new AbortController().signal };
    const checked = await checkQuestion(
      question,
      {
        ...{ asker, sent: { body, repeats: [] }, query: new URLSearchParams(query) },
        ...{ seed: String(seed), compute: 'auto' },
      },
      { market: live.current(), moment: NOW, scenarios: [], maxLoans: 100 },
    );
    return answerQuestion(checked, {
      ...{ engines, log, ...asker },
      maintenanceMargins: { rateOf: () => 0.005 },
    });
  };

  return {
    async coverage(asked, seeds, onSeed) {
      const plain = { confidence: String(LEVEL), ...(asked.query && { sampling: asked.query }) };
      const truth =
        asked.truthPaths === undefined
          ? new Map<string, number>()
          : numbersOf(
              withRows(
                (await answer(asked, withPaths(asked.body, asked.truthPaths), SEED_OF_TRUTH, plain)).result,
              ),
            );
      const count = new CoverageCount(truth);
      const query = { ...plain, include: 'accuracy' };
      let next = 0;
      const lane = async () => {
        while (next < seeds) {
          const seed = next++;
          const { included } = await answer(asked, asked.body, seed, query);
          const accuracy = included?.Accuracy as { figures: AccuracyFigures } | undefined;
          if (accuracy === undefined) throw new Error(`${asked.path} has no Accuracy`);
          const rows = [...rowsOf(accuracy.figures)].filter(
            ([name]) => asked.only?.includes(name) ?? !name.startsWith('Loans'),
          );
          count.add(new Map(rows));
          onSeed?.(seed + 1);
        }
      };
      await Promise.all(Array.from({ length: ABREAST }, lane));
      return count.rows();
    },
    async close() {
      await engines.close();
      await live.close();
    },
  };
}
