/** The table of warnings in the methodology is the catalogue of the code. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WARNINGS } from '#src/core/warnings.js';

it('docs/methodology.md lists every warning with its meaning in the code', () => {
  const text = readFileSync(new URL('../../docs/methodology.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);
  const listed = Object.fromEntries(rows.filter(([code]) => code in WARNINGS));
  expect(listed).toEqual(WARNINGS);
});
