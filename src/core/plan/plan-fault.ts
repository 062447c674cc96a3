/** Faults of a plan by its fields; operations replace a field by the member of the request behind it. */
import type { Fault } from '../errors.ts';

export type PlanField = 'paths' | 'steps';

const PREFIX = 'plan.';

/** A fault of a plan. @param rest the sentence without its subject, which is the field */
export function planFault(field: PlanField, rest: string): Fault {
  return { code: 'out_of_range', path: `${PREFIX}${field}`, message: `${field} ${rest}` };
}

/**
 * The fault with a member of the request in place of the field; any other fault unchanged.
 *
 * @param memberOf the path of the member that decides on a field
 */
export function withMember(fault: Fault, memberOf: (field: PlanField) => string): Fault {
  const { code, path, message } = fault;
  if (!path.startsWith(PREFIX)) return fault;
  const field = path.slice(PREFIX.length) as PlanField;
  const member = memberOf(field);
  return { code, path: member, message: `${member.split('.').at(-1)}${message.slice(field.length)}` };
}
