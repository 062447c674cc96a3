/** Pages of the list of jobs. */
import { refuseIfFaulty } from '../../core/errors.ts';
import { repeatedParameter, unknownParameters } from '../../question/request/query.ts';
import { show } from '../../text/message.ts';
import type { JobView } from './job.ts';

interface Page {
  readonly limit: number;
  /** The id of the job before the page. */
  readonly before: string | undefined;
}

/** Most jobs of an answer, also where the query names no limit. */
const MOST_LISTED = 1000;

/** The query of GET /jobs. @throws RiskError `invalid-request` */
export function jobsQuery(sent: URLSearchParams): Page {
  const names = ['limit', 'before'];
  const limit = Number(sent.get('limit') ?? MOST_LISTED);
  const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= MOST_LISTED;
  refuseIfFaulty([
    ...unknownParameters(sent, names),
    ...names.flatMap(name => repeatedParameter(sent, name)),
    ...(isLimit
      ? []
      : [
          {
            code: 'out_of_range' as const,
            path: 'query.limit',
            message: `limit must be a whole number from 1 to ${MOST_LISTED}; got ${show(sent.get('limit'))}`,
          },
        ]),
  ]);
  return { limit, before: sent.get('before') ?? undefined };
}

/** @param all the latest first */
export function pageOf(all: readonly JobView[], { limit, before }: Page) {
  // A job that was removed is not found: the list begins again, rather than end without a word.
  const at = before === undefined ? -1 : all.findIndex(({ info }) => info.id === before);
  const page = all.slice(at + 1, at + 1 + limit);
  const last = page.at(-1);
  return { page, next: last !== undefined && last !== all.at(-1) ? last.info.id : null };
}
