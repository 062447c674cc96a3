/**
 * The numbers that answers are made of, with their units and ranges.
 *
 * Gives: zod schemas for openapi.json and for the tests that check every answer against it. The service itself does not run
 * answers through them. Must not know: which operation uses a number.
 */
import { z } from 'zod';
import {
  type DescribedFigure,
  type DescribedFigures,
  type FigureRange,
  POSITIVE,
} from '../core/figures/figure.ts';

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
/** A number of 0 or less. */
export const nonPositive = (description: string, unit: string) =>
  described(z.number().max(0), description, unit);
/** A number from -1 to 1. */
export const correlation = (description: string) => described(z.number().min(-1).max(1), description, 'none');
/** A whole number of 0 or more. */
export const count = (description: string, unit: string) => described(z.int().min(0), description, unit);

/** Above 0 in the range of a row. */
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
