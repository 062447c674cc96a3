/**
 * Ratios of a loan as lenders write them: loan over collateral (LTV) in place of collateral over loan (CCR). LTV = 1 / CCR.
 *
 * Gives: fields, the ratios of a loan as sent or from LTVs, and the rules between them, whose messages name the sent member.
 * Must not know: the operations.
 */
import { z } from 'zod';
import { isObject, requirement } from '../../text/message.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import type { Faults } from './faults.ts';
import { formOf, meaning, ratio, TOP_UP_BOUND, topUpHours } from './fields.ts';
import { type Rule, rule } from './rules.ts';
import { fractionsByAsset, type WeightMap } from './weight-map.ts';

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

/** @param others the bound of values that are no numbers */
const ltv = (others = '') =>
  z
    .number({
      error: raw => {
        const percent = typeof raw.input === 'number' && raw.input >= LTV_END && raw.input <= 100;
        const hint = percent ? `, as a fraction: ${raw.input} per cent is ${Number(raw.input) / 100}` : '';
        return requirement(`${LTV_BOUND}${hint}${others}`)(raw);
      },
    })
    .gte(MIN_LTV)
    .lt(LTV_END);

/** An LTV in place of a ratio. */
const ltvField = (name: RatioName, others?: string) =>
  meaning(
    ltv(others),
    `${name} as loan over collateral (LTV), in its place: ${name} is 1 / LTV.`,
    'loan value / collateral value',
  ).optional();

/** One liquidation LTV, or one of each asset of the collateral. */
const liquidationLtv = (resolve: ResolveSymbol) => {
  const one = ltv(', or an object of symbols and such numbers');
  const byAsset = fractionsByAsset(resolve, LTV_BOUND, each => each >= MIN_LTV && each < LTV_END, [
    { BTC: 0.78, ETH: 0.83 },
  ]);
  const schema = z.unknown().transform((sent, context): number | WeightMap => {
    const form: z.ZodType<number | WeightMap> = isObject(sent) ? byAsset : one;
    const read = form._zod.run({ value: sent, issues: [] }, { async: false });
    if (read instanceof Promise) throw new Error('The schema of a body reads it at once.');
    for (const each of read.issues) context.issues.push(each);
    return read.issues.length > 0 ? z.NEVER : (read.value as number | WeightMap);
  });
  return meaning(
    schema,
    'L as loan over collateral (LTV), in its place: L is 1 / LTV. Or an object with one of each asset of the collateral: the loan is liquidated where its debt is above the sum of value x LTV; without M there is then no margin call.',
    'loan value / collateral value',
    { anyOf: [one, byAsset].map(formOf) },
  ).optional();
};

/** A ratio that its LTV may replace. */
const orLtv = (description: string) => meaning(ratio, description).optional();

export const nominalRatio = {
  N: orLtv('Nominal ratio: collateral over loan at the start, at least M. Or initial_ltv.'),
  initial_ltv: ltvField('N'),
};
const L = orLtv('Liquidation ratio: the loan is liquidated below it. Or liquidation_ltv.');
export const liquidationRatio = (resolve: ResolveSymbol) => ({ L, liquidation_ltv: liquidationLtv(resolve) });
/** The same of a search, whose candidates have one threshold. */
export const oneLiquidationRatio = {
  L,
  liquidation_ltv: ltvField('L', ', one for all collateral: a search takes no thresholds by asset'),
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

/** The grace period of a loan that may have no call. */
export const gracePeriod = {
  mc_top_up: meaning(
    topUpHours,
    'Grace period from a margin call to its deadline. Not needed where M equals L.',
    'hours',
  ).optional(),
};

type Sent = Partial<Record<RatioName | Exclude<LtvName, 'liquidation_ltv'>, number | undefined>> & {
  readonly liquidation_ltv?: LiquidationLtv | undefined;
  readonly collateral_weights?: WeightMap | undefined;
};
export type LiquidationLtv = number | WeightMap;
export type Ratios<Name extends RatioName = RatioName> = Readonly<Record<Name, number>>;

const isSent = (sent: Sent, name: RatioName) =>
  typeof sent[name] === 'number' || sent[LTV_OF[name]] !== undefined;

/** The liquidation LTVs of assets, where they differ; undefined for one threshold. @param collateral the assets of the loan */
export function thresholdsOf(
  liquidationLtv: LiquidationLtv | undefined,
  collateral: WeightMap,
): WeightMap | undefined {
  if (typeof liquidationLtv !== 'object') return undefined;
  const held = Object.keys(collateral).map(symbol => [symbol, liquidationLtv[symbol]] as const);
  return held.some(([, each]) => each !== held[0][1]) ? Object.fromEntries(held) : undefined;
}

/** L at the weights of a collateral: the inverse of the mean of the LTVs by value. */
export function ratioByAsset(byAsset: WeightMap, collateral: WeightMap): number {
  let [value, secured] = [0, 0];
  for (const [symbol, weight] of Object.entries(collateral)) {
    value += weight;
    secured += weight * byAsset[symbol];
  }
  return value / secured;
}

/** The lowest and the highest that L can be at any prices. */
export function rangeByAsset(byAsset: WeightMap): { readonly least: number; readonly most: number } {
  const ltvs = Object.values(byAsset);
  return { least: 1 / Math.max(...ltvs), most: 1 / Math.min(...ltvs) };
}

/** L from the LTVs of the assets of the collateral, each of which has one. */
function ratioOfAssets(byAsset: WeightMap, collateral: WeightMap, faults: Faults): number {
  const missing = Object.keys(collateral).filter(symbol => !Object.hasOwn(byAsset, symbol));
  for (const symbol of missing)
    faults.refuse(
      'missing',
      ['liquidation_ltv', symbol],
      `${LTV_BOUND}: the collateral has ${symbol}`,
      undefined,
    );
  if (missing.length > 0 || Object.keys(collateral).length === 0) {
    faults.spoil(['L']);
    return Number.NaN;
  }
  const differing = thresholdsOf(byAsset, collateral);
  return differing === undefined
    ? 1 / byAsset[Object.keys(collateral)[0]]
    : ratioByAsset(differing, collateral);
}

/** The ratio of a member or of its LTV; NaN where it has a fault, which skips every rule that reads it. */
export function resolvedRatio(
  sent: Sent,
  name: RatioName,
  faults: Faults,
  collateral: WeightMap = {},
): number {
  const ltvName = LTV_OF[name];
  const { [name]: ratio, [ltvName]: ltv } = sent;
  if (ltv !== undefined && ratio !== undefined && !faults.touch(name, ltvName))
    faults.refuse('not_allowed', [ltvName], `absent where ${name} is sent`, ltv);
  if (faults.touch(name, ltvName)) {
    faults.spoil([name]);
    return Number.NaN;
  }
  if (typeof ltv === 'object') return ratioOfAssets(ltv, collateral, faults);
  if (ltv !== undefined) return 1 / ltv;
  if (ratio !== undefined) return ratio;
  faults.refuse('missing', [name], `above 0 and at most 100, or ${ltvName} in its place`, undefined);
  return Number.NaN;
}

/** What the ratios of a loan follow from, beside those that are sent. */
interface Basis {
  /** N where it follows from amounts. */
  readonly N?: number;
  readonly collateral_weights: WeightMap;
}

/** N, M, L and R. R may be absent where no loan is called: M = L, or thresholds by asset without M, which is then the least that L can be. */
export function resolvedRatios(
  sent: Sent,
  faults: Faults,
  { N: nominal, collateral_weights }: Basis,
): Ratios {
  const N = nominal ?? resolvedRatio(sent, 'N', faults);
  const L = resolvedRatio(sent, 'L', faults, collateral_weights);
  const M = resolvedCall(sent, faults, collateral_weights, L);
  const hasNoCall = M <= L && !isSent(sent, 'R') && !faults.touch('R', LTV_OF.R);
  return { N, M, L, R: hasNoCall ? Math.max(N, M) : resolvedRatio(sent, 'R', faults) };
}

/** M, or where only thresholds by asset are sent, the least that L can be: no loan is called before it is liquidated. */
function resolvedCall(sent: Sent, faults: Faults, collateral: WeightMap, L: number): number {
  const isWithoutCall = typeof sent.liquidation_ltv === 'object' && !isSent(sent, 'M');
  if (!isWithoutCall || faults.touch('M', LTV_OF.M)) return resolvedRatio(sent, 'M', faults);
  if (Number.isNaN(L)) faults.spoil(['M']);
  const differing = thresholdsOf(sent.liquidation_ltv, collateral);
  return Number.isNaN(L) || differing === undefined ? L : rangeByAsset(differing).least;
}

/** Hours from a margin call to its deadline. */
export interface Grace {
  readonly mc_top_up: number;
}

/** The grace period, which may be absent where no loan is called before it is liquidated. */
export function resolvedGrace(
  { mc_top_up }: { readonly mc_top_up?: number | undefined },
  { M, L }: Ratios<'M' | 'L'>,
  faults: Faults,
): Grace {
  if (mc_top_up !== undefined) return { mc_top_up };
  if (M <= L && !faults.touch('mc_top_up')) return { mc_top_up: 0 };
  if (!faults.touch('mc_top_up')) faults.refuse('missing', ['mc_top_up'], TOP_UP_BOUND, undefined);
  faults.spoil(['mc_top_up']);
  return { mc_top_up: Number.NaN };
}

/** The same for a row of a book, where R is the larger of N and M unless it is sent. */
export function resolvedRatiosOfRow(sent: Sent, faults: Faults, basis: Basis): Ratios {
  const { N: nominal, collateral_weights } = basis;
  // A member with a fault was sent, or follows from amounts that were.
  const isThere = (name: RatioName) => isSent(sent, name) || faults.touch(name);
  const follows =
    sent.R === undefined &&
    sent.recovery_ltv === undefined &&
    (nominal !== undefined || isThere('N')) &&
    isThere('M');
  if (!follows) return resolvedRatios(sent, faults, basis);
  const N = nominal ?? resolvedRatio(sent, 'N', faults);
  const M = resolvedRatio(sent, 'M', faults);
  const R = Math.max(N, M);
  if (Number.isNaN(R)) faults.spoil(['R']);
  return { N, M, L: resolvedRatio(sent, 'L', faults, collateral_weights), R };
}

/** The member that was sent for a ratio. */
const memberOf = (value: Sent, name: RatioName): RatioName | LtvName =>
  value[LTV_OF[name]] === undefined ? name : LTV_OF[name];
const sentValue = (value: Sent, name: RatioName): number => {
  const sent = value[memberOf(value, name)];
  return typeof sent === 'object' ? 1 / Number(value[name]) : Number(sent);
};
/** `M (1.25)`, or `margin_call_ltv (0.8)`. */
const shown = (value: Sent, name: RatioName) => {
  const mean = typeof value[memberOf(value, name)] === 'object' ? ', the mean by value' : '';
  return `${memberOf(value, name)} (${sentValue(value, name)}${mean})`;
};

/** Whether a loan with thresholds by asset is never called. */
const isNeverCalled = ({ M, liquidation_ltv, collateral_weights = {} }: Sent): boolean => {
  const differing = thresholdsOf(liquidation_ltv, collateral_weights);
  return differing !== undefined && M === rangeByAsset(differing).least;
};

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
export const marginCallAboveLiquidation = above('M', 'L', true, isNeverCalled);
/** L <= N where no call precedes a liquidation. */
export const nominalNotBelowLiquidation = above('N', 'L', true, value => !isNeverCalled(value));
/** M <= N. */
export const nominalNotBelowMarginCall = (passes: (value: Sent) => boolean) => above('N', 'M', true, passes);
/** L < R, unless no call is to be cured. R may lie below M. */
export const recoveryAboveLiquidation = above(
  'R',
  'L',
  false,
  value => value.M === value.L || isNeverCalled(value),
);
