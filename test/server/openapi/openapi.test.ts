/** openapi.json: what it holds, its bounds, and the page that shows it. The stranger of test/client/ asks all that it describes. */
import { readdirSync, readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUESTIONS } from '#src/question/questions.js';
import { OPERATION_PATHS } from '#src/question/request/paths.js';
import { EXAMPLES } from '#src/server/openapi/examples.js';
import {
  alternativesOf,
  constantOf,
  type JsonSchema,
  jsonSchemaOf,
} from '#src/server/openapi/json-schema.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { dayOf } from '#src/text/calendar-date.js';
import { NOW, serve } from '../../support/http-app.ts';
import { DOCUMENT, requestFaults } from '../../support/openapi.ts';
import { readRequest, withMember } from '../../support/request-bodies.ts';

const text = JSON.stringify(DOCUMENT);

/** Members that only hold others. */
const ENVELOPE = /\.(params|Arguments|Output|Results)$/;

let app: RunningServer;
beforeAll(async () => {
  app = await serve({ routes: QUESTIONS });
});
afterAll(() => app.drain(1000));

/**
 * Tests that ask a server of this project by `fetch`, but for the fleet's and the market's, whose servers are fakes, and the
 * stranger's, who checks by himself, and of the port for probes, which is not described.
 */
const ASKING = ['client', 'console', 'server'].flatMap(folder =>
  readdirSync(new URL(`../../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts') && !/^(stranger|health\/health-port)\.test\.ts$/.test(name))
    .map(name => [
      `${folder}/${name}`,
      readFileSync(new URL(`../../${folder}/${name}`, import.meta.url), 'utf8'),
    ]),
);

describe('The answers of the tests', () => {
  it.each(ASKING.filter(([, source]) => /\bfetch\(|\bpost\(/.test(source)))(
    'match openapi.json: %s',
    (_, source) => {
      expect(source).toMatch(/support\/http-app\.ts'|checkEveryAnswer\(\)|useSampleService\(/);
    },
  );
});

describe('/openapi.json', () => {
  it('is served without a key', async () => {
    const response = await fetch(`${app.url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual(JSON.parse(text));
  });

  it('passes the linter of Redocly with its strict rules', { tags: ['slow'] }, async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    ).toEqual([]);
  });

  it('has schemas that a strict validator compiles', () => {
    const { schemas } = (DOCUMENT as unknown as { components: { schemas: Record<string, JsonSchema> } })
      .components;
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: false,
      strictTuples: false,
      inlineRefs: false,
      code: { optimize: false },
    });
    ajv.addVocabulary(['x-unit', 'x-meanings', 'discriminator']);
    const place = (name: string) => `#/components/schemas/${name}`;
    for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, place(name));
    for (const name of Object.keys(schemas)) expect(() => ajv.getSchema(place(name)), name).not.toThrow();
    const wrong = { $ref: place('Job'), 'x-units': 'USD' };
    expect(() => ajv.compile(wrong)).toThrow('x-units');
  });

  it('has open answers, so that a later member breaks no client, and closed requests', () => {
    const { schemas } = (DOCUMENT as unknown as { components: { schemas: Record<string, JsonSchema> } })
      .components;
    const isSent = (name: string) => /Request(_|$)|^BatchLine/.test(name);
    const isClosed = (schema: JsonSchema) => JSON.stringify(schema).includes('"additionalProperties":false');
    const isChoice = (schema: JsonSchema) => schema.oneOf !== undefined;
    const differing = Object.entries(schemas).filter(
      ([name, schema]) => isClosed(schema) !== (isSent(name) && !isChoice(schema)),
    );
    expect(differing.map(([name]) => name)).toEqual([]);
  });

  it('has one tag after another for each choice of a request', () => {
    const { schemas } = (DOCUMENT as unknown as { components: { schemas: Record<string, JsonSchema> } })
      .components;
    const choices = Object.values(schemas).filter(({ oneOf }) => oneOf !== undefined);
    expect(choices.length).toBeGreaterThan(QUESTIONS.length);
    for (const { title, oneOf, discriminator } of choices) {
      const { mapping } = discriminator as { readonly mapping: Readonly<Record<string, string>> };
      expect(Object.values(mapping), String(title)).toEqual(
        (oneOf as readonly { readonly $ref: string }[]).map(({ $ref }) => $ref),
      );
    }
  });

  it('describes every member, with the unit of every number', () => {
    const silent: string[] = [];
    const visit = (schema: unknown, place: string, isMember: boolean): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, description, const: constant, $ref } = schema as JsonSchema;
      const isNumber = type === 'number' || type === 'integer';
      const named = $ref !== undefined || constant !== undefined;
      if (isMember && !named && description === undefined && !ENVELOPE.test(place))
        silent.push(`${place}: no description`);
      if (isNumber && (schema as JsonSchema)['x-unit'] === undefined && !/Problem|Health/.test(place))
        silent.push(`${place}: no unit`);
      const {
        properties = {},
        items,
        prefixItems,
        additionalProperties,
        oneOf,
      } = schema as {
        properties?: object;
        items?: unknown;
        prefixItems?: readonly unknown[];
        additionalProperties?: unknown;
        oneOf?: readonly unknown[];
      };
      for (const [name, member] of Object.entries(properties)) visit(member, `${place}.${name}`, true);
      for (const [i, member] of [...(prefixItems ?? []), ...(oneOf ?? [])].entries())
        visit(member, `${place}[${i}]`, false);
      visit(items, `${place}[]`, false);
      visit(additionalProperties, `${place}.*`, false);
    };
    const { schemas } = (DOCUMENT as unknown as { components: { schemas: object } }).components;
    for (const [name, schema] of Object.entries(schemas)) visit(schema, name, false);
    expect(silent).toEqual([]);
  });
});

it('The paths of the operations are the served paths, in their order', () => {
  expect(QUESTIONS.map(({ path }) => path)).toEqual(OPERATION_PATHS);
});

describe('The examples of openapi.json', () => {
  const methodologies = QUESTIONS.flatMap(route =>
    alternativesOf(jsonSchemaOf(route.schema(dayOf(NOW)))).map(
      alternative =>
        [route.path, constantOf(alternative, 'type') ?? constantOf(alternative, 'model') ?? ''] as const,
    ),
  );

  it.each(methodologies)('include one of %s with %s', (path, methodology) => {
    const names = (EXAMPLES[path] ?? []).map(({ type, model }) => type ?? model);
    expect(names).toContain(methodology);
  });
});

describe('The bounds in openapi.json', () => {
  const probes = QUESTIONS.flatMap(route => {
    const alternatives = alternativesOf(jsonSchemaOf(route.schema(dayOf(NOW))));
    return EXAMPLES[route.path].flatMap(body => {
      const own = alternatives.find(alternative =>
        ['type', 'model', 'contract_type'].every(
          member =>
            constantOf(alternative, member) === undefined || constantOf(alternative, member) === body[member],
        ),
      ) as JsonSchema;
      return membersOf(own, '').flatMap(([member, schema]) =>
        valuesBeyond(schema).map(value => [route, body, member, value] as const),
      );
    });
  });

  it('are many', () => expect(probes.length).toBeGreaterThan(500));

  it('are those of the server: both refuse a value outside', { tags: ['slow'] }, () => {
    const differing = probes.flatMap(([route, body, member, value]) => {
      const bent = withMember(body, member, value);
      const shown = `${route.path} ${body.type ?? body.model}: ${member} = ${JSON.stringify(value)}`;
      const checked = readRequest(route, dayOf(NOW), bent);
      const byServer = !checked.ok && checked.faults.some(({ path }) => path.startsWith(member));
      const byDocument = requestFaults(route.path, bent).length > 0;
      return byServer && byDocument ? [] : [`${shown}: server ${byServer}, document ${byDocument}`];
    });
    expect(differing).toEqual([]);
  });

  it('are inclusive: the document accepts every value that the server accepts at a bound', {
    tags: ['slow'],
  }, () => {
    const differing = QUESTIONS.flatMap(route => {
      const alternatives = alternativesOf(jsonSchemaOf(route.schema(dayOf(NOW))));
      // The alternatives share most of their members and bounds.
      const values = new Map<string, readonly [string, number]>();
      for (const [member, schema] of alternatives.flatMap(each => membersOf(each, '')))
        for (const value of valuesAt(schema)) values.set(`${member} = ${value}`, [member, value]);
      return EXAMPLES[route.path].flatMap(body =>
        [...values].flatMap(([told, [member, value]]) => {
          const bent = withMember(body, member, value);
          if (!readRequest(route, dayOf(NOW), bent).ok) return [];
          const faults = requestFaults(route.path, bent);
          return faults.length > 0 ? [`${route.path} ${told}: ${faults}`] : [];
        }),
      );
    });
    expect(differing).toEqual([]);
  });
});

/** Members of an object and of the objects in it, by dotted path. */
function membersOf(schema: JsonSchema, prefix: string): [string, JsonSchema][] {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, JsonSchema>> };
  return Object.entries(properties).flatMap(([name, member]) => [
    [prefix + name, member] as [string, JsonSchema],
    ...membersOf(member, `${prefix}${name}.`),
  ]);
}

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

const aBitMore = (value: number) => value + Math.max(1e-9, Math.abs(value) * 1e-6);
const aBitLess = (value: number) => value - Math.max(1e-9, Math.abs(value) * 1e-6);

/** Values that a schema refuses: beyond each bound, of other types. */
function valuesBeyond(schema: JsonSchema): unknown[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Bounds;
  const numbers = [
    minimum === undefined ? [] : [aBitLess(minimum)],
    maximum === undefined ? [] : [aBitMore(maximum)],
    exclusiveMinimum === undefined ? [] : [exclusiveMinimum],
    exclusiveMaximum === undefined ? [] : [exclusiveMaximum],
    schema.type === 'integer' ? [2.5] : [],
    schema.not === undefined ? [] : [0],
    schema.pattern === undefined
      ? []
      : ['', '13-01-2024', 'x'.repeat(40)].slice(0, schema.description ? 3 : 1),
  ].flat();
  const otherType = schema.type === 'boolean' ? 0 : true;
  return [...numbers, null, otherType, schema.type === 'string' ? 1 : '1', [null], { x: 'y' }];
}

function valuesAt(schema: JsonSchema): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Bounds;
  return [
    minimum,
    maximum,
    exclusiveMinimum && aBitMore(exclusiveMinimum),
    exclusiveMaximum && aBitLess(exclusiveMaximum),
  ].filter(value => value !== undefined);
}

describe('/docs', () => {
  it('shows the document with a viewer that this host serves, and loads nothing from elsewhere', async () => {
    const page = await fetch(`${app.url}/docs`);
    const html = await page.text();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/https?:|<script>|style=/);
    const files = [...html.matchAll(/(?:src|href)="([^":]+)"/g)].map(match => match[1]);
    expect(files).toEqual([
      'docs/swagger-ui.css',
      'docs/swagger-ui-bundle.js',
      'docs/start.js',
      'openapi.json',
    ]);
    const types = await Promise.all(
      files.map(async file => {
        const response = await fetch(new URL(file, page.url));
        expect([response.status, (await response.arrayBuffer()).byteLength > 100], file).toEqual([200, true]);
        return response.headers.get('content-type');
      }),
    );
    expect(types).toEqual([
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
      'application/json; charset=utf-8',
    ]);
  });

  it('accepts GET only', async () => {
    const response = await fetch(`${app.url}/docs`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
