/**
 * The text of kernels, and numbers that it declares: constants, and words of the market's state.
 */
import type { Kernel } from '#src/core/gpu/kernels.js';
import { joinShaderFiles } from '#src/core/gpu/shader-source.js';
import { readShader } from '#src/engine/gpu-process/read-shader.js';

/** The joined text of a kernel's files. */
export async function kernelText(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map(readShader));
  return joinShaderFiles(files.map((name, i) => ({ name, text: texts[i] }))).code;
}

/** Kernels that have every part of all of them: in turn the one with most parts that no earlier one has. */
export function kernelsWithAll(
  kernels: readonly Kernel[],
  partsOf: (kernel: Kernel) => readonly string[],
): readonly Kernel[] {
  const missing = new Set(kernels.flatMap(partsOf));
  const chosen: Kernel[] = [];
  while (missing.size > 0) {
    const gain = (kernel: Kernel) => partsOf(kernel).filter(part => missing.has(part)).length;
    const best = kernels.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    for (const part of partsOf(best)) missing.delete(part);
    chosen.push(best);
  }
  return chosen;
}

/** The value of an expression of whole numbers, sums, products and constants known so far; NaN for any other. */
function evaluate(expression: string, known: Readonly<Record<string, number>>): number {
  const numbers = expression
    .replace(/\b0x([0-9a-f]+)u\b/g, (_, hex: string) => String(Number.parseInt(hex, 16)))
    .replace(/\b(\d+)u\b/g, '$1')
    .replace(/\b[a-zA-Z_]\w*\b(\(\))?/g, name => String(known[name.replace('()', '')] ?? 'NaN'));
  const terms = numbers.split('+').map(term => term.split('*').reduce((a, factor) => a * Number(factor), 1));
  return terms.reduce((a, b) => a + b, 0);
}

/** The body of a function whose closing brace begins a line; empty where there is no such function. */
function functionBody(code: string, name: string): string {
  return code.match(new RegExp(`^fn ${name}\\([^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm'))?.[1] ?? '';
}

/**
 * What a function and those of the same ending that it calls save or restore, in that order: names of places as they
 * stand in the text. A loop up to a constant counts for so many words of each of its statements.
 *
 * @param ending `save` or `restore`
 */
export function stateWords(code: string, prefix: string, ending: 'save' | 'restore'): readonly string[] {
  const constants = wgslConstants(code);
  const statements = functionBody(code, `${prefix}_${ending}`).split('\n');
  let repeats = 1;
  return statements.flatMap(statement => {
    const called = statement.match(new RegExp(`^ *(\\w+)_${ending}\\(`))?.[1];
    if (called !== undefined) return stateWords(code, called, ending);
    repeats = constants[statement.match(/for \(var \w+ = 0u; \w+ < ([A-Z_]+);/)?.[1] ?? ''] ?? repeats;
    if (/^ *\}/.test(statement)) repeats = 1;
    const place =
      ending === 'save'
        ? statement.match(/state_save_next\(at, (?:bitcast<u32>\()?(.+?)\)?\);/)?.[1]
        : statement.match(/^ *(.+) = (?:bitcast<f32>\()?state_restore_next\(at\)/)?.[1];
    return place === undefined ? [] : new Array<string>(repeats).fill(place);
  });
}

/** Constants of whole numbers by name. */
export function wgslConstants(code: string): Readonly<Record<string, number>> {
  const constants: Record<string, number> = {};
  const declarations = [...code.matchAll(/^const (\w+)(?:: u32)? = ([^;]+);/gm)];
  // A constant may use one of a file that comes later.
  for (let round = 0; round < 2; round++) {
    for (const [, name, expression] of declarations) constants[name] = evaluate(expression, constants);
  }
  return constants;
}

/** What `market_state_words` returns for a number of assets. */
export function marketStateWords(code: string, assets: number): number {
  const bodyOf = (name: string) =>
    code.match(new RegExp(`fn ${name}\\(\\) -> u32 \\{\\s*return ([^;]+);`))?.[1] ?? 'NaN';
  const known: Record<string, number> = {
    ...wgslConstants(code),
    asset_quads: Math.ceil(assets / 4),
    asset_pairs: Math.ceil(assets / 2),
  };
  known.model_state_words = evaluate(bodyOf('model_state_words'), known);
  return evaluate(bodyOf('market_state_words'), known);
}
