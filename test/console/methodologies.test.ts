/** The page offers what the declarations of the methodologies say. */
import { describe, expect, it } from 'vitest';
import { USUAL } from '#src/core/figures/usual.js';
import { METHODOLOGIES, methodologiesOf } from '#src/models/methodology/methodologies.js';
import { QUESTION_NAMES } from '#src/models/methodology/methodology.js';
import * as page from '../../console/src/state/methodologies.ts';

describe.each(QUESTION_NAMES)('the page for %s', question => {
  it('offers the methodologies that take the question, the usual one first', () => {
    const offered = page.methodologiesOf(question);
    const names: string[] = methodologiesOf(question).map(({ name }) => name);
    expect([...offered].sort()).toEqual(names.sort());
    expect(offered[0]).toBe(USUAL.type);
  });
});

describe.each(Object.values(METHODOLOGIES))(
  'the page for $name',
  ({ name, title, draws, takesShock, tailKind }) => {
    it('knows the title and the members that it takes', () => {
      expect(page.declared(name)?.title).toBe(title);
      expect([page.draws(name), page.takesShock(name), page.takesTail(name)]).toEqual([
        draws,
        takesShock,
        tailKind !== undefined,
      ]);
    });
  },
);

it('the page lets the server refuse a methodology that only an address names', () => {
  expect(page.declared('NONE')).toBeUndefined();
  expect([page.draws('NONE'), page.takesShock('NONE'), page.takesTail('NONE')]).toEqual([true, true, false]);
});
