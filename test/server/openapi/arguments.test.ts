/** `Arguments` in openapi.json: members as declared in the request, except those in another form. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { argumentsSchema } from '#src/server/openapi/arguments.js';
import { jsonSchemaOf } from '#src/server/openapi/json-schema.js';

const size = z.number().min(1).meta({ description: 'Size.', 'x-unit': 'USD' });

describe('The schema of Arguments', () => {
  it('requires what follows where it is left out, and else what every methodology requires', () => {
    const body = z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('A'),
        params: z.strictObject({ size: size.optional(), paths: size }),
      }),
      z.strictObject({ type: z.literal('B'), params: z.strictObject({ size: size.optional() }) }),
    ]);
    expect(argumentsSchema({ always: ['size'] }, jsonSchemaOf(body))).toMatchObject({ required: ['size'] });
    expect(argumentsSchema({}, jsonSchemaOf(body))).toMatchObject({ required: [] });
  });

  it('has a declared member of the request, in its order and without its default', () => {
    const params = z.strictObject({ day: z.number(), size: size.default(1), note: z.string().optional() });
    const body = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('GBM'), params })]);
    const members = { added: z.number().optional(), day: z.string() };
    const made = argumentsSchema({ members }, jsonSchemaOf(body));
    expect(Object.entries(made.properties as object)).toEqual([
      ['day', { type: 'string' }],
      ['size', { type: 'number', minimum: 1, description: 'Size.', 'x-unit': 'USD' }],
      ['note', { type: 'string' }],
      ['added', { type: 'number' }],
    ]);
    expect(made).toMatchObject({ required: ['day', 'size'], additionalProperties: false });
  });

  it('has the members of objects in lists, and of a body without params', () => {
    const body = z.strictObject({ loans: z.array(z.strictObject({ size, id: z.number() })) });
    const entries = { loans: { members: { id: z.string() } } };
    const made = argumentsSchema({ entries }, jsonSchemaOf(body));
    expect(made).toMatchObject({
      required: ['loans'],
      properties: { loans: { items: { required: ['size', 'id'], properties: { id: { type: 'string' } } } } },
    });
  });
});
