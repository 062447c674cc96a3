/**
 * Writes src/generated/methodologies.ts: what the page offers, from the declarations of the compiled methodologies.
 *
 *   node console/generate.mjs
 *
 * scripts/build.mjs runs it after the compiler.
 */
import { mkdirSync, writeFileSync } from 'node:fs';

const { METHODOLOGIES } = await import('../dist/models/methodology/methodologies.js');
const { QUESTION_NAMES } = await import('../dist/models/methodology/methodology.js');

const shown = ({ name, title, words, assumption, questions, draws, takesShock, tailKind }) => ({
  name,
  title,
  words,
  assumption,
  questions,
  draws,
  takesShock,
  takesTail: tailKind !== undefined,
});
const json = value => JSON.stringify(value, null, 2);
const text = `/* Generated from src/models/methodology by console/generate.mjs. Do not edit. */

/** What a request can ask. */
export type Question = ${QUESTION_NAMES.map(name => `'${name}'`).join(' | ')};

/** What the page uses of a declaration: src/models/methodology/methodology.ts. */
export interface DeclaredMethodology {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly assumption: string;
  readonly questions: readonly Question[];
  readonly draws: boolean;
  readonly takesShock: boolean;
  /** Whether it has paths for \`sampling=tail\`. */
  readonly takesTail: boolean;
}

/** In the order of lists. */
export const METHODOLOGIES: readonly DeclaredMethodology[] = ${json(Object.values(METHODOLOGIES).map(shown))};
`;
mkdirSync(new URL('src/generated/', import.meta.url), { recursive: true });
writeFileSync(new URL('src/generated/methodologies.ts', import.meta.url), text);
