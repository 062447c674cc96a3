/** What host and shaders both declare: structs, orders of sums and records, words of state, constants. */
import { beforeAll, describe, expect, it } from 'vitest';
import { makeShaderDataDefinitions } from 'webgpu-utils';
import {
  BOOK_KERNELS,
  BOOK_PATHS,
  PIECE_LAYOUT as BOOK_PIECE_LAYOUT,
  HOLDING_LAYOUT,
  LOAN_LAYOUT,
} from '#src/core/gpu/book/kernels.js';
import { PIECE_LAYOUT } from '#src/core/gpu/order/columns.js';
import { ORDER_KERNELS } from '#src/core/gpu/order/kernels.js';
import { PLACES_LAYOUT } from '#src/core/gpu/product/path-counts.js';
import { simulationKernels } from '#src/core/gpu/products.js';
import { SLICE_LAYOUT, type StructLayout } from '#src/core/gpu/struct-layout.js';
import { openTestGpu } from '../support/gpu.ts';
import { kernelText, marketStateWords, stateWords, wgslConstants } from '../support/wgsl.ts';

// webgpu-utils reads the constants of WebGPU, which come with the device.
beforeAll(openTestGpu);

/** Parsed texts: a kernel's declares several structs. */
const parsed = new Map<string, ReturnType<typeof makeShaderDataDefinitions>['structs']>();

function structsOf(code: string) {
  const structs = parsed.get(code) ?? makeShaderDataDefinitions(code).structs;
  parsed.set(code, structs);
  return structs;
}

function expectLayout(code: string, layout: StructLayout): void {
  const struct = structsOf(code)[layout.struct];
  const offsets = Object.fromEntries(
    Object.entries(struct.fields).map(([field, { offset }]) => [field, offset]),
  );
  expect(offsets, layout.struct).toEqual(layout.fields);
  expect(struct.size, layout.struct).toBe(layout.size);
}

/** Constants whose name begins with one of the prefixes: all of them must be known to the host. */
function declared(constants: Readonly<Record<string, number>>, ...prefixes: readonly string[]): string[] {
  return Object.keys(constants).filter(name => prefixes.some(prefix => name.startsWith(prefix)));
}

describe('the host and the WGSL agree', () => {
  for (const kernel of simulationKernels()) {
    it(`on structs, orders and state of ${kernel.name}`, async () => {
      const code = await kernelText(kernel.files);
      expectLayout(code, SLICE_LAYOUT);
      expectLayout(code, kernel.program.terms);
      expectLayout(code, kernel.market.layout);
      if (kernel.files.includes('kernel/counts.wgsl')) expectLayout(code, PLACES_LAYOUT);
      const constants = wgslConstants(code);
      expect(constants).toMatchObject(kernel.constants);
      for (const name of declared(constants, 'SUM_', 'RECORD_', 'FIGURE_', 'FLAG_', 'COUNT_')) {
        expect(kernel.constants, 'a constant that the host does not know').toHaveProperty(name);
      }
      for (const assets of [1, 2, 4, 5, 32]) {
        expect(kernel.market.stateWords(assets), `${assets} assets`).toBe(marketStateWords(code, assets));
      }
      const putDown = stateWords(code, 'product', 'put_down');
      expect(putDown).toEqual(stateWords(code, 'product', 'take_up'));
      expect(putDown).toHaveLength(kernel.program.stateWords);
      const { countWords } = kernel.program;
      if (countWords !== undefined) {
        const counts = stateWords(code, 'count', 'put_down');
        expect(counts).toEqual(stateWords(code, 'count', 'take_up'));
        expect(counts).toHaveLength(countWords);
      }
    });
  }

  for (const kernel of ORDER_KERNELS) {
    it(`on the piece and the constants of ${kernel.name}`, async () => {
      const code = await kernelText(kernel.files);
      expectLayout(code, PIECE_LAYOUT);
      expect(Object.keys(kernel.constants).length).toBeGreaterThan(0);
      expect(wgslConstants(code)).toMatchObject(kernel.constants);
    });
  }

  for (const kernel of BOOK_KERNELS) {
    it(`on the piece, the structs and the constants of ${kernel.name}`, async () => {
      const code = await kernelText(kernel.files);
      expectLayout(code, BOOK_PIECE_LAYOUT);
      if (kernel !== BOOK_PATHS) {
        expectLayout(code, LOAN_LAYOUT);
        expectLayout(code, HOLDING_LAYOUT);
      }
      const constants = wgslConstants(code);
      expect(constants).toMatchObject(kernel.constants);
      for (const name of declared(constants, 'DOMAIN_', 'PATH_', 'LOAN_SUM_', 'COLUMN_')) {
        expect(kernel.constants, 'a constant that the host does not know').toHaveProperty(name);
      }
    });
  }
});
