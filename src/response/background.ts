/** Jobs and the lines of the answer to a batch, as openapi.json describes them. */
import { z } from 'zod';

const time = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

export const job = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{22}$/)
      .meta({ description: 'Name of the job: 128 random bits.', examples: ['gq5hC1yTQGmV0l2dHtRr1g'] }),
    operation: z.string().meta({ description: 'Path of the operation.', examples: ['/loan_risk'] }),
    state: z
      .enum(['queued', 'running', 'done', 'failed', 'cancelled'])
      .meta({ description: 'Where the job is; the last three are final.' }),
    share_done: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Share of the paths of the present pass that are done.', 'x-unit': 'fraction' }),
    seconds_left: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Time to the end at the rate so far; null while unknown.', 'x-unit': 'seconds' }),
    created: time.meta({ description: 'When the job was begun, UTC.' }),
    started: time.nullable().meta({ description: 'When it left the queue; null before.' }),
    finished: time.nullable().meta({ description: 'When it ended; null before.' }),
    result: z.string().nullable().meta({ description: 'Path of the result; null where there is none.' }),
  })
  .meta({ description: 'A question that is answered later.' });

export const jobList = z
  .strictObject({ jobs: z.array(job).meta({ description: 'The latest first.' }) })
  .meta({ description: 'The jobs of the key.' });

export const batchAnswerLine = z
  .union([
    z
      .strictObject({
        id: z.string().nullable().meta({ description: 'Name of the line; null where it could not be read.' }),
        line: z
          .int()
          .min(1)
          .optional()
          .meta({ description: 'Number of a line without a name.', 'x-unit': 'lines' }),
        status: z
          .int()
          .min(200)
          .max(599)
          .meta({ description: 'HTTP status of the answer.', 'x-unit': 'none' }),
        headers: z.record(z.string(), z.string()).meta({ description: 'Headers of the answer.' }),
        body: z.looseObject({}).meta({ description: 'The answer, or a problem document.' }),
      })
      .meta({ description: 'The answer to one line.' }),
    z
      .strictObject({
        done: z.int().min(1).meta({ description: 'Number of lines answered.', 'x-unit': 'lines' }),
      })
      .meta({ description: 'The last line: the answer is complete.' }),
  ])
  .meta({ description: 'One line of the answer to a batch.' });
