/** The member `reverse` of a scenario: how far prices must fall until a figure of the book reaches a bound. */
import { z } from 'zod';
import { isObject, issue } from '../../text/message.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import {
  choice,
  identifier,
  meaning,
  members,
  number,
  quantile,
  SYMBOL,
  SYMBOL_BOUND,
  wholeNumber,
} from './fields.ts';
import { ALL_OTHERS } from './price-shock.ts';
import { rule, withRules } from './rules.ts';
import { alphabetical } from './weight-map.ts';

/** What a figure needs: nothing but the prices, a replay, or paths; paths and a level, or paths and a tranche. */
interface ReverseFigure {
  readonly needs: 'prices' | 'replay' | 'paths' | 'level' | 'tranche' | 'paths or tranche';
  readonly unit: string;
}

/** The figures that a bound may be set for, with the unit of the bound. */
export const REVERSE_FIGURES = {
  Ltv: { needs: 'prices', unit: 'debt / collateral value' },
  CalledUsd: { needs: 'prices', unit: 'USD' },
  LiquidatedUsd: { needs: 'prices', unit: 'USD' },
  ReplayLoss: { needs: 'replay', unit: 'USD' },
  ExpectedLoss: { needs: 'paths', unit: 'USD' },
  PrLoss: { needs: 'paths or tranche', unit: 'fraction' },
  LossVar: { needs: 'level', unit: 'USD' },
  LossCVar: { needs: 'level', unit: 'USD' },
  UnsoldExpectedLoss: { needs: 'paths', unit: 'USD' },
  PeakDay: { needs: 'paths', unit: 'USD' },
  ExpectedLossPct: { needs: 'tranche', unit: 'percent of the tranche' },
} as const satisfies Readonly<Record<string, ReverseFigure>>;
export type ReverseFigureName = keyof typeof REVERSE_FIGURES;
const NAMES = Object.keys(REVERSE_FIGURES) as [ReverseFigureName, ...ReverseFigureName[]];

/** The direction of the most likely loss under the model. */
export const LIKELY = 'likely';
const LARGEST_FALL = 0.99;
/** Of deviations. */
const LARGEST_DEVIATIONS = 40;
const [LEAST_BETA, MOST_BETA] = [-1, 5];
const BETA_BOUND = `from ${LEAST_BETA} to ${MOST_BETA}`;
const ALONG_BOUND = `"${LIKELY}", or an object of 1 to ${MAX_SYMBOLS} symbols, or ${ALL_OTHERS}, and exponents ${BETA_BOUND}`;

/** Exponents of (1 - s) by symbol. */
export type Betas = Readonly<Record<string, number>>;

const along = (resolve: ResolveSymbol) =>
  z
    .unknown()
    .meta({
      anyOf: [
        { const: LIKELY, type: 'string' },
        {
          type: 'object',
          minProperties: 1,
          maxProperties: MAX_SYMBOLS + 1,
          propertyNames: { pattern: `${SYMBOL.source}|^\\*$` },
          additionalProperties: { type: 'number', minimum: LEAST_BETA, maximum: MOST_BETA, 'x-unit': 'none' },
        },
      ],
      examples: [{ BTC: 1, '*': 1.2 }],
    })
    .transform((sent, context): typeof LIKELY | Betas => {
      if (sent === LIKELY) return LIKELY;
      const entries = isObject(sent) ? Object.entries(sent) : [];
      if (entries.length < 1 || entries.length > MAX_SYMBOLS + 1) {
        context.addIssue(issue('out_of_range', [], ALONG_BOUND, sent));
        return z.NEVER;
      }
      const betas = new Map<string, number>();
      for (const [key, beta] of entries) {
        const symbol = key === ALL_OTHERS ? key : resolve(key.toUpperCase());
        if (key !== ALL_OTHERS && !SYMBOL.test(key))
          context.addIssue(issue('malformed', [key], `named by ${SYMBOL_BOUND}, or ${ALL_OTHERS}`, key));
        else if (symbol === 'USD')
          context.addIssue(issue('not_allowed', [key], 'absent: USD is what prices are counted in', beta));
        else if (betas.has(symbol))
          context.addIssue(issue('repeated', [key], `named once; ${symbol} is there already`, key));
        if (typeof beta === 'number' && beta >= LEAST_BETA && beta <= MOST_BETA) betas.set(symbol, beta);
        else context.addIssue(issue('out_of_range', [key], `an exponent ${BETA_BOUND}`, beta));
      }
      return context.issues.length > 0 ? z.NEVER : alphabetical(betas);
    });

const hours = wholeNumber(1, 8760);

export function reverse(resolve: ResolveSymbol) {
  const sent = members({
    figure: meaning(choice(NAMES), 'Figure of the scenario that is to reach the bound.'),
    bound: meaning(
      number('above 0').gt(0),
      'In the unit of the figure: USD, a share of the scenarios, debt over collateral for Ltv, per cent of the tranche.',
      'unit of the figure',
    ),
    quantile: meaning(quantile, 'Level of LossVar and LossCVar, one of quantile of params.').optional(),
    tranche: meaning(
      identifier,
      'Tranche of params whose figure it is: ExpectedLossPct or PrLoss.',
    ).optional(),
    along: meaning(
      along(resolve),
      `How prices move: each is multiplied by (1 - s) to this power, -1 is a rise. ${ALL_OTHERS} is every asset that is not named, but USD, USDC, USDT and DAI; default {"${ALL_OTHERS}": 1}. "${LIKELY}": the most likely loss of a value under the normal law of the model.`,
    ).optional(),
    likely_hours: meaning(
      hours,
      `Hours of the move with along "${LIKELY}". Default: 24.`,
      'hours',
    ).optional(),
    largest: meaning(
      number(`above 0 and at most ${LARGEST_FALL}, or at most ${LARGEST_DEVIATIONS} with along "${LIKELY}"`)
        .gt(0)
        .max(LARGEST_DEVIATIONS),
      `Largest move that is looked at: s, default 0.95; with along "${LIKELY}" standard deviations, default 12.`,
      'fraction, or standard deviations',
    ).optional(),
  });
  type Sent = z.output<typeof sent>;
  const needOf = ({ figure }: Sent): ReverseFigure['needs'] => REVERSE_FIGURES[figure].needs;
  return meaning(
    withRules(
      sent,
      rule<Sent>(
        ['figure', 'quantile'],
        'quantile',
        each => (each.quantile !== undefined) === (needOf(each) === 'level'),
        each => (needOf(each) === 'level' ? `sent for ${each.figure}` : `absent for ${each.figure}`),
        each => each.quantile ?? 'none',
      ),
      rule<Sent>(
        ['figure', 'tranche'],
        'tranche',
        each =>
          needOf(each) === 'paths or tranche' ||
          (each.tranche !== undefined) === (needOf(each) === 'tranche'),
        each => (needOf(each) === 'tranche' ? `sent for ${each.figure}` : `absent for ${each.figure}`),
        each => each.tranche ?? 'none',
      ),
      rule<Sent>(
        ['along', 'likely_hours'],
        'likely_hours',
        each => each.likely_hours === undefined || each.along === LIKELY,
        () => `absent without along "${LIKELY}"`,
        each => each.likely_hours ?? 'none',
      ),
      rule<Sent>(
        ['along', 'largest'],
        'largest',
        each => each.along === LIKELY || each.largest === undefined || each.largest <= LARGEST_FALL,
        () => `at most ${LARGEST_FALL}, a fall`,
        each => each.largest ?? 'none',
      ),
    ),
    'In place of price_shock: the smallest move of prices at which a figure of the scenario reaches a bound. The other members of the scenario are those after this move.',
  ).optional();
}
export type Reverse = NonNullable<z.output<ReturnType<typeof reverse>>>;

/** A reverse with its defaults. */
export const completedReverse = (sent: Reverse) => {
  const isLikely = sent.along === LIKELY;
  return {
    ...sent,
    along: sent.along ?? ({ [ALL_OTHERS]: 1 } as Betas),
    ...(isLikely && { likely_hours: sent.likely_hours ?? 24 }),
    largest: sent.largest ?? (isLikely ? 12 : 0.95),
  };
};
export type CompletedReverse = ReturnType<typeof completedReverse>;
