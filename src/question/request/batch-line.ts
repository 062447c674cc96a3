/**
 * One line of /batch: an operation, its body, and the headers and query of a single request.
 *
 * Must not know: the operations, whose schemas read the body.
 */
import { z } from 'zod';
import { requirement } from '../../text/message.ts';
import { choice, identifier, LARGEST_SEED, meaning, members, wholeNumber } from './fields.ts';

const BACKENDS = ['auto', 'gpu', 'cpu'] as const;

/** The schema of a line for the operations at `paths`. */
export const batchLine = (paths: readonly string[]) =>
  members({
    id: identifier.meta({ description: 'Unique name of the line, 1 to 64 characters.' }),
    path: choice(paths).meta({ description: 'Path of the operation.' }),
    query: z
      .string({ error: requirement('the query of a URL as a string, without the question mark') })
      .regex(/^([^?]|$)/)
      .optional()
      .meta({ description: 'Query, without the question mark.', examples: ['include=warnings'] }),
    seed: meaning(wholeNumber(0, LARGEST_SEED), 'Seed, in place of the header x-seed.', 'none').optional(),
    compute: choice(BACKENDS).optional().meta({ description: 'Engine, in place of the header x-compute.' }),
    body: z
      .unknown()
      .refine(body => body !== undefined, { error: requirement('the body of the operation') })
      .meta({ description: 'Body of the request.' }),
  }).meta({ description: 'One question of a batch.' });

/** A line with a valid envelope. */
export type BatchLine = z.infer<ReturnType<typeof batchLine>>;
