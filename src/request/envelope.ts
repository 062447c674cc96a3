/**
 * The envelope `{type, params}` of the loan operations and /var, and the members that `type` decides about.
 *
 * Takes: schemas of `params`, one per type. Gives: one schema whose output narrows by `type`.
 * Must not know: any operation.
 */
import { z } from 'zod';
import { mcIter, members, noVolatilityShock } from './fields.ts';
import { requirement, show } from './message.ts';

/** `{type, params}` for one type. */
export const variant = <const T extends string, P extends z.ZodType>(type: T, params: P) =>
  members({ type: z.literal(type), params });

/** Methodologies with heavy tails; every operation takes them, with the members of GBM. */
export const HEAVY_TAILED_TYPES = ['STUDENT_T', 'FHS', 'BOOTSTRAP'] as const;
export type HeavyTailedType = (typeof HEAVY_TAILED_TYPES)[number];

/** Whether a methodology is one of them. */
export const isHeavyTailed = (type: string): type is HeavyTailedType =>
  HEAVY_TAILED_TYPES.some(known => known === type);

/** The error map of a discriminated union: the choosing member is reported with its choices. */
export const choiceBetween =
  (member: string, choices: readonly string[]) =>
  (issue: z.core.$ZodRawIssue): string => {
    if (issue.code !== 'invalid_union') return requirement('an object')(issue);
    const sent = (issue.input as Record<string, unknown>)[member];
    const bound = `must be one of ${choices.join(', ')}`;
    return sent === undefined ? `${member} is missing; it ${bound}` : `${member} ${bound}; got ${show(sent)}`;
  };

/** Clients share one body between types: what a type does not use is checked, accepted and dropped. */
export const unusedShock = { volatility_shock: noVolatilityShock.optional() };
export const unusedMonteCarlo = { mc_iter: mcIter().optional(), ...unusedShock };

/** `params` without the members of `unusedShock`. */
export const withoutShock = <T extends { volatility_shock?: unknown }>({ volatility_shock, ...used }: T) =>
  used;

/** `params` without the members of `unusedMonteCarlo`. */
export const withoutMonteCarlo = <T extends { mc_iter?: unknown; volatility_shock?: unknown }>({
  mc_iter,
  volatility_shock,
  ...used
}: T) => used;
