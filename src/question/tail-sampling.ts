/**
 * `sampling=tail` of the questions on loans: which requests take it (docs/decisions/tail-sampling.md).
 */
import type { Fault } from '../core/errors.ts';
import type { ModelKind } from '../core/plan/models.ts';
import { METHODOLOGIES, type MethodologyName, methodologiesOf } from '../methodology/methodologies.ts';
import type { QuestionName } from '../methodology/methodology.ts';
import type { Sampling } from '../request/query.ts';

/** Why a request cannot be sampled so; none where it can. */
export function tailFaults(
  question: QuestionName,
  type: MethodologyName,
  sampling: Sampling | undefined,
): readonly Fault[] {
  if (sampling !== 'tail' || METHODOLOGIES[type].tailKind !== undefined) return [];
  const names = methodologiesOf(question).flatMap(({ name, tailKind }) =>
    tailKind === undefined ? [] : name,
  );
  return [
    {
      path: 'query.sampling',
      message: `sampling may be tail where type is ${names.join(' or ')}; type is ${type}`,
    },
  ];
}

/** The kind of the scenarios of a request. */
export function kindOf(type: MethodologyName, sampling: Sampling | undefined): ModelKind {
  const { kind, tailKind = kind } = METHODOLOGIES[type];
  return sampling === 'tail' ? tailKind : kind;
}
