/** The prose of the documents is wrapped: a change of a sentence is a small difference. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../scripts/examples.mjs';
import { wrapped, wrappedDocuments } from '../../scripts/wrap-documents.mjs';

describe('The documents', () => {
  it.each(wrappedDocuments())(
    '%s is wrapped at 100 characters (else: node scripts/wrap-documents.mjs)',
    path => {
      const text = readDocument(path);
      expect(wrapped(text)).toBe(text);
    },
  );
});

describe('Wrapping', () => {
  const long = (start: string) => `${start}${'word '.repeat(24).trim()}`;

  it('fills a paragraph and an item with a long line, and no others', () => {
    const text = `${long('')}\nshort\n\n${long('- ')}\n  short\n- short\n\nshort\nlines`;
    expect(wrapped(text).split('\n')).toEqual([
      Array(20).fill('word').join(' '),
      'word word word word short',
      '',
      `- ${Array(19).fill('word').join(' ')}`,
      '  word word word word word short',
      '- short',
      '',
      'short',
      'lines',
    ]);
  });

  it.each([
    ['a heading', long('## ')],
    ['a table', `| ${long('')} |\n|---|`],
    ['an indented block', long('    ')],
    ['a fenced block', `\`\`\`json\n${long('')}\n\`\`\``],
    ['what a program writes', `<!-- bench x -->\n${long('')}\n<!-- /bench -->`],
    ['a comment', `<!-- ${long('')} -->`],
  ])('does not change %s', (_, text) => {
    expect(wrapped(text)).toBe(text);
  });

  it('does not break code or a link, nor begin a line with markup', () => {
    const code = `\`${'code '.repeat(8).trim()}\``;
    const text = `${Array(15).fill('word').join(' ')} ${code} ${Array(9).fill('word').join(' ')} + - [a link of ours](x.md) end`;
    const lines = wrapped(text).split('\n');
    expect(lines[1].startsWith(code)).toBe(true);
    expect(lines.join(' ')).toBe(text);
    for (const line of lines) expect(line).not.toMatch(/^([-+]|link)/);
  });
});
