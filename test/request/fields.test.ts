/** The bounds of numbers in requests: in refusals, in openapi.json, and of accepted values. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as fields from '#src/request/fields.js';

interface Bounds {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

const NUMBERS = Object.entries(fields).flatMap(([name, schema]) => {
  if (!(schema instanceof z.ZodType)) return [];
  const bounds = z.toJSONSchema(schema) as Bounds;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  const lower = minimum ?? exclusiveMinimum;
  const upper = maximum ?? exclusiveMaximum;
  const isNumber = bounds.type === 'number' || bounds.type === 'integer';
  return isNumber && lower !== undefined && upper !== undefined
    ? [{ name, schema, lower, upper, minimum, maximum }]
    : [];
});

/** The bounds in the refusal of a field: `above -1 and at most 100`. */
function wordsOf(schema: z.ZodType): string {
  const { error } = schema.safeParse('no number');
  return error?.issues[0].message ?? '';
}

describe('The numbers of requests', () => {
  it('are found', () => {
    expect(NUMBERS.length).toBeGreaterThan(15);
  });

  it.each(NUMBERS)('$name accepts its bounds, and no value beyond them', field => {
    const { schema, lower, upper, minimum, maximum } = field;
    const accepts = (value: number) => schema.safeParse(value).success;
    expect(accepts(lower), `${lower}`).toBe(minimum !== undefined);
    expect(accepts(upper), `${upper}`).toBe(maximum !== undefined);
    const size = Math.max(1, Math.abs(upper));
    expect(accepts(upper + size), `${upper + size}`).toBe(false);
    expect(accepts(lower - size), `${lower - size}`).toBe(false);
  });

  it.each(NUMBERS)('$name names its bounds when it refuses a value', field => {
    const words = wordsOf(field.schema);
    const [, least, lower] = /(above|from) (-?[\d.]+(?:e-?\d+)?)/.exec(words) ?? [];
    const [, most, upper] = /(at most|to|and below) (-?[\d.]+(?:e-?\d+)?)/.exec(words) ?? [];
    if (/in size/.test(words))
      expect([-field.lower, field.upper], words).toEqual([Number(upper), Number(upper)]);
    else {
      expect([least, Number(lower)], words).toEqual([
        field.minimum === undefined ? 'above' : 'from',
        field.lower,
      ]);
      expect([most === 'and below', Number(upper)], words).toEqual([
        field.maximum === undefined,
        field.upper,
      ]);
    }
  });
});
