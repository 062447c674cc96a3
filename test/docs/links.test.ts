/** Links between the documents, and from them into the repository, have a target. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fencedBlocks, readDocument } from '../../docs/tools/examples.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
];

/** The text without its fenced blocks. */
function prose(path: string): string {
  const text = readDocument(path);
  const blocks = fencedBlocks(text);
  const outside = (at: number) => !blocks.some(({ first, last }) => at >= first && at <= last);
  return text
    .split('\n')
    .filter((_, at) => outside(at))
    .join('\n');
}

/** The anchors that a reader's browser finds: a heading in small letters, without punctuation, blanks as hyphens. */
function anchors(path: string): string[] {
  const headings = [...prose(path).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(match => match[1]);
  const seen = new Map<string, number>();
  return headings.map(heading => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

const linksOf = (path: string): string[] =>
  [...prose(path).matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
    .map(match => match[1])
    .filter(target => !/^[a-z]+:/i.test(target));

/** The fault of a link, or undefined. */
function faultOf(path: string, target: string): string | undefined {
  const [file, anchor] = target.split('#', 2);
  const place = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(root, place))) return `${target}: ${place} does not exist`;
  const found = anchor === undefined || anchors(place).includes(anchor);
  return found ? undefined : `${target}: ${place} has no such heading`;
}

describe('The links of', () => {
  it.each(documents)('%s have a target', path => {
    expect(linksOf(path).flatMap(target => faultOf(path, target) ?? [])).toEqual([]);
  });
});

describe('An anchor', () => {
  it('has the form of the usual renderers', () => {
    expect(anchors('docs/reference.md')).toEqual(
      expect.arrayContaining(['status-codes', 'post-loan_risk', 'what-size-does']),
    );
    expect(anchors('docs/methodology.md')).toContain('1-time-and-data-windows');
  });
});

describe('A page', () => {
  const pages = documents.filter(path => path.startsWith('docs/') && path.endsWith('.md'));

  it.each(pages)('%s names its readers at the top', path => {
    const [title, audience] = readDocument(path).split('\n\n');
    expect(title).toMatch(/^# \S/);
    expect(audience.replaceAll('\n', ' ')).toMatch(/^\*For .+\.\*$/);
  });

  it.each(['README.md', 'docs/reference.md'])('%s links to the glossary', path => {
    expect(linksOf(path).some(target => target.endsWith('glossary.md'))).toBe(true);
  });
});

describe('The rules as plain code', () => {
  const RULES = 'src/core/rules';

  /** "document, paragraph: function of file" of each link to a function in a document. */
  function linked(path: string): string[] {
    let paragraph = '';
    return prose(path)
      .split('\n')
      .flatMap(line => {
        const title = /^#+\s+(?:\d+\.\s+)?(.+)$|^\*\*(.+?)\.?\*\*/.exec(line);
        paragraph = title?.[1] ?? title?.[2] ?? paragraph;
        return [...line.matchAll(/\[`(\w+)`\]\(([^)]+)\)/g)]
          .map(([, name, target]) => ({ name, file: join(dirname(path), target) }))
          .filter(({ file }) => file.startsWith(RULES))
          .map(({ name, file }) => `${path}, "${paragraph}": ${name} of ${file}`);
      });
  }

  /** The same of each paragraph that the comment of a function names. */
  function named(file: string): string[] {
    const text = readDocument(file);
    return [...text.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n(?:export )?function (\w+)/g)].flatMap(
      ([, comment, name]) =>
        [...comment.matchAll(/(docs\/\S+\.md), "([^"]+)"/g)].map(
          ([, path, paragraph]) => `${path}, "${paragraph}": ${name} of ${file}`,
        ),
    );
  }

  it('name the paragraphs that they state, and these paragraphs link to them', () => {
    const files = readdirSync(join(root, RULES)).map(name => join(RULES, name));
    const links = documents.flatMap(linked);
    expect(links.toSorted()).toEqual(files.flatMap(named).toSorted());
    expect(files.filter(file => !links.some(link => link.endsWith(` of ${file}`)))).toEqual([]);
  });
});
