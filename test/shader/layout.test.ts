import { beforeAll, describe, expect, it } from 'vitest';
import { makeShaderDataDefinitions } from 'webgpu-utils';
import {
  cappedLoanKernel,
  digitHistogramKernel,
  horizonKernel,
  originationKernel,
  perpetualKernel,
  ratioKernel,
} from '#src/engine/gpu/kernels.js';
import { GBM_LOAN_PAIR_LAYOUT } from '#src/engine/gpu/loan-pair-market.js';
import { PIECE_LAYOUT } from '#src/engine/gpu/order/columns.js';
import {
  GARCH_LAYOUT,
  GBM_LAYOUT,
  GBM_LOG_RATIO_LAYOUT,
  MARKET_BYTES,
  SLICE_LAYOUT,
  type StructLayout,
} from '#src/engine/gpu/parameters.js';
import { CAPPED_LOAN_TERMS_LAYOUT } from '#src/engine/gpu/product/capped-loan.js';
import { LOAN_TERMS_LAYOUT } from '#src/engine/gpu/product/loan.js';
import {
  ORIGINATION_MINIMUM_TERMS_LAYOUT,
  ORIGINATION_SCAN_TERMS_LAYOUT,
} from '#src/engine/gpu/product/origination.js';
import { PERPETUAL_TERMS_LAYOUT } from '#src/engine/gpu/product/perpetual.js';
import { HORIZON_TERMS_LAYOUT } from '#src/engine/gpu/product/value-at-risk.js';
import { readShader } from '#src/engine/gpu/read-shader.js';
import { joinShaderFiles } from '#src/engine/gpu/shader-source.js';
import { openTestGpu } from '../support/gpu.ts';

const cases: readonly [string, readonly string[], StructLayout][] = [
  ['slice', ratioKernel('loan', 'gbm', 'ratio').files, SLICE_LAYOUT],
  ['GBM market', ratioKernel('loan', 'gbm', 'ratio').files, GBM_LAYOUT],
  ['GARCH market', ratioKernel('loan', 'garch', 'ratio').files, GARCH_LAYOUT],
  ['GBM log ratio', ratioKernel('loan', 'gbm', 'log-ratio').files, GBM_LOG_RATIO_LAYOUT],
  ['loan terms', ratioKernel('loan', 'gbm', 'ratio').files, LOAN_TERMS_LAYOUT],
  ['capped loan terms', cappedLoanKernel('gbm', 'loan-basket').files, CAPPED_LOAN_TERMS_LAYOUT],
  ['GBM loan pair', cappedLoanKernel('gbm', 'loan-pair').files, GBM_LOAN_PAIR_LAYOUT],
  [
    'terms of an origination over minima',
    originationKernel('minimum', 'gbm', 'log-ratio').files,
    ORIGINATION_MINIMUM_TERMS_LAYOUT,
  ],
  [
    'terms of an origination over states',
    originationKernel('scan', 'gbm', 'log-ratio').files,
    ORIGINATION_SCAN_TERMS_LAYOUT,
  ],
  ['perpetual terms', perpetualKernel('gbm').files, PERPETUAL_TERMS_LAYOUT],
  ['market of the horizons', horizonKernel().files, GBM_LAYOUT],
  ['horizon terms', horizonKernel().files, HORIZON_TERMS_LAYOUT],
  ['piece of columns', digitHistogramKernel().files, PIECE_LAYOUT],
];

// webgpu-utils reads the constants of WebGPU, which come with the device.
beforeAll(openTestGpu);

describe('struct layouts', () => {
  for (const [name, files, layout] of cases) {
    it(`of the ${name} are those of the WGSL`, async () => {
      const texts = await Promise.all(files.map(readShader));
      const { code } = joinShaderFiles(files.map((file, i) => ({ name: file, text: texts[i] })));
      const struct = makeShaderDataDefinitions(code).structs[layout.struct];
      const offsets = Object.fromEntries(
        Object.entries(struct.fields).map(([field, { offset }]) => [field, offset]),
      );
      expect(offsets).toEqual(layout.fields);
      expect(struct.size).toBe(layout.size);
    });
  }

  it('fit the pooled market buffer', () => {
    for (const { size } of [GBM_LAYOUT, GARCH_LAYOUT, GBM_LOG_RATIO_LAYOUT, GBM_LOAN_PAIR_LAYOUT]) {
      expect(size).toBeLessThanOrEqual(MARKET_BYTES);
    }
  });
});
