/**
 * Schemas of the members of answers with their descriptions, and of numbers with units and ranges.
 *
 * openapi.json has them, and tests check every answer against them; the service does not validate its answers. Must not know: operations.
 */
import { z } from 'zod';
import {
  type DescribedFigure,
  type DescribedFigures,
  type FigureRange,
  POSITIVE,
} from '../../../core/figures/figure.ts';
import { DATE_PATTERN, meaning } from '../../../question/request/fields.ts';

/** A day, MM-DD-YYYY. */
export const calendarDay = (description: string) =>
  z
    .string()
    .regex(new RegExp(DATE_PATTERN))
    .meta({ description, examples: ['06-30-2024'] });

/** A list. @param each an entry */
export const list = <S extends z.ZodType>(description: string, each: S) =>
  meaning(z.array(each), description);
/** An object that has no other members. */
export const object = <S extends z.ZodRawShape>(description: string, members: S) =>
  meaning(z.strictObject(members), description);
/** An object with any keys. @param each the value of a key */
export const keyed = <S extends z.ZodType>(description: string, each: S) =>
  meaning(z.record(z.string(), each), description);
/** A text, with examples. */
export const text = (description: string, examples?: readonly string[]) =>
  meaning(z.string(), description, undefined, examples && { examples });
/** One of several texts. */
export const oneOf = <const T extends readonly string[]>(description: string, values: T) =>
  meaning(z.enum(values), description);

/** A share of the scenarios, 0 to 1. */
export const probability = (description: string) =>
  meaning(z.number().min(0).max(1), description, 'fraction');
/** A number of 0 or more. */
export const nonNegative = (description: string, unit: string) =>
  meaning(z.number().min(0), description, unit);
/** A number above 0. */
export const positive = (description: string, unit: string) => meaning(z.number().gt(0), description, unit);
/** Any finite number. */
export const real = (description: string, unit: string) => meaning(z.number(), description, unit);
/** A whole number of 0 or more. */
export const count = (description: string, unit: string) => meaning(z.int().min(0), description, unit);

const [ABOVE_ZERO] = POSITIVE;

function numberIn([least, most]: FigureRange): z.ZodNumber {
  let number = z.number();
  if (least === ABOVE_ZERO) number = number.gt(0);
  else if (least > Number.NEGATIVE_INFINITY) number = number.min(least);
  return most < Number.POSITIVE_INFINITY ? number.max(most) : number;
}

/** The schema of a figure. */
export const figure = ({ range, words, unit }: DescribedFigure) => meaning(numberIn(range), words, unit);

/** The schemas of figures, under their names. */
export const figureMembers = (
  rows: DescribedFigures,
): Record<string, z.ZodNumber | z.ZodOptional<z.ZodNumber>> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, row.optional ? figure(row).optional() : figure(row)]),
  );
