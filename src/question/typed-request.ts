/**
 * Requests that name a methodology: one shape for each methodology of the question, derived from the declarations.
 *
 * Clients share one body between methodologies: a member that the chosen one does not use is checked and dropped, and a warning of the
 * answer names it (`requestOf`). Must not know: any question.
 */
import { z } from 'zod';
import { type MethodologyName, methodologiesOf } from '../models/methodology/methodologies.ts';
import type { Methodology, QuestionName } from '../models/methodology/methodology.ts';
import { requirement, show } from '../text/message.ts';
import { mcIter, members, modelLookback, noVolatilityShock, volatilityShock } from './request/fields.ts';
import { type Rule, withRules } from './request/rules.ts';

/** Members that only some methodologies use. */
export interface DrawnMembers {
  readonly mc_iter?: number;
  /** Fraction above -1. */
  readonly volatility_shock?: number;
}

export interface TypedRequest<Terms> {
  readonly type: MethodologyName;
  readonly params: Terms & DrawnMembers;
}

interface Members<Shape extends z.ZodRawShape> {
  /** The members of the question; `model_lookback` among them. */
  readonly terms: Shape;
  /** Bound of its `model_lookback` where it is not that of most questions, days. */
  readonly mostLookbackDays?: number;
  readonly rules?: readonly Rule<z.output<z.ZodObject<Shape>>>[];
  /** Schema of `mc_iter` where paths are drawn. */
  readonly paths?: z.ZodType<number>;
  /** Members after those of the methodology. */
  readonly after?: z.ZodRawShape;
}

/** The schema of `{type, params}` for every methodology of a question. */
export function typedRequest<Shape extends z.ZodRawShape>(
  question: QuestionName,
  asked: Members<Shape>,
): z.ZodType<TypedRequest<z.output<z.ZodObject<Shape>>>> {
  const taken = methodologiesOf(question);
  const variants = taken.map(methodology =>
    members({ type: z.literal(methodology.name), params: termsUnder(methodology, asked) }),
  );
  return choiceBetween(
    'type',
    variants,
    taken.map(({ name }) => name),
  ) as never;
}

/** The members of a question under one methodology, without the unused ones. */
export function termsUnder<Shape extends z.ZodRawShape>(
  { draws, takesShock, leastLookbackDays }: Methodology,
  { terms, mostLookbackDays, rules = [], paths = mcIter(), after = {} }: Members<Shape>,
): z.ZodType {
  const schema = members({
    ...terms,
    ...(leastLookbackDays === undefined
      ? {}
      : { model_lookback: modelLookback(leastLookbackDays, mostLookbackDays) }),
    mc_iter: draws ? paths : optional(paths),
    volatility_shock: takesShock ? volatilityShock : noVolatilityShock.optional(),
    ...after,
  });
  const strict = withRules(schema as z.ZodType, ...(rules as readonly Rule<unknown>[]));
  const unused = [...(draws ? [] : ['mc_iter']), ...(takesShock ? [] : ['volatility_shock'])];
  if (unused.length === 0) return strict;
  return strict.transform(used =>
    Object.fromEntries(Object.entries(used as object).filter(([name]) => !unused.includes(name))),
  );
}

/** An optional member without its default. */
const optional = (schema: z.ZodType) => z.optional(schema instanceof z.ZodDefault ? schema.unwrap() : schema);

/** A union by `member`; its fault names the choices. */
export function choiceBetween(member: string, variants: readonly z.ZodType[], choices: readonly string[]) {
  const bound = `must be one of ${choices.join(', ')}`;
  return z.discriminatedUnion(member, variants as never, {
    error: raw => {
      if (raw.code !== 'invalid_union') return requirement('an object')(raw);
      const sent = (raw.input as Record<string, unknown>)[member];
      return sent === undefined
        ? `${member} is missing; it ${bound}`
        : `${member} ${bound}; got ${show(sent)}`;
    },
  });
}
