/** A program that knows a server by its /openapi.json alone asks everything that is described there. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '#src/server/service.js';
import { SERVICE_KEY, startSampleService } from '../support/sample-service.ts';
import { Description, type Schema } from '../support/stranger/description.ts';
import { Stranger } from '../support/stranger/stranger.ts';

const FOLDER = new URL('../support/stranger/', import.meta.url);

let service: Service;
let stranger: Stranger;
beforeAll(async () => {
  service = await startSampleService();
  stranger = await Stranger.meet(service.url, SERVICE_KEY);
});
afterAll(() => service.stop());

it('knows nothing of the project', () => {
  for (const name of readdirSync(FOLDER)) {
    const imports = [...readFileSync(new URL(name, FOLDER), 'utf8').matchAll(/ from '([^']+)'/g)];
    for (const [, from] of imports) expect(from, name).toMatch(/^(\.\/[a-z]+\.ts|ajv\/dist\/2020\.js)$/);
  }
});

describe('A stranger', () => {
  it('finds every operation with all its methodologies, batches and jobs as they are described', {
    tags: ['slow'],
  }, async () => {
    await stranger.askAll();
    const { asked, answered, faults } = stranger.findings;
    expect(faults).toEqual([]);
    const api = new Description(
      JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text()) as Description['document'],
    );
    const forms = Object.entries(api.document.components.schemas).flatMap(([name, schema]) =>
      name.includes('Request_') && (schema as Schema).oneOf === undefined ? [name] : [],
    );
    expect(forms.length).toBeGreaterThanOrEqual(41);
    expect(new Set(answered)).toEqual(new Set(forms));
    const described = Object.entries(api.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter(method => method !== 'parameters')
        .map(method => `${method.toUpperCase()} ${path}`),
    );
    const reports = ['POST /book_report'];
    expect(Object.keys(asked).sort()).toEqual(described.filter(each => !reports.includes(each)).sort());
  });

  it('notices an answer that is not as described', async () => {
    const document = structuredClone(
      (await (await fetch(`${service.url}/openapi.json`)).json()) as Description['document'],
    );
    const api = new Description(document);
    const answer = document.components.schemas.Health as object;
    expect(api.faultsOf(answer, {})).not.toEqual([]);
    const health = document.paths['/healthz'].get;
    const headers = new Headers({ 'content-type': 'application/json', 'x-other': '1' });
    expect(api.answerFaults(health as never, { status: 200, headers, text: '{}' })).toEqual(
      expect.arrayContaining(['the header x-request-id is missing', 'the header x-other is not described']),
    );
    expect(api.answerFaults(health as never, { status: 418, headers, text: '' })).toEqual([
      'status 418 is not described: ',
    ]);
  });
});
