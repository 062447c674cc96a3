/**
 * A row of the table of operations: path, schema, operation.
 *
 * A row forgets the type of its request: what is left is a function from a body to a job that can be run.
 */
import type { z } from 'zod';
import { atMembers } from '../operation/fault-members.ts';
import type { Operation, OperationAnswer, OperationContext } from '../operation/operation.ts';
import { type AnyRequest, predictedWork } from '../operation/predicted-work.ts';
import { type Day, formatIsoDate } from '../request/calendar-date.ts';
import { type Checked, checkRequest } from '../request/parse.ts';

/** A request that has been understood. */
export interface Job {
  /** Historical requests run on the processor whatever engines there are. */
  readonly historical: boolean;
  /** How much it will be to compute, in asset-steps. */
  readonly work: number;
  /** `type` or `model` as sent. */
  readonly methodology: string;
  /** `YYYY-MM-DD`. */
  readonly analysisDate: string;
  /** Days. */
  readonly lookback: number;
  run(context: OperationContext): Promise<OperationAnswer>;
}

export interface Route {
  readonly path: string;
  /** Understands a body sent on the day `today`, or tells every fault of it. */
  read(body: unknown, today: Day): Checked<Job>;
}

/** A row of the table. */
export function route<R extends AnyRequest>(
  path: string,
  schema: (today: Day) => z.ZodType<R>,
  operation: Operation<R>,
): Route {
  return {
    path,
    read(body, today) {
      const checked = checkRequest(schema(today), body);
      if (!checked.ok) return checked;
      const request = checked.value;
      const [methodology, terms] =
        'type' in request ? [request.type, request.params] : [request.model, request];
      const job: Job = {
        historical: methodology === 'HISTORICAL',
        work: predictedWork(request),
        methodology,
        analysisDate: formatIsoDate(terms.analysis_date),
        lookback: terms.model_lookback,
        run: context =>
          operation(request, context).catch((error: unknown) => {
            throw atMembers(request, error);
          }),
      };
      return { ok: true, value: job };
    },
  };
}
