/**
 * Turns the answer of an operation into a response: the three members of the body, and the headers that say what
 * ran on what.
 */
import { RiskError } from '../errors.ts';
import { formatFilled } from '../market/filled.ts';
import type { AnswerBasis, OperationAnswer } from '../operation/operation.ts';
import type { Context } from './context.ts';

/** Answers 200. @throws RiskError `engine-failed` where a figure is not a finite number. */
export function respond(ctx: Context, answer: OperationAnswer, sample: boolean, version: string): void {
  ctx.body = strictJson({
    Arguments: answer.arguments,
    [answer.resultMember]: answer.result,
    'Risk engine version': version,
  });
  ctx.type = 'application/json';
  ctx.set({
    'x-compute': answer.engine.backend,
    'x-compute-device': headerText(answer.engine.device),
    'x-market-data': sample ? 'sample' : 'store',
    'x-market-grid': gridName(answer.basis),
    'x-scenarios': String(answer.basis.scenarios),
  });
  const { maintenanceMarginRate } = answer.basis;
  if (maintenanceMarginRate !== undefined) ctx.set('x-maintenance-margin', String(maintenanceMarginRate));
  if (answer.filled.length > 0) ctx.set('x-market-data-filled', formatFilled(answer.filled));
}

/** The grid of the prices, as headers and log call it. */
export const gridName = ({ gridHours }: AnswerBasis) => (gridHours === 1 ? 'hourly' : 'daily');

/** JSON in which every number is finite: JSON.stringify itself would write null for the others. */
export function strictJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new RiskError('engine-failed', `The figure ${name} is ${member}.`);
    return member;
  });
}

/** Device names come from drivers; a header holds visible ASCII. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');
