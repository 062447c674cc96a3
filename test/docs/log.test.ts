/** docs/operations.md has a remedy for every warning and error of the log. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../docs/tools/examples.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  else if (isNode(value)) {
    yield value;
    for (const member of Object.values(value)) yield* nodesOf(member);
  }
}

const nameOf = (node: unknown): string =>
  !isNode(node) ? '' : node.type === 'MemberExpression' ? nameOf(node.property) : String(node.name ?? '');

const LEVELS = ['warn', 'error', 'fatal'];

/** Whether a call writes to the log: `log.warn(...)`, or `warn(...)` and `this.warn(...)` of src/host/repeated-warnings.ts. */
function writesToLog(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return nameOf(callee) === 'warn';
  if (callee.type !== 'MemberExpression' || !LEVELS.includes(nameOf(callee.property))) return false;
  return (
    nameOf(callee.object) === 'log' || (isNode(callee.object) && callee.object.type === 'ThisExpression')
  );
}

/** The last arguments of the calls that write to the log at warn and above: texts, or the source of expressions. */
function messagesOf(source: string): string[] {
  const { program } = parseSync('file.ts', source);
  return [...nodesOf(program.body)].flatMap(node => {
    if (node.type !== 'CallExpression' || !writesToLog(node.callee)) return [];
    const last: unknown = Array.isArray(node.arguments) ? node.arguments.at(-1) : undefined;
    if (!isNode(last)) return [];
    return [
      last.type === 'Literal' ? String(last.value) : source.slice(Number(last.start), Number(last.end)),
    ];
  });
}

/** First texts of the pairs of a pattern and words in a file, which `queueWords` of src/fleet/store-errors.ts returns. */
function wordsOf(source: string): string[] {
  const { program } = parseSync('file.ts', source);
  return [...nodesOf(program.body)].flatMap(node => {
    if (node.type !== 'ArrayExpression' || !Array.isArray(node.elements)) return [];
    const [pattern, words]: unknown[] = node.elements;
    if (!isNode(pattern) || pattern.regex === undefined) return [];
    const text = [...nodesOf(words)].find(({ value }) => typeof value === 'string');
    return text === undefined ? [] : [String(text.value)];
  });
}

const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** The messages of the calls that have no literal. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'queueWords(error)': [
    ...wordsOf(read('src/fleet/store-errors.ts')),
    'the queue of the fleet does not answer',
  ],
  // Of `repeatedWarnings`, whose callers name it.
  meaning: [],
};

const listed = [
  ...readDocument('docs/operations.md')
    .split(/^### Warnings and errors$/m)[1]
    .split(/^## /m)[0]
    .matchAll(/^\| (`(?!msg`).+?`) \|/gm),
].flatMap(([, names]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

const isListed = (message: string) =>
  listed.some(name =>
    name.endsWith('...') ? message.startsWith(name.slice(0, -3).trimEnd()) : name === message,
  );

const logged = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .flatMap(path => messagesOf(read(`src/${path}`)).flatMap(message => MADE[message] ?? [message]));

describe('The table of warnings and errors in docs/operations.md', () => {
  it('has every message of the service at warn and above', () => {
    expect(logged.length).toBeGreaterThan(40);
    expect(logged.filter(message => !isListed(message))).toEqual([]);
  });

  it('has no other message', () => {
    const written = [...logged, 'log lines were dropped'];
    const begins = (name: string) =>
      written.some(message => message.startsWith(name.replace(/\s*\.\.\.$/, '')));
    expect(listed.filter(name => !begins(name))).toEqual([]);
  });

  it('is compared with literals and with calls that build a message', () => {
    const source =
      "this.options.log.warn({ a }, 'one');\nlog.error('two');\nlog.warn(made(x));\nlog.info('no');";
    expect(messagesOf(source)).toEqual(['one', 'two', 'made(x)']);
  });
});
