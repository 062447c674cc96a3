/**
 * The numbers that answers are made of, with their units and ranges.
 *
 * Gives: zod schemas for openapi.json and for the tests that hold every answer against it. The service itself does not run
 * answers through them. Must not know: which operation uses a number.
 */
import { z } from 'zod';

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

/** Annual volatilities of both baskets; absent for HISTORICAL, which has no model. */
export const volatilityMembers = {
  'Collateral Volatility': nonNegative(
    'Volatility of the collateral basket; absent for HISTORICAL.',
    'fraction per year',
  ).optional(),
  'Loan Volatility': nonNegative(
    'Volatility of the loan basket; absent for HISTORICAL.',
    'fraction per year',
  ).optional(),
  'Collateral/Loan Correlation': correlation(
    'Correlation of the log returns of both baskets; absent for HISTORICAL.',
  ).optional(),
};
