/** The member `Accuracy` of an answer: the figures of its result by name and nesting, each with error and interval in place of its value. */
import { z } from 'zod';
import { METHODS } from '../../../core/figures/accuracy.ts';
import { meaning } from '../../../question/request/fields.ts';
import { answerSchemaOf, type JsonSchema, ref } from '../json-schema.ts';
import { count, nonNegative, object, oneOf, probability, real } from './figures.ts';

const OF_FIGURE = 'unit of the figure';
const bound = (which: string) =>
  meaning(real('', OF_FIGURE).nullable(), `${which} end of the interval; null without one.`, OF_FIGURE);

export const figureAccuracy = object('Sampling error of one figure.', {
  standard_error: meaning(
    nonNegative('', OF_FIGURE).nullable(),
    'Standard error; null where the run does not determine it.',
    OF_FIGURE,
  ),
  low: bound('Lower'),
  high: bound('Upper'),
  method: oneOf('Method of the interval, or why there is none.', METHODS),
  exact: meaning(
    real('', OF_FIGURE).nullable(),
    'The exact value, where its law is known; null where it is below ten times its own error.',
    OF_FIGURE,
  ).optional(),
  exact_error: nonNegative('Bound of the error of exact.', OF_FIGURE).optional(),
  mass_below: probability('Upper bound of the share of paths below a lowest value.').optional(),
  effective_scenarios: meaning(
    nonNegative('', 'paths').nullable(),
    'Paths of equal weight with the same error, of weighted paths; null without an interval.',
    'paths',
  ).optional(),
});

const head = z.strictObject({
  level: probability('Confidence level of the intervals.'),
  of: meaning(z.literal('sampling'), 'The intervals are of the sampling error, not of the model error.'),
  scenarios: count('Paths, or windows of history.', 'paths'),
  figures: z.unknown(),
});

/** @param result schema of the member `Output` or `Results` */
export function accuracySchema(result: JsonSchema): JsonSchema {
  const { properties, ...rest } = answerSchemaOf(head) as { properties: JsonSchema };
  const figures = {
    ...figuresOf(result),
    description: 'Figures by the names and the nesting of the result.',
  };
  return {
    description: 'Standard errors and intervals, nested as the result is.',
    ...rest,
    properties: { ...properties, figures },
  };
}

interface Described extends JsonSchema {
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly additionalProperties?: Described;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

/** Every number becomes its accuracy, a list of things with names a map; what has no number is left out. */
function figuresOf({ type, description, ...schema }: Described): JsonSchema | undefined {
  if (type === 'number' || type === 'integer') return ref('schemas', 'FigureAccuracy');
  // A figure or a part of the result that may be null.
  if (schema.anyOf !== undefined)
    return figuresOf({ ...schema.anyOf[0], ...(description !== undefined && { description }) });
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const found = figuresOf(member);
    return found === undefined ? [] : [[name, found] as const];
  });
  const each = schema.items?.properties === undefined ? schema.additionalProperties : schema.items;
  const additionalProperties = typeof each === 'object' ? figuresOf(each) : undefined;
  if (properties.length === 0 && additionalProperties === undefined) return undefined;
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(additionalProperties && { additionalProperties }),
  };
}
