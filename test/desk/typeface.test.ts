/** The font of the report is that of its package. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { typefaceText } from '../../docs/tools/make-typeface.mjs';

it('the font of the report is the file that docs/tools/make-typeface.mjs makes from the package', () => {
  const kept = readFileSync(new URL('../../src/desk/report/typeface.ts', import.meta.url), 'utf8');
  expect(kept).toBe(typefaceText());
});
