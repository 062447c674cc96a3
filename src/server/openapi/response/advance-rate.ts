/** `Output` of /advance_rate. */
import { z } from 'zod';
import {
  RATE_FIGURES,
  RATE_LEVELS,
  type RateLevel,
  TRIGGER_FIGURE,
} from '../../../core/figures/advance-rate.ts';
import { VOLATILITY_FIGURES } from '../../../core/figures/window.ts';
import { meaning } from '../../../question/request/fields.ts';
import { figure, figureMembers, object } from './figures.ts';
import { byLevel, mapped } from './results.ts';

/** The figures of one level of a rate; those of history, or after a fall alone, may be absent. */
const ratesAt = (level: RateLevel) =>
  byLevel(
    RATE_LEVELS[level].words,
    z.strictObject(
      Object.fromEntries(
        Object.entries(RATE_FIGURES)
          .filter(([, { of }]) => (of as readonly RateLevel[]).includes(level))
          .map(([name, row]) => {
            const schema = figure(row);
            const nullable = schema.nullable().meta(schema.meta() ?? {});
            return [name, 'only' in row ? nullable.optional() : nullable];
          }),
      ),
    ),
  ).optional();

export const advanceRateOutput = meaning(
  z.object(figureMembers(VOLATILITY_FIGURES)).catchall(
    object('One length of exposure. Figures are null where fewer than 30 exposures begin.', {
      ...figureMembers({ PrTrigger: TRIGGER_FIGURE }),
      ...mapped(RATE_LEVELS, (_, level) => ratesAt(level)),
    }),
  ),
  'The key of a length is its number of hours.',
);
