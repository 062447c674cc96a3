/** No regular expression takes more than linear time over a text of any length, but for those over texts of our own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Expressions that take quadratic time or more, by file, with the reason why no caller can send them a long text. */
const SHORT_TEXTS: Readonly<Record<string, readonly [expression: string, reason: string]>> = {
  'console/src/ui/typed-numbers.ts': [
    '/(?<=\\d)(?=(?:\\d{3})+$)/g',
    'a field of the page that its user fills in',
  ],
  'src/cli/ask-server.ts': ['/\\/+$/', 'an option of the command'],
  'src/desk/limits.ts': [
    '/^(?<subject>[a-z][a-z ]*?)(?:\\s+(?<level>0?\\.\\d+))?(?:\\s+under\\s+(?<type>\\w+))?\\s*(?<sign>[<>]=|[≤≥])\\s*(?<number>[+-]?[\\d.,]+(?:e\\d+)?)\\s*(?<percent>%)?\\s*(?:USD)?\\s*(?<volume>of\\s+daily\\s+volume)?$/i',
    'a file of whoever runs the command',
  ],
  'src/desk/limit-text.ts': ['/\\s*(?:[<>]=|[≤≥])/', 'a file of whoever runs the command'],
  'src/desk/report/notes-sections.ts': ['/\\.?0+$/', 'a number that the program writes'],
  'src/desk/words.ts': ['/(\\.\\d*?)0+$/', 'a number that the program writes'],
  'src/market/import/cells.ts': [
    "/^([+-]?)\\s*(US\\$|[$€£₿]|[A-Z]{3,4}(?=\\s*\\d))?\\s*([+-]?[\\d.,'’\\s]*\\d[\\d.,]*\\s?[KMBT]?)\\s*([$€£₿]|[A-Z]{3,5})?$/i",
    'a cell of a file of whoever imports it',
  ],
  'src/market/import/dates.ts': [
    '/^(\\d{4}-\\d{2}-\\d{2})(?:,|[,T]? +|T)(\\d{1,2})(:\\d{2}(?::\\d{2})?(?:[.,]\\d+)?)?(?:[ -]*([AP])\\.?M\\.?)?(.*)$/i',
    'a cell of a file of whoever imports it',
  ],
  'src/market/import/headings.ts': [
    '/^([^([]*)(?:[([]([^)\\]]*)[)\\]])?(.*)$/',
    'a cell of a file of whoever imports it',
  ],
  'src/tape/row-faults.ts': ['/^params\\.loans\\.(\\d+)\\.?(.*)$/', 'a path of a fault, whose names are cut'],
  'src/server/tracing/open-telemetry.ts': ['/\\/+$/', 'a variable of the server'],
};

interface Node {
  readonly type?: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
}

function expressionsOf(file: string): Node['regex'][] {
  const { program, errors } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  expect(errors, file).toEqual([]);
  const found: Node['regex'][] = [];
  const visit = (node: Node) => {
    if (node.type === 'Literal' && node.regex !== undefined) found.push(node.regex);
    for (const child of Object.values(node).flat() as unknown[])
      if (typeof child === 'object' && child !== null) visit(child);
  };
  visit(program as Node);
  return found;
}

const isSlow = ({ pattern, flags }: { readonly pattern: string; readonly flags: string }): boolean =>
  analyse({ source: pattern, flags }, { reportTypes: { Move: true } }).reports.length > 0;

it('Expressions that take more than linear time are found, those that do not pass', () => {
  const slow = (source: string) => isSlow({ pattern: source, flags: '' });
  expect(['^(\\d+\\.?\\d*)x$', '.*\\S.*', '^(a+)+$', '\\s+$'].map(slow)).toEqual([true, true, true, true]);
  expect(['^(\\d+(\\.\\d*)?)x$', '^\\s*(\\S+)$', '^a+$'].map(slow)).toEqual([false, false, false]);
});

it('Every regular expression takes linear time, except the listed ones over short texts', () => {
  const files = ['src', 'console/src'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.tsx?$/.test(file))
      .map(file => `${folder}/${file}`),
  );
  const all = files.flatMap(file => expressionsOf(file).map(each => ({ file, each })));
  expect(all.length).toBeGreaterThan(200);
  const slow = all.flatMap(({ file, each }) =>
    each !== undefined && isSlow(each) ? [[file, `/${each.pattern}/${each.flags}`]] : [],
  );
  const listed = Object.entries(SHORT_TEXTS).map(([file, [expression]]) => [file, expression]);
  expect(slow.sort()).toEqual(listed.sort());
});
