/** Declarations of both host and shaders: structs, orders of sums and records, words of state, constants. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ArrayDefinition, type IntrinsicDefinition, makeShaderDataDefinitions } from 'webgpu-utils';
import { BOOK_KERNELS } from '#src/core/gpu/book/kernels.js';
import type { Kernel } from '#src/core/gpu/kernels.js';
import { ORDER_KERNELS } from '#src/core/gpu/order/kernels.js';
import { simulationKernels } from '#src/core/gpu/products.js';
import { openTestGpu } from '../support/gpu.ts';
import { kernelText, marketStateWords, stateWords, wgslConstants } from '../support/wgsl.ts';

// webgpu-utils reads the constants of WebGPU, which come with the device.
beforeAll(openTestGpu);

/** Parsed declarations, which most kernels share. */
const parsed = new Map<string, ReturnType<typeof makeShaderDataDefinitions>['structs']>();

/** Declarations that determine the layout of structs: themselves, and the constants and names of types that they use. */
const declarationsOf = (code: string) =>
  [...code.matchAll(/^(?:struct \w+ \{[^}]*\}|(?:const|override|alias) [^;]*;)/gm)].join('\n');

function structsOf(code: string) {
  const text = declarationsOf(code);
  const structs = parsed.get(text) ?? makeShaderDataDefinitions(text).structs;
  parsed.set(text, structs);
  expect(Object.keys(structs)).toEqual([...code.matchAll(/\bstruct (\w+) \{/g)].map(([, name]) => name));
  return structs;
}

/** A type as WGSL spells it, from the reflection; no struct has another as a member. */
function typeName(type: IntrinsicDefinition | ArrayDefinition): string {
  if ('type' in type) return type.type;
  return `array<${typeName(type.elementType as IntrinsicDefinition)}, ${type.numElements}>`;
}

/** Names of the structs that buffers of a kernel are declared with, alone or as elements. */
function boundStructs(code: string): Set<string> {
  const declared = Object.keys(structsOf(code));
  const variables = [...code.matchAll(/^@group\(\d\) .*var<[^>]+> \w+: (?:array<)?(\w+)/gm)];
  return new Set(variables.map(([, type]) => type).filter(type => declared.includes(type)));
}

/** The host knows every struct in a buffer, member by member. */
function expectStructs(code: string, { structs }: Kernel): void {
  expect(new Set(structs.map(({ name }) => name))).toEqual(boundStructs(code));
  for (const { name, size, members } of structs) {
    const declared = structsOf(code)[name];
    const fields = Object.entries(declared.fields).map(([field, { offset, type }]) => [
      field,
      { type: typeName(type as IntrinsicDefinition | ArrayDefinition), offset },
    ]);
    expect(Object.entries(members), name).toEqual(fields);
    expect(size, name).toBe(declared.size);
  }
}

/** Constants whose name begins with one of the prefixes: all of them must be known to the host. */
function declared(constants: Readonly<Record<string, number>>, ...prefixes: readonly string[]): string[] {
  return Object.keys(constants).filter(name => prefixes.some(prefix => name.startsWith(prefix)));
}

describe('The host and the WGSL agree', () => {
  for (const kernel of simulationKernels()) {
    it(`on structs, orders and state of ${kernel.name}`, async () => {
      const code = await kernelText(kernel.files);
      expectStructs(code, kernel);
      const constants = wgslConstants(code);
      expect(constants).toMatchObject(kernel.constants);
      for (const name of declared(
        constants,
        'SUM_',
        'RECORD_',
        'FIGURE_',
        'FLAG_',
        'COUNT_',
        'PRODUCT_STATE_',
      )) {
        expect(kernel.constants, 'a constant that the host does not know').toHaveProperty(name);
      }
      for (const assets of [1, 2, 4, 5, 32]) {
        expect(kernel.market.stateWords(assets), `${assets} assets`).toBe(marketStateWords(code, assets));
      }
      const saved = stateWords(code, 'product', 'save');
      expect(saved).toEqual(stateWords(code, 'product', 'restore'));
      expect(saved).toHaveLength(kernel.program.stateWords);
      const { countWords } = kernel.program;
      if (countWords !== undefined) {
        const counts = stateWords(code, 'count', 'save');
        expect(counts).toEqual(stateWords(code, 'count', 'restore'));
        expect(counts).toHaveLength(countWords);
      }
    });
  }

  for (const kernel of ORDER_KERNELS) {
    it(`on the piece and the constants of ${kernel.name}`, async () => {
      const code = await kernelText(kernel.files);
      expectStructs(code, kernel);
      expect(Object.keys(kernel.constants).length).toBeGreaterThan(0);
      expect(wgslConstants(code)).toMatchObject(kernel.constants);
    });
  }

  for (const kernel of BOOK_KERNELS) {
    it(`on the piece, the structs and the constants of ${kernel.name}`, async () => {
      const code = await kernelText(kernel.files);
      expectStructs(code, kernel);
      const constants = wgslConstants(code);
      expect(constants).toMatchObject(kernel.constants);
      for (const name of declared(constants, 'DOMAIN_', 'PATH_', 'LOAN_SUM_', 'COLUMN_')) {
        expect(kernel.constants, 'a constant that the host does not know').toHaveProperty(name);
      }
    });
  }
});
