/** Problem documents (RFC 9457) and the health answer, as openapi.json describes them. */
import { z } from 'zod';
import { FAULT_CODES, type FaultCode } from '../../../core/errors.ts';
import { meaning } from '../../../question/request/fields.ts';
import { count, list, object, oneOf, text } from './figures.ts';

const codes = Object.keys(FAULT_CODES) as FaultCode[];

const fault = z.strictObject({
  code: z.enum(codes).meta({
    description: 'Kind of the fault, which stays where the message changes.',
    'x-meanings': FAULT_CODES,
    examples: ['out_of_range'],
  }),
  path: z
    .string()
    .min(1)
    .meta({
      description:
        'The member with the fault: `params.loan_value`, `header.x-seed`, `query.include`, or `body`.',
      examples: ['params.loan_value'],
    }),
  message: z
    .string()
    .min(1)
    .meta({
      description: 'Member, bound and the value that was sent.',
      examples: ['loan_value must be above 0 and at most 1e15 USD; got -1'],
    }),
});

/** 64 characters, a colon, and the number of a line: 64 MiB of line ends make eight digits. */
const LONGEST_REQUEST_ID = 64 + 1 + 8;

/** @param types every value of `type` beside `about:blank` */
export const problemDocument = (types: readonly string[]) =>
  object('A problem document (RFC 9457).', {
    type: oneOf('Fixed name of the problem; about:blank where the status explains it.', [
      'about:blank',
      ...types,
    ]),
    title: meaning(z.string().min(1), 'The same in words.'),
    status: meaning(z.int().min(400).max(599), 'The status of the response.'),
    detail: meaning(z.string().min(1), 'The problem of this request.'),
    errors: list('Every fault; empty if no member is faulty.', fault),
    request_id: meaning(
      z.string().min(1).max(LONGEST_REQUEST_ID),
      'The header x-request-id, at most 64 characters; for a line of /batch followed by a colon and the line number.',
    ),
  });

const assetAge = z.strictObject({
  symbol: text('The asset.'),
  age_seconds: count('Age of the youngest close.', 'seconds'),
});

export const health = object('What the server has to work with at this moment.', {
  status: oneOf('degraded: the server was told to have a GPU (COMPUTE=gpu) and has given it up.', [
    'ok',
    'degraded',
  ]),
  version: text('Version and build of the server, as `Risk engine version`.', ['0.5.0+5bc6d4807f3e']),
  interface: text('Name of the interface: that of a client made from the same description.', [
    '0123456789ab',
  ]),
  gpu: oneOf('State of the GPU engine at this moment.', ['none', 'ready', 'restarting', 'given-up']),
  gpu_kernels: oneOf(
    'compiling: the usual kernels are not compiled yet, and a first request of a kind may wait for its own. Absent where gpu is not ready.',
    ['ready', 'compiling'],
  ).optional(),
  gpu_from_asset_steps: meaning(
    z.number().gt(0).optional(),
    'Least work that x-compute auto runs on the GPU; absent until it is measured, and where the GPU is never faster.',
    'asset-steps',
  ),
  simd: meaning(
    z
      .strictObject({
        kernel: oneOf('wasm: WebAssembly; the others are native, by their instructions.', [
          'wasm',
          'sse',
          'neon',
          'avx2',
          'avx512',
        ]),
        lanes: meaning(z.int().min(4).max(16), 'Paths that it runs side by side.'),
      })
      .optional(),
    'SIMD kernel of the processor; absent where it has none.',
  ),
  market: oneOf('sample: synthetic prices.', ['store', 'sample']),
  market_data: meaning(
    z
      .strictObject({
        version: text('Short hash of the data and the rules applied to them.'),
        assets: meaning(z.int().min(0), 'Assets that have a price.'),
        youngest: meaning(assetAge.optional(), 'The asset with the youngest close.'),
        oldest: meaning(assetAge.optional(), 'The asset whose youngest close is the oldest.'),
      })
      .optional(),
    'Of a store: which data, and how old.',
  ),
});
