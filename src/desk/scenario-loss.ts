/** What a scenario costs: lost in its replay, and on average after it. USD. */
import type { StressedBook } from './result.ts';

export const scenarioLoss = ({ Replay, Then }: Pick<StressedBook, 'Replay' | 'Then'>): number =>
  (Replay?.Loss ?? 0) + (Then?.ExpectedLoss ?? 0);
