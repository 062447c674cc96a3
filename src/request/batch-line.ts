/**
 * One line of /batch: an operation, its body, and what its headers and query would be in a request of its own.
 *
 * Gives: the schema of the envelope. Must not know: the operations; the body is read by theirs.
 */
import { z } from 'zod';
import { choice, identifier, members } from './fields.ts';
import { requirement } from './message.ts';

/** The schema of a line for the operations at `paths`. */
export const batchLine = (paths: readonly string[]) =>
  members({
    id: identifier.meta({ description: 'Name of the line, of 1 to 64 characters; each once.' }),
    path: choice(paths).meta({ description: 'Path of the operation.' }),
    query: z
      .string({ error: requirement('the query of a URL as a string, without the question mark') })
      .optional()
      .meta({ description: 'What would follow the question mark.', examples: ['include=warnings'] }),
    seed: z
      .number({ error: requirement('a whole number from 0 to 4294967295') })
      .optional()
      .meta({
        description: 'What the header x-seed would be.',
        type: 'integer',
        minimum: 0,
        maximum: 4_294_967_295,
        'x-unit': 'none',
      }),
    compute: z
      .string({ error: requirement('one of auto, gpu, cpu') })
      .optional()
      .meta({ description: 'What the header x-compute would be.', enum: ['auto', 'gpu', 'cpu'] }),
    body: z
      .unknown()
      .refine(body => body !== undefined, { error: requirement('the body of the operation') })
      .meta({ description: 'What the body of such a request would be.' }),
  }).meta({ description: 'One question of a batch.' });

/** A line whose envelope has no fault. */
export type BatchLine = z.infer<ReturnType<typeof batchLine>>;
