/** Operations that wait until a test lets them finish. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoanRiskRequest } from '#src/question/loan/request.js';
import type { OperationAnswer, OperationContext } from '#src/question/question.js';
import { ANSWER, testRoutes } from './http-app.ts';

/** A run that a test ends. */
export interface HeldRun {
  readonly request: LoanRiskRequest;
  readonly context: OperationContext;
  finish(): void;
}

/** Routes whose /loan_risk waits until the test lets it finish, or until it is aborted. */
export function heldOperations() {
  const running: HeldRun[] = [];
  const operation = (request: LoanRiskRequest, context: OperationContext) =>
    new Promise<OperationAnswer>((resolve, reject) => {
      running.push({ request, context, finish: () => resolve(ANSWER) });
      context.signal.addEventListener('abort', () => reject(context.signal.reason));
    });
  return { running, routes: testRoutes(operation) };
}

/** Waits until `holds`; the time limit of the test is the only one. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}
