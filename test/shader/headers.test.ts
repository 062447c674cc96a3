/** Headers of shaders: every file lists the names that it provides to other files and those that it expects from them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../shaders');
const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.wgsl'));

interface Shader {
  readonly name: string;
  readonly header: string;
  readonly declared: ReadonlySet<string>;
  readonly entryPoints: ReadonlySet<string>;
  /** Words of the code that are neither members nor local names. */
  readonly words: ReadonlySet<string>;
}

const all = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, word]) => word));

function shaderOf(name: string): Shader {
  const text = readFileSync(join(root, name), 'utf8');
  const code = text.replaceAll(/\/\/.*/g, '');
  const declaration = /^(?:@\w+(?:\([^)]*\))? *)*(?:fn|struct|alias|const|override|var(?:<[^>]*>)?) +(\w+)/gm;
  const local = new Set([...all(code, /\b(?:let|var) (\w+)/g), ...all(code, /(?:[(,]\s*|^ +)(\w+): /gm)]);
  const words = all(code, /(?<![\w.])([A-Za-z_]\w*)/g);
  return {
    name,
    header: text.match(/^(?:\/\/.*\n)+/)?.[0].replaceAll(/^\/\/ */gm, '') ?? '',
    declared: all(code, declaration),
    entryPoints: all(code, /^@compute.*\nfn (\w+)/gm),
    words: new Set([...words].filter(word => !local.has(word))),
  };
}

const shaders = names.map(shaderOf);

/** The names of a list of a header; a name that ends with `*` is a prefix. */
function listed({ header, name }: Shader, label: string, end: string): readonly string[] {
  const list = header.match(new RegExp(`^${label}:([\\s\\S]*?)${end}`, 'm'))?.[1];
  expect(list, `${name}: ${label}`).toBeDefined();
  const items = (list ?? '').replaceAll(
    /^.*\.wgsl: |^one [^:]*: |^parameters [^:]*: |the entry point|`/gm,
    '',
  );
  return items.split(/[\s,.]+/).filter(item => item !== '' && item !== 'nothing');
}

const fits = (item: string, word: string) =>
  item.endsWith('*') ? word.startsWith(item.slice(0, -1)) : item === word;

/** Names that no item covers, and items that cover no name. */
function differences(items: readonly string[], wanted: ReadonlySet<string>): readonly string[] {
  const missing = [...wanted].filter(word => !items.some(item => fits(item, word)));
  const idle = items.filter(item => ![...wanted].some(word => fits(item, word)));
  return [...missing.map(word => `missing: ${word}`), ...idle.map(item => `not used: ${item}`)];
}

for (const shader of shaders) {
  const others = shaders.filter(other => other !== shader);

  it(`${shader.name} lists the names that it provides`, () => {
    const used = [...shader.declared].filter(word =>
      others.some(other => other.words.has(word) && !other.declared.has(word)),
    );
    const provided = listed(shader, 'Provides', '\\.\\n');
    expect(differences(provided, new Set([...used, ...shader.entryPoints]))).toEqual([]);
  });

  it(`${shader.name} lists the names that it expects`, () => {
    const expected = [...shader.words].filter(
      word => !shader.declared.has(word) && others.some(other => other.declared.has(word)),
    );
    expect(differences(listed(shader, 'Expects', '$(?![\\s\\S])'), new Set(expected))).toEqual([]);
  });

  it(`${shader.name} lists the expected names with the files that declare them`, () => {
    const lines = [
      ...shader.header.matchAll(/^([\w/]+\.wgsl(?: or [\w/]+\.wgsl)*): ((?:[\w*]+(?:,\s+)?)+)$/gm),
    ];
    for (const [, files, items] of lines)
      for (const file of files.split(' or ')) {
        const declared = [...(shaders.find(other => other.name === file)?.declared ?? [])];
        const foreign = items.split(/,\s+/).filter(item => !declared.some(word => fits(item, word)));
        expect(foreign, file).toEqual([]);
      }
  });
}
