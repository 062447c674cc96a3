/** The bounds of numbers in requests: in refusals, in openapi.json, and of accepted values. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as fields from '#src/question/request/fields.js';
import * as loanFields from '#src/question/request/loan-fields.js';
import { formatCalendarDate } from '#src/text/calendar-date.js';

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

interface Shown extends Bounds {
  readonly default?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly items?: Shown | false;
  readonly anyOf?: readonly Shown[];
}

/** Every range below a schema: `whole [1, 10] = 1` is from 1 to 10, 1 by default; `(0, 1)` leaves its ends out. */
function rangesOf(path: string, shown: Shown): (readonly [string, string])[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = shown;
  const range = (open: string, lower: number | undefined, upper: number | undefined, close: string) =>
    lower === undefined && upper === undefined
      ? []
      : [
          `${open}${lower ?? '-'}, ${upper ?? '-'}${close}${shown.default === undefined ? '' : ` = ${shown.default}`}`,
        ];
  const numbers = range(
    exclusiveMinimum === undefined ? '[' : '(',
    minimum ?? exclusiveMinimum,
    maximum ?? exclusiveMaximum,
    exclusiveMaximum === undefined ? ']' : ')',
  ).map(text => (shown.type === 'integer' ? `whole ${text}` : text));
  const lengths = range('{', shown.minLength ?? shown.minItems, shown.maxLength ?? shown.maxItems, '}');
  const own = [...numbers, ...lengths].map(text => [path, text] as const);
  const inside = Object.entries(shown.properties ?? {}).flatMap(([name, each]) =>
    rangesOf(`${path}.${name}`, each),
  );
  const items = shown.items ? rangesOf(`${path}[]`, shown.items) : [];
  return [...own, ...inside, ...items, ...(shown.anyOf ?? []).flatMap(each => rangesOf(path, each))];
}

it('The ranges of members are those of the documented interface', () => {
  const members = {
    ...fields,
    modelLookback: fields.modelLookback(),
    mcIter: fields.mcIter(),
    markets: fields.markets(symbol => symbol),
    ...loanFields.rowMembers,
  };
  const ranges = Object.entries(members).flatMap(([name, member]) =>
    member instanceof z.ZodType
      ? rangesOf(name, z.toJSONSchema(member, { io: 'input', unrepresentable: 'any' }) as Shown)
      : [],
  );
  expect(Object.fromEntries(ranges)).toMatchObject({
    modelLookback: 'whole [2, 3650]',
    volumeLookback: 'whole [1, 3650]',
    mcIter: 'whole [1, 10000000]',
    volatilityChange: '(-1, 100]',
    volatilityShock: '(-1, 100] = 0',
    durationDays: '(0, 3650]',
    topUpHours: '[0, 8760]',
    valueUsd: '(0, 1000000000000000]',
    bookedValueUsd: '[0.000001, 1000000000000000]',
    ratio: '(0, 100]',
    participationRatio: '(0, 1]',
    positiveAmount: '(0, 1000000000000000]',
    signedAmount: '[-1000000000000000, 1000000000000000]',
    positionSize: '[-1000000000000000, 1000000000000000]',
    entryPrice: '[1e-12, 1000000000000000]',
    fundingRate: '[-0.999999, 0.999999]',
    fundingRateOrHistorical: '[-0.999999, 0.999999]',
    marginRate: '(0, 1)',
    takerFeeRate: '[0, 1)',
    fundingIntervalHours: '[0.000001, 87600]',
    tradeDurationHours: 'whole [3, 87600]',
    errorTolerance: '[0, -]',
    identifier: '{1, 64}',
    horizonsDays: '{1, 64}',
    'horizonsDays[]': '(0, 3650]',
    quantiles: '{1, 64}',
    'quantiles[]': '(0, 1)',
    bookQuantiles: '{1, 8}',
    'bookQuantiles[]': '(0, 1)',
    backtestQuantiles: '{1, 8}',
    'backtestQuantiles[]': '[0.000001, 0.999999]',
    backtestHorizonDays: 'whole [1, 10] = 1',
    saleDelayHours: 'whole [0, 720] = 24',
    saleCost: '[0, 0.5] = 0.01',
    rowSaleCost: '[0, 0.5]',
    markets: '{1, 64}',
    'markets[]': '{3, 3}',
    called_hours_ago: '[0, 87600]',
    interest_rate: '[-0.5, 10]',
    maturity_days: '(0, 3650]',
    'top_up.share': '[0, 1]',
    'top_up.delay_hours': 'whole [1, 8760]',
    'top_up.to': '(0, 100]',
    'top_up.to_ltv': '(0, 1.5)',
    borrower: '{1, 64}',
    sale_cost: '[0, 0.5]',
    'partial_sale.to': '(0, 100]',
    'partial_sale.to_ltv': '(0, 1.5)',
    'partial_sale.max_share': '(0, 1] = 1',
  });
  expect([fields.MAX_MC_ITER, fields.MAX_BOOK_PATHS, fields.MAX_PERPETUAL_PATHS]).toEqual([
    10_000_000, 1_000_000, 100_000,
  ]);
});

describe('A list', () => {
  const refusalsOf = (sent: unknown) =>
    fields.bookQuantiles
      .safeParse(sent)
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const levels = (count: number) => Array.from({ length: count }, (_, k) => (k + 1) / 100);

  it('of the largest length is read, and a longer one is refused as a whole, once', () => {
    expect(refusalsOf(levels(8))).toBeUndefined();
    expect(refusalsOf([])).toHaveLength(1);
    // Its elements are not read: each could add a message.
    for (const element of ['x', 0.5]) expect(refusalsOf(Array(9).fill(element))).toHaveLength(1);
    expect(refusalsOf(levels(9))?.every(each => each.startsWith(': '))).toBe(true);
  });

  it('has an element once; elements with faults of their own are not compared', () => {
    expect(refusalsOf([0.5, 0.9, 0.5, 0.9])?.map(each => each.split(':')[0])).toEqual(['2', '3']);
    expect(refusalsOf(['x', 'x'])).toHaveLength(2);
  });
});

describe('A day of the calendar', () => {
  const TODAY = 20_600;
  const refusalOf = (text: unknown) =>
    fields
      .analysisDate(TODAY)
      .safeParse(text)
      .error?.issues.map(each => (each as { params?: unknown }).params);

  it('is at most today, which it is where it is absent', () => {
    const today = formatCalendarDate(TODAY);
    expect(fields.analysisDate(TODAY).parse(today)).toBe(TODAY);
    expect(fields.analysisDate(TODAY).parse(undefined)).toBe(TODAY);
    const tomorrow = formatCalendarDate(TODAY + 1);
    expect(refusalOf(tomorrow)).toMatchObject([
      { bound: `at most today, ${today} in UTC`, shown: JSON.stringify(tomorrow) },
    ]);
    expect(refusalOf('02-30-2026')).toMatchObject([
      { bound: 'a day of the calendar, written MM-DD-YYYY', shown: '"02-30-2026"' },
    ]);
  });
});
