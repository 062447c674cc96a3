/**
 * Schemas of the numbers of answers, with units and ranges.
 *
 * openapi.json has them, and tests check every answer against them; the service does not validate its answers. Must not know: operations.
 */
import { z } from 'zod';
import {
  type DescribedFigure,
  type DescribedFigures,
  type FigureRange,
  POSITIVE,
} from '../core/figures/figure.ts';
import { DATE_PATTERN } from '../request/fields.ts';

/** A day, MM-DD-YYYY. */
export const calendarDay = (description: string) =>
  z
    .string()
    .regex(new RegExp(DATE_PATTERN))
    .meta({ description, examples: ['06-30-2024'] });

const described = <S extends z.ZodType>(schema: S, description: string, unit: string): S =>
  schema.meta({ description, 'x-unit': unit }) as S;

/** A share of the scenarios, 0 to 1. */
export const probability = (description: string) =>
  described(z.number().min(0).max(1), description, 'fraction');
/** A number of 0 or more. */
export const nonNegative = (description: string, unit: string) =>
  described(z.number().min(0), description, unit);
/** A number above 0. */
export const positive = (description: string, unit: string) => described(z.number().gt(0), description, unit);
/** Any finite number. */
export const real = (description: string, unit: string) => described(z.number(), description, unit);
/** A whole number of 0 or more. */
export const count = (description: string, unit: string) => described(z.int().min(0), description, unit);

const [ABOVE_ZERO] = POSITIVE;

function numberIn([least, most]: FigureRange): z.ZodNumber {
  let number = z.number();
  if (least === ABOVE_ZERO) number = number.gt(0);
  else if (least > Number.NEGATIVE_INFINITY) number = number.min(least);
  return most < Number.POSITIVE_INFINITY ? number.max(most) : number;
}

/** The schema of a figure. */
export const figure = ({ range, words, unit }: DescribedFigure) => described(numberIn(range), words, unit);

/** The schemas of figures, under their names. */
export const figureMembers = (
  rows: DescribedFigures,
): Record<string, z.ZodNumber | z.ZodOptional<z.ZodNumber>> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, row.optional ? figure(row).optional() : figure(row)]),
  );
