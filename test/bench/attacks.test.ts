/** The attacks of the bench: the tables make one of each operation, methodology and engine. */
import { expect, it } from 'vitest';
import { QUESTIONS } from '#src/question/questions.js';
import { headerParameters } from '#src/server/openapi/headers.js';
import { alternativesOf, constantOf, jsonSchemaOf } from '#src/server/openapi/json-schema.js';
import { dayOf } from '#src/text/calendar-date.js';
import { attackName, QUESTION_ATTACKS } from '../../bench/operations/question-attacks.ts';
import { readRequest } from '../support/request-bodies.ts';

const TODAY = dayOf(new Date('2026-06-15'));

it('Every operation attacks with every methodology on every engine that runs it', () => {
  const expected = QUESTIONS.flatMap(question =>
    alternativesOf(jsonSchemaOf(question.schema(TODAY))).flatMap(alternative =>
      headerParameters.compute.schema.enum.flatMap(compute => {
        const tags = ['type', 'model', 'contract_type'].map(tag => constantOf(alternative, tag));
        const isWindows = tags.includes('HISTORICAL');
        return compute === 'gpu' && isWindows ? [] : [attackName(question.path, tags, compute)];
      }),
    ),
  );
  expect(expected.length).toBeGreaterThan(100);
  expect(QUESTION_ATTACKS.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
});

it('Each attack ends with a request that is valid, and begins with a larger one', () => {
  for (const { name, path, bodies } of QUESTION_ATTACKS) {
    const question = QUESTIONS.find(each => each.path === path);
    expect(question && readRequest(question, TODAY, bodies.at(-1)).ok, name).toBe(true);
    expect(bodies[0], name).not.toEqual(bodies.at(-1));
  }
});
