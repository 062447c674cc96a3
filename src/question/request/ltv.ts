/**
 * Ratios of a loan as lenders write them: loan over collateral (LTV) in place of collateral over loan (CCR). LTV = 1 / CCR.
 *
 * Gives: fields, the ratios of a loan as sent or from LTVs, and the rules between them, whose messages name the sent member.
 * Must not know: the operations.
 */
import { z } from 'zod';
import { requirement } from '../../text/message.ts';
import type { Faults } from './faults.ts';
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

/** An LTV in place of a ratio. */
const ltvField = (name: RatioName) =>
  meaning(
    z
      .number({
        error: raw => {
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

/** A ratio that its LTV may replace. */
const orLtv = (description: string) => meaning(ratio, description).optional();

export const nominalRatio = {
  N: orLtv('Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv.'),
  initial_ltv: ltvField('N'),
};
export const liquidationRatio = {
  L: orLtv('Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv.'),
  liquidation_ltv: ltvField('L'),
};
export const callRatios = {
  M: orLtv(
    'Margin call ratio: the borrower is called below it; at least L. Equal to L: loans are liquidated without a call. Or margin_call_ltv.',
  ),
  margin_call_ltv: ltvField('M'),
  R: orLtv(
    'Recovery ratio: a call is over where collateral over loan comes back to it; above L. Not needed where M equals L. Or recovery_ltv.',
  ),
  recovery_ltv: ltvField('R'),
};

type Sent = Partial<Record<RatioName | LtvName, number | undefined>>;
export type Ratios<Name extends RatioName = RatioName> = Readonly<Record<Name, number>>;

const isSent = (sent: Sent, name: RatioName) =>
  typeof sent[name] === 'number' || sent[LTV_OF[name]] !== undefined;

/** The ratio of a member or of its LTV; NaN where it has a fault, which skips every rule that reads it. */
export function resolvedRatio(sent: Sent, name: RatioName, faults: Faults): number {
  const ltvName = LTV_OF[name];
  const { [name]: ratio, [ltvName]: ltv } = sent;
  if (ltv !== undefined && ratio !== undefined && !faults.touch(name, ltvName))
    faults.refuse('not_allowed', [ltvName], `absent where ${name} is sent`, ltv);
  if (faults.touch(name, ltvName)) {
    faults.spoil([name]);
    return Number.NaN;
  }
  if (ltv !== undefined) return 1 / ltv;
  if (ratio !== undefined) return ratio;
  faults.refuse('missing', [name], `above 0 and at most 100, or ${ltvName} in its place`, undefined);
  return Number.NaN;
}

/** N, M, L and R, which may be absent where M = L. @param nominal N where it follows from amounts */
export function resolvedRatios(sent: Sent, faults: Faults, nominal: number | undefined): Ratios {
  const N = nominal ?? resolvedRatio(sent, 'N', faults);
  const M = resolvedRatio(sent, 'M', faults);
  const L = resolvedRatio(sent, 'L', faults);
  const hasNoCall = M === L && !isSent(sent, 'R') && !faults.touch('R', LTV_OF.R);
  return { N, M, L, R: hasNoCall ? Math.max(N, M) : resolvedRatio(sent, 'R', faults) };
}

/** The same for a row of a book, where R is the larger of N and M unless it is sent. */
export function resolvedRatiosOfRow(sent: Sent, faults: Faults, nominal: number | undefined): Ratios {
  // A member with a fault was sent, or follows from amounts that were.
  const isThere = (name: RatioName) => isSent(sent, name) || faults.touch(name);
  const follows =
    sent.R === undefined &&
    sent.recovery_ltv === undefined &&
    (nominal !== undefined || isThere('N')) &&
    isThere('M');
  if (!follows) return resolvedRatios(sent, faults, nominal);
  const N = nominal ?? resolvedRatio(sent, 'N', faults);
  const M = resolvedRatio(sent, 'M', faults);
  const R = Math.max(N, M);
  if (Number.isNaN(R)) faults.spoil(['R']);
  return { N, M, L: resolvedRatio(sent, 'L', faults), R };
}

/** The member that was sent for a ratio. */
const memberOf = (value: Sent, name: RatioName): RatioName | LtvName =>
  value[LTV_OF[name]] === undefined ? name : LTV_OF[name];
const sentValue = (value: Sent, name: RatioName): number => value[memberOf(value, name)] as number;
/** `M (1.25)`, or `margin_call_ltv (0.8)`. */
const shown = (value: Sent, name: RatioName) => `${memberOf(value, name)} (${sentValue(value, name)})`;

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

/** L <= M. With M = L a loan is liquidated without a call: grace period and R have no effect. */
export const marginCallAboveLiquidation = above('M', 'L', true);
/** M <= N. */
export const nominalNotBelowMarginCall = (passes: (value: Sent) => boolean) => above('N', 'M', true, passes);
/** L < R, unless no call is to be cured. R may lie below M. */
export const recoveryAboveLiquidation = above('R', 'L', false, ({ M, L }) => M === L);
