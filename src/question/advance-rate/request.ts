/** The request of /advance_rate. */
import type { z } from 'zod';
import type { Day } from '../../text/calendar-date.ts';
import { issue } from '../../text/message.ts';
import {
  analysisDate,
  choice,
  listOf,
  meaning,
  members,
  modelLookback,
  number,
  saleCost,
  wholeNumber,
} from '../request/fields.ts';
import { perDay } from '../request/parse.ts';
import { proxies } from '../request/proxies.ts';
import { fewDistinctSymbols, type Rule } from '../request/rules.ts';
import { basketMembers } from '../request/weight-map.ts';
import { asSent, type Resolved, type ResolvedBaskets, reading, resolvedBaskets } from '../resolved.ts';
import { typedRequest } from '../typed-request.ts';

/** Longest exposure, and longest time for a fall. */
const MAX_HOURS = 8760;

const LEVELS = ['confidence', 'expected_loss', 'advance_rate'] as const;

/** At least one list of levels: without it there is nothing to answer. */
const asksForSomething: Rule<{ readonly [L in (typeof LEVELS)[number]]?: readonly number[] | undefined }> = {
  needs: LEVELS,
  broken: sent =>
    LEVELS.some(name => sent[name] !== undefined)
      ? undefined
      : issue('missing', [], `an object with ${LEVELS.join(', ')} or more than one of them`, sent, 'none'),
};

export const advanceRateRequest = perDay((today: Day, resolve) =>
  typedRequest('advance-rate', {
    terms: {
      ...basketMembers(resolve),
      analysis_date: analysisDate(today),
      model_lookback: modelLookback(),
      proxy: proxies(resolve),
      exposure_hours: meaning(
        listOf(wholeNumber(1, MAX_HOURS).meta({ 'x-unit': 'hours' }), 'lengths in hours'),
        'Hours from the beginning of an exposure to the end of the sale, in any order.',
      ),
      measure: meaning(
        choice(['lowest', 'end']),
        'lowest: sold at the worst hourly close of the exposure; end: sold at its end.',
      ).default('lowest'),
      sale_cost: meaning(saleCost.unwrap(), 'Share of the proceeds that the sale costs.', 'fraction').default(
        0,
      ),
      after_fall: meaning(
        members({
          fall: meaning(
            number('from 0 to 0.95').min(0).max(0.95),
            'Fall of collateral over debt at which an exposure begins.',
            'fraction',
          ),
          within_hours: meaning(
            wholeNumber(1, MAX_HOURS),
            'Hours within which the fall is looked for; the first one counts.',
            'hours',
          ),
        }),
        'An exposure begins when collateral over debt has fallen so far, not at a random hour. Figures are those of the scenarios that fall.',
      ).optional(),
      confidence: meaning(
        listOf(number('above 0.5 and below 1').gt(0.5).lt(1).meta({ 'x-unit': 'fraction' }), 'levels'),
        'Levels of confidence, in any order: at 0.99 at most 1 % of the exposures lose.',
      ).optional(),
      expected_loss: meaning(
        listOf(
          number('above 0 and below 1').gt(0).lt(1).meta({ 'x-unit': 'fraction of the debt' }),
          'mean losses',
        ),
        'Mean losses as a share of the debt, in any order.',
      ).optional(),
      advance_rate: meaning(
        listOf(
          number('above 0 and at most 2').gt(0).max(2).meta({ 'x-unit': 'debt / collateral value' }),
          'rates',
        ),
        'Given rates, in any order.',
      ).optional(),
    },
    rules: [fewDistinctSymbols, asksForSomething],
  }),
);

type SentAdvanceRate = z.infer<ReturnType<typeof advanceRateRequest>>;

export interface AdvanceRateRequest extends Resolved<SentAdvanceRate['params']>, ResolvedBaskets {}

export const ADVANCE_RATE_READING = reading(
  advanceRateRequest,
  (sent: SentAdvanceRate): AdvanceRateRequest => ({ ...asSent(sent), ...resolvedBaskets(sent.params) }),
);
