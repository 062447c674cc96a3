/** The fields of the view of a book, and their defaults: those of the command `book`. */
import { USUAL } from '#core/figures/usual.ts';
import type { Fields } from '../state/address.ts';
import { TAPE_FIELDS } from './tape-terms.ts';

export const BOOK_FIELDS: Fields = {
  type: USUAL.type,
  lookback: String(USUAL.lookbackDays),
  shock: '0',
  date: '',
  paths: String(USUAL.paths),
  quantiles: USUAL.levels.join(','),
  delay: String(USUAL.saleDelayHours),
  cost: String(USUAL.saleCost),
  seed: String(USUAL.seed),
  fall: '0',
  fallOf: '',
  ...TAPE_FIELDS,
  skip: '',
  tail: '',
  credit: '',
  tranches: '',
  reserve: '0',
  spread: '0',
  capital: '',
  book: '',
};
