/** The samplings of the query: the requests that take one, and their scenarios (docs/decisions/tail-sampling.md). */
import type { Fault } from '../core/errors.ts';
import type { ModelKind } from '../core/plan/models.ts';
import { METHODOLOGIES, type MethodologyName, methodologiesOf } from '../models/methodology/methodologies.ts';
import type { QuestionName } from '../models/methodology/methodology.ts';
import type { Sampling } from './request/query.ts';

/** The member of a methodology with the scenarios of a sampling. */
const KINDS = { sobol: 'sobolKind', tail: 'tailKind' } as const;

/** The fault of a sampling that the methodology of a request does not offer. */
export function samplingFaults(
  question: QuestionName,
  type: MethodologyName,
  sampling: Sampling,
): readonly Fault[] {
  if (sampling === 'random' || METHODOLOGIES[type][KINDS[sampling]] !== undefined) return [];
  const taken = methodologiesOf(question).filter(each => each[KINDS[sampling]] !== undefined);
  const names = taken.map(({ name }) => name).join(' or ');
  return [
    {
      code: 'not_supported',
      path: 'query.sampling',
      message: `sampling may be ${sampling} where type is ${names}; type is ${type}`,
    },
  ];
}

export function kindOf(type: MethodologyName, sampling: Sampling | undefined): ModelKind {
  const { kind, tailKind = kind } = METHODOLOGIES[type];
  return sampling === 'tail' ? tailKind : kind;
}
