/**
 * Ratios of a loan as lenders write them: loan over collateral (LTV) in place of collateral over loan (CCR). LTV = 1 / CCR.
 *
 * Gives: fields, the body with the ratios that follow from LTVs, and the rules between the ratios, whose messages name the sent member.
 * Must not know: the operations.
 */
import { z } from 'zod';
import { isObject, issue, requirement } from '../../text/message.ts';
import { meaning, ratio } from './fields.ts';
import { type Rule, rule } from './rules.ts';

/** Every ratio and the LTV that can replace it. */
export const LTV_OF = {
  N: 'initial_ltv',
  M: 'margin_call_ltv',
  L: 'liquidation_ltv',
  R: 'recovery_ltv',
} as const;
export type RatioName = keyof typeof LTV_OF;
export const ALL_RATIOS = Object.keys(LTV_OF) as readonly RatioName[];
type LtvName = (typeof LTV_OF)[RatioName];

/** LTVs are below this number; larger ones up to 100 look like per cent. */
const LTV_END = 1.5;
/** The ratio of it is 100. */
const MIN_LTV = 0.01;

const LTV_BOUND = `from ${MIN_LTV} and below ${LTV_END}`;

/** An LTV beside its ratio. */
class SentTwice {
  constructor(readonly value: unknown) {}
}

/** An LTV in place of a ratio. */
const ltvField = (name: RatioName) =>
  meaning(
    z
      .number({
        error: raw => {
          if (raw.input instanceof SentTwice)
            return requirement(`absent where ${name} is sent`)({ ...raw, input: raw.input.value });
          const percent = typeof raw.input === 'number' && raw.input >= LTV_END && raw.input <= 100;
          const hint = percent ? `, as a fraction: ${raw.input} per cent is ${Number(raw.input) / 100}` : '';
          return requirement(`${LTV_BOUND}${hint}`)(raw);
        },
      })
      .gte(MIN_LTV)
      .lt(LTV_END),
    `${name} as loan over collateral (LTV), in its place: ${name} is 1 / LTV.`,
    'loan value / collateral value',
  ).optional();

const isLtv = (value: unknown): value is number =>
  typeof value === 'number' && value >= MIN_LTV && value < LTV_END;

/** A ratio or, in its place, its LTV. After `withRatios` and the rule `ratiosAreSent` the ratio is present, as in its type. */
const orLtv = (description: string) =>
  meaning(ratio, description).optional() as unknown as z.ZodType<number, number>;

export const nominalRatio = {
  N: orLtv('Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv.'),
  initial_ltv: ltvField('N'),
};
export const liquidationRatio = {
  L: orLtv('Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv.'),
  liquidation_ltv: ltvField('L'),
};
export const callRatios = {
  M: orLtv('Margin call ratio: the borrower is called below it; above L. Or margin_call_ltv.'),
  margin_call_ltv: ltvField('M'),
  R: orLtv(
    'Recovery ratio: a call is over where collateral over loan comes back to it; above L. Or recovery_ltv.',
  ),
  recovery_ltv: ltvField('R'),
};

/** The members of a loan with the ratios that follow from its LTVs. */
export const withRatios =
  (names: readonly RatioName[] = ALL_RATIOS) =>
  (sent: unknown): unknown => {
    if (!isObject(sent)) return sent;
    const ratios: Record<string, unknown> = {};
    for (const name of names) {
      const ltvName = LTV_OF[name];
      const value = sent[ltvName];
      if (value === undefined) continue;
      if (sent[name] !== undefined) ratios[ltvName] = new SentTwice(value);
      // A faulty LTV has its own fault; no rule reads the ratio in its place.
      else ratios[name] = isLtv(value) ? 1 / value : 1;
    }
    return Object.keys(ratios).length === 0 ? sent : { ...sent, ...ratios };
  };

const completed = withRatios();

/** The same for a row of a book, where R is the larger of N and M unless it is sent. */
export function withRatiosOfRow(sent: unknown): unknown {
  const all = completed(sent);
  if (!isObject(all) || all.R !== undefined) return all;
  const { N, M } = all;
  return typeof N === 'number' && typeof M === 'number' ? { ...all, R: Math.max(N, M) } : all;
}

type Sent = Partial<Record<RatioName | LtvName, number | undefined>>;

/** The member that was sent for a ratio. */
const memberOf = (value: Sent, name: RatioName): RatioName | LtvName =>
  value[LTV_OF[name]] === undefined ? name : LTV_OF[name];
const sentValue = (value: Sent, name: RatioName): number => value[memberOf(value, name)] as number;
/** `M (1.25)`, or `margin_call_ltv (0.8)`. */
const shown = (value: Sent, name: RatioName) => `${memberOf(value, name)} (${sentValue(value, name)})`;

/** Each ratio is sent, as itself or as an LTV. This rule comes first: the next ones ignore absent ratios. */
export const ratiosAreSent = (names: readonly RatioName[]): Rule<Sent> => [
  (value, context) => {
    for (const name of names)
      if (value[name] === undefined)
        context.addIssue(
          issue([name], `above 0 and at most 100, or ${LTV_OF[name]} in its place`, undefined),
        );
  },
  { when: ({ value }) => isObject(value) },
];

const needsOf = (...names: RatioName[]) => names.flatMap(name => [name, LTV_OF[name]]);

/** Whether N, M and L rise and lie in the range of LTVs. */
const looksLikeLtvs = ({ N, M, L, ...others }: Sent): boolean =>
  N !== undefined &&
  M !== undefined &&
  L !== undefined &&
  N < M &&
  M < L &&
  L < LTV_END &&
  !Object.values(LTV_OF).some(name => others[name] !== undefined);

/** N, M and L are collateral over loan. */
export const ratiosAreNoLtvs: Rule<Sent> = rule<Sent>(
  needsOf('N', 'M', 'L'),
  'N',
  value => !looksLikeLtvs(value),
  ({ M, L }) =>
    `collateral over loan, as M (${M}) and L (${L}); these look like LTVs: send initial_ltv, margin_call_ltv and liquidation_ltv`,
  ({ N }) => Number(N),
);

/** `upper` is above `lower`, or equal with `mayBeEqual`; the fault is at `upper`. @param passes loans without this rule */
function above(
  upper: RatioName,
  lower: RatioName,
  mayBeEqual = false,
  passes: (value: Sent) => boolean = () => false,
): Rule<Sent> {
  return rule<Sent>(
    needsOf(upper, lower),
    value => memberOf(value, upper),
    value => {
      const [high, low] = [Number(value[upper]), Number(value[lower])];
      return high > low || (mayBeEqual && high === low) || looksLikeLtvs(value) || passes(value);
    },
    value => {
      // A higher ratio is a lower LTV.
      const byLtv = memberOf(value, upper) !== upper;
      const words = byLtv ? (mayBeEqual ? 'at most' : 'below') : mayBeEqual ? 'at least' : 'above';
      const sameForm = byLtv === (memberOf(value, lower) !== lower);
      const { N, M, L } = value as Record<RatioName, number>;
      const exchanged = upper === 'M' && lower === 'L' && M < L && L <= N;
      const called = upper === 'N' && lower === 'M' && L <= N;
      const hint = called ? '; a loan in call is sent with called_hours_ago' : '';
      return `${words} ${sameForm ? '' : '1 / '}${shown(value, lower)}${exchanged ? '; the two look exchanged' : hint}`;
    },
    value => sentValue(value, upper),
  );
}

/** L < M. */
export const marginCallAboveLiquidation = above('M', 'L');
/** M <= N. */
export const nominalNotBelowMarginCall = (passes: (value: Sent) => boolean) => above('N', 'M', true, passes);
/** L < R. R may lie below M. */
export const recoveryAboveLiquidation = above('R', 'L');
