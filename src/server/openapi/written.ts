/** The description of the interface as the build writes it (client/generate.mjs): its making would take a large part of a start. */
import { readFileSync } from 'node:fs';
import type { JsonSchema } from './json-schema.ts';

/**
 * openapi.json with the version `0.0.0`.
 *
 * @param hasPlans whether answers have the member `plan`, which contains market data
 */
export function writtenDescription(hasPlans = true): JsonSchema {
  const file = hasPlans ? 'openapi.json' : 'openapi-without-plans.json';
  return JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
}
