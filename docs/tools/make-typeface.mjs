/**
 * Writes src/desk/report/typeface.ts: the font of the report, from its package.
 *
 *   node docs/tools/make-typeface.mjs
 *
 * test/desk/typeface.test.ts holds the file against the package.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WEIGHTS = [400, 600];

/** The text of the file. */
export const typefaceText = () => `/* Made by docs/tools/make-typeface.mjs. Do not edit. */

/** Latin letters of Inter by weight, as base64 of WOFF2. (c) The Inter Project Authors, SIL Open Font License 1.1. */
export const INTER: Readonly<Record<number, string>> = {
${WEIGHTS.map(weight => `  ${weight}: '${fontOf(weight)}',`).join('\n')}
};
`;

const fontOf = weight =>
  readFileSync(
    fileURLToPath(import.meta.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)),
    'base64',
  );

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../../src/desk/report/typeface.ts', import.meta.url), typefaceText());
