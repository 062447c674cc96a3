/** The values of a judged limit in the unit of its figure. */
import { LIMIT_SUBJECTS, type LimitSubject } from './limits.ts';
import type { JudgedLimit } from './result.ts';
import { grouped, shareText, usd } from './words.ts';

type Named = Pick<JudgedLimit, 'Limit'>;

export function ruleOf({ Limit }: Named) {
  const text = Limit.replace(/\s+/g, ' ').toLowerCase();
  const subject = Object.keys(LIMIT_SUBJECTS).find(name => text.startsWith(name.toLowerCase()));
  return LIMIT_SUBJECTS[subject as LimitSubject];
}

/** `87.7 %`, `2,427,359`. */
export function valueText(limit: Named, value: number): string {
  const isShare = ruleOf(limit).isShare || /daily\s+volume/i.test(limit.Limit);
  if (isShare) return shareText(value);
  return Number.isInteger(value) ? grouped(value, 0) : usd(value);
}
