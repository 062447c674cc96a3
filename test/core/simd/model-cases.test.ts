/** Every model of the kernel has a case wherever kernel/model.ts depends on the model: without one it would be walked as no model, or as another. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';

const source = readFileSync(new URL('../../../kernel/model.ts', import.meta.url), 'utf8');
const { exports } = instantiateKernel(readKernel());
const numbers = Object.entries(exports).flatMap(([name, value]): [string, unknown][] =>
  name.startsWith('MODEL_') ? [[name, (value as { readonly value: unknown }).value]] : [],
);
const models = numbers.map(([name]) => name).sort();
/** The functions of the file that depend on the model, and the models of their cases. */
const switches = [
  ...source.matchAll(
    /function (\w+)\([^{]*\{(?:(?!\nfunction |\nexport ).)*?\n {2}switch \(model\) \{\n(.*?)\n {2}\}\n/gs,
  ),
].map(([, name, cases]) => ({
  name,
  models: [...cases.matchAll(/case (MODEL_\w+):/g)].map(([, model]) => model).sort(),
}));

describe('The models of the kernel', () => {
  it('have different numbers', () => {
    expect(models).toContain('MODEL_GBM');
    expect(new Set(numbers.map(([, number]) => number)).size).toBe(models.length);
  });

  it('each have one case in every function of kernel/model.ts that depends on the model', () => {
    expect(switches).toHaveLength(source.split('switch (model)').length - 1);
    expect(switches.map(({ name }) => name)).toContain('walkModel');
    for (const found of switches) expect(found).toEqual({ name: found.name, models });
  });

  it('are distinguished by these switches alone, which have no default', () => {
    expect(source.match(/\bmodel\s*([=!]=|[<>]).*|\bdefault:/g)).toBeNull();
  });
});
