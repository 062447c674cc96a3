/** JSON in which every number is finite. */
import { RiskError } from '../core/errors.ts';

/** JSON.stringify itself would write null for numbers that are not. @throws RiskError `engine-failed` */
export function strictJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new RiskError('engine-failed', `The figure ${name} is ${member}.`);
    return member;
  });
}
