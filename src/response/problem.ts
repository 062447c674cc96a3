/** Problem documents (RFC 9457) and the health answer, as openapi.json describes them. */
import { z } from 'zod';

const fault = z.strictObject({
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
  z
    .strictObject({
      type: z.enum(['about:blank', ...types]).meta({
        description:
          'What went wrong, as a name that does not change; about:blank where the status says it all.',
      }),
      title: z.string().min(1).meta({ description: 'The same in words.' }),
      status: z.int().min(400).max(599).meta({ description: 'The status of the response.' }),
      detail: z.string().min(1).meta({ description: 'What went wrong with this request.' }),
      errors: z.array(fault).meta({ description: 'Every fault found; empty where no member is at fault.' }),
      request_id: z.string().min(1).max(LONGEST_REQUEST_ID).meta({
        description:
          'The value of the header x-request-id, of at most 64 characters; of a line of /batch with a colon and the number of the line after it.',
      }),
    })
    .meta({ description: 'A problem document (RFC 9457).' });

const assetAge = z.strictObject({
  symbol: z.string().meta({ description: 'The asset.' }),
  age_seconds: z.int().min(0).meta({ description: 'Age of the youngest close.', 'x-unit': 'seconds' }),
});

export const health = z
  .strictObject({
    status: z.enum(['ok', 'degraded']).meta({
      description: 'degraded: the server was told to have a GPU (COMPUTE=gpu) and has given it up.',
    }),
    gpu: z
      .enum(['none', 'ready', 'restarting', 'given-up'])
      .meta({ description: 'State of the GPU engine at this moment.' }),
    simd: z
      .strictObject({
        kernel: z.enum(['wasm', 'sse', 'neon', 'avx2', 'avx512']).meta({
          description: 'wasm: WebAssembly; the others are native, by their instructions.',
        }),
        lanes: z.int().min(4).max(16).meta({ description: 'Paths that it runs side by side.' }),
      })
      .optional()
      .meta({ description: 'SIMD kernel of the processor; absent where it has none.' }),
    market: z.enum(['store', 'sample']).meta({ description: 'sample: synthetic prices.' }),
    market_data: z
      .strictObject({
        version: z.string().meta({ description: 'Short hash of the data and the rules applied to them.' }),
        assets: z.int().min(0).meta({ description: 'Assets that have a price.' }),
        youngest: assetAge.optional().meta({ description: 'The asset with the youngest close.' }),
        oldest: assetAge.optional().meta({ description: 'The asset whose youngest close is the oldest.' }),
      })
      .optional()
      .meta({ description: 'Of a store: which data, and how old.' }),
  })
  .meta({ description: 'What the server has to work with at this moment.' });
