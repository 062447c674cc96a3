/** Jobs and the lines of the answer to a batch, as openapi.json describes them. */
import { z } from 'zod';
import { meaning } from '../../../question/request/fields.ts';
import { ANSWER_HEADERS } from '../headers.ts';
import { list, object, oneOf, probability, text } from './figures.ts';

const time = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

export const job = object('A question that is answered later.', {
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22}$/)
    .meta({ description: 'Name of the job: 128 random bits.', examples: ['gq5hC1yTQGmV0l2dHtRr1g'] }),
  operation: text('Path of the operation.', ['/loan_risk']),
  state: oneOf('Where the job is; the last three are final.', [
    'queued',
    'running',
    'done',
    'failed',
    'cancelled',
  ]),
  share_done: probability('Share of the paths of the present pass that are done.'),
  seconds_left: meaning(
    z.number().min(0).nullable(),
    'Time to the end at the rate so far; null while unknown.',
    'seconds',
  ),
  created: meaning(time, 'When the job was begun, UTC.'),
  started: meaning(time.nullable(), 'When it left the queue; null before.'),
  finished: meaning(time.nullable(), 'When it ended; null before.'),
  result: meaning(z.string().nullable(), 'Path of the result; null where there is none.'),
});

export const jobList = object('The jobs of the key.', {
  jobs: list('The latest first.', job),
  next: meaning(z.string().nullable(), 'The value of `before` for the next page; null on the last one.'),
});

const lineHead = {
  id: meaning(z.string().nullable(), 'Name of the line; null where it could not be read.'),
  line: meaning(z.int().min(1).optional(), 'Number of a line without a name.', 'lines'),
};
/** Headers of an answer, as texts. */
const lineHeaders = object(
  'Headers of the answer.',
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, { description }]) => [name, text(description).optional()]),
  ),
);

export const batchAnswerLine = meaning(
  z.union([
    object('The answer to one line.', {
      ...lineHead,
      status: meaning(z.literal(200), 'HTTP status of the answer.', 'none'),
      headers: lineHeaders,
      body: z.unknown(),
    }),
    object('The refusal of one line.', {
      ...lineHead,
      status: meaning(z.int().min(400).max(599), 'HTTP status of the refusal.', 'none'),
      headers: lineHeaders,
      body: z.unknown(),
    }),
    object('The last line: the answer is complete.', {
      done: meaning(z.int().min(1), 'Number of lines answered.', 'lines'),
    }),
  ]),
  'One line of the answer to a batch.',
);
