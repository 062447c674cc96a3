/** Members of a reverse scenario that do not fit the request. */
import type { Fault } from '../../core/errors.ts';
import type { MethodologyName } from '../../models/methodology/methodologies.ts';
import { ALL_OTHERS } from '../request/price-shock.ts';
import { LIKELY, REVERSE_FIGURES } from '../request/reverse.ts';
import type { Scenario } from '../scenario/scenario.ts';

/** What a reverse scenario may name of its request. */
interface AskedTerms {
  readonly quantile: readonly number[];
  readonly tranches?: readonly { readonly name: string; readonly attach?: number | undefined }[] | undefined;
  readonly mc_iter?: number | undefined;
}

/**
 * @param path of the scenario
 * @param symbols of the book
 */
export function reverseFaults(
  { reverse, replay }: Scenario,
  path: string,
  type: MethodologyName,
  symbols: readonly string[],
  { quantile, tranches = [], mc_iter }: AskedTerms,
): Fault[] {
  if (reverse === undefined) return [];
  const faults: Fault[] = [];
  const refuse = (member: string, bound: string, got: string | number) => {
    const at = `${path}.reverse.${member}`;
    const message = `${at.replace('params.', '')} must be ${bound}; got ${got}`;
    faults.push({ code: 'inconsistent', path: at, message });
  };
  const { figure, along } = reverse;
  const { needs } = REVERSE_FIGURES[figure];
  if (needs === 'replay' && replay === undefined)
    refuse('figure', 'another one than ReplayLoss, or the scenario must have replay', figure);
  if (needs !== 'replay' && needs !== 'prices' && mc_iter === 0)
    refuse('figure', 'Ltv, CalledUsd, LiquidatedUsd or ReplayLoss where mc_iter is 0', figure);
  if (reverse.quantile !== undefined && !quantile.includes(reverse.quantile))
    refuse('quantile', `one of params.quantile (${quantile.join(', ')})`, reverse.quantile);
  if (reverse.tranche !== undefined) {
    const names = tranches.flatMap(({ name, attach }) => (attach === undefined ? [] : [name]));
    if (!names.includes(reverse.tranche))
      refuse(
        'tranche',
        names.length > 0
          ? `a tranche of params with attach (${names.join(', ')})`
          : 'absent without tranches that have attach',
        reverse.tranche,
      );
  }
  if (along === LIKELY) {
    if (mc_iter === 0)
      refuse('along', 'symbols and exponents where mc_iter is 0, which fits no model', LIKELY);
    if (type === 'HISTORICAL')
      refuse('along', 'symbols and exponents under HISTORICAL, which has no covariance', LIKELY);
    return faults;
  }
  const unused = Object.keys(along).filter(name => name !== ALL_OTHERS && !symbols.includes(name));
  if (unused.length > 0)
    refuse('along', `of assets of the book (${symbols.join(', ')}), or of ${ALL_OTHERS}`, unused.join(', '));
  return faults;
}
