/** The methodologies as their declarations have them: what a question takes, and which members a request then has. */
import { USUAL } from '#core/figures/usual.ts';
import { type DeclaredMethodology, METHODOLOGIES, type Question } from '../generated/methodologies.ts';

export type { Question } from '../generated/methodologies.ts';

/** The methodology of a page without a choice. */
const { type: USUAL_TYPE } = USUAL;

/** A declaration by its name; undefined for a name that an address alone has. */
export const declared = (type: string | undefined): DeclaredMethodology | undefined =>
  METHODOLOGIES.find(({ name }) => name === type);

/** Names of the methodologies that a question takes, the usual one first. */
export function methodologiesOf(question: Question): readonly string[] {
  const names = METHODOLOGIES.filter(({ questions }) => questions.includes(question)).map(({ name }) => name);
  return names.includes(USUAL_TYPE) ? [USUAL_TYPE, ...names.filter(name => name !== USUAL_TYPE)] : names;
}

/** Whether a methodology takes a shock of volatilities. */
export const takesShock = (type: string | undefined): boolean => declared(type)?.takesShock ?? true;

/** Whether a methodology has paths for `sampling=tail`. */
export const takesTail = (type: string | undefined): boolean => declared(type)?.takesTail ?? false;

/** Whether a methodology draws paths; else its windows of history are the paths. */
export const draws = (type: string | undefined): boolean => declared(type)?.draws ?? true;
