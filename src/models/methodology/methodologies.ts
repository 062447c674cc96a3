/** The catalogue of methodologies, the source of every list. */
import { BOOTSTRAP } from './bootstrap.ts';
import { FHS } from './fhs.ts';
import { FHS_EVT } from './fhs-evt.ts';
import { GARCH } from './garch.ts';
import { GBM } from './gbm.ts';
import { GBM_VIX } from './gbm-vix.ts';
import { HISTORICAL } from './historical.ts';
import type { Methodology, QuestionName } from './methodology.ts';
import { STUDENT_T } from './student-t.ts';

/** Every methodology, in the order of lists. */
const ALL = [GBM, GBM_VIX, HISTORICAL, GARCH, STUDENT_T, FHS, FHS_EVT, BOOTSTRAP] as const;

export type MethodologyName = (typeof ALL)[number]['name'];

/** Every methodology by its name. */
export const METHODOLOGIES = Object.fromEntries(ALL.map(each => [each.name, each])) as unknown as Readonly<
  Record<MethodologyName, Methodology<MethodologyName>>
>;

/** Those that a question takes, in the order of lists. */
export const methodologiesOf = (question: QuestionName): readonly Methodology<MethodologyName>[] =>
  Object.values(METHODOLOGIES).filter(({ questions }) => questions.includes(question));
