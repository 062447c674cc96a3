/** A tape read as a person reads it: once, and once more with what the refusal proposed. */
import { type TapeMarket, type ValuedTape, valueTape } from '#src/desk/value-tape.js';
import type { TapeColumn } from '#src/tape/columns.js';
import type { TapeOptions } from '#src/tape/read-tape.js';
import type { TapeFault } from '#src/tape/tape.js';
import { owedUsd } from '#src/tape/valuation.js';
import { AS_OF_MS, type GeneratedTape, PRICES } from './generated-tape.ts';

export const TAPE_MARKET: TapeMarket = {
  resolve: symbol => symbol,
  isDollar: symbol => symbol === 'USD',
  lastDays: async () => new Map([...PRICES.keys()].map(symbol => [symbol, '2026-02-27'])),
  closes: async () => ({ prices: PRICES, carried: [] }),
};

export const readOnce = (
  { table }: Pick<GeneratedTape, 'table'>,
  options: TapeOptions,
): Promise<ValuedTape> =>
  valueTape(
    table,
    { ...options, horizonDays: 30, asOf: AS_OF_MS / 86_400_000 - 1 },
    TAPE_MARKET,
    new Date(AS_OF_MS + 3_600_000),
    async () => [],
  );

/** The options that the remedies of some faults propose; undefined where one proposes none. @param knows decides between alternatives */
export function proposed(
  faults: readonly TapeFault[],
  knows: GeneratedTape['knows'],
): TapeOptions | undefined {
  const columns: Partial<Record<TapeColumn, string>> = {};
  const ignored: string[] = [];
  const lists: Record<'percent' | 'fractions' | 'ratios' | 'smallestUnits', TapeColumn[]> = {
    percent: [],
    fractions: [],
    ratios: [],
    smallestUnits: [],
  };
  const defaults: Partial<Record<TapeColumn, string>> = {};
  const accept: string[] = [];
  let forms: Pick<TapeOptions, 'dates' | 'decimal'> = {};
  const name = (pair: string) => {
    const at = pair.lastIndexOf('=');
    columns[pair.slice(at + 1) as TapeColumn] = pair.slice(0, at);
  };
  const list = (text: string) => text.split(' ') as TapeColumn[];
  for (const { remedy } of faults) {
    if (typeof remedy === 'string') return undefined;
    const [first = '', second = '', third = ''] = remedy.values;
    switch (remedy.kind) {
      case 'nameColumn':
      case 'nameOrFill': {
        const column = first.slice(first.lastIndexOf('=') + 1) as TapeColumn;
        if (!first.startsWith('name in the file=')) name(first);
        else if (remedy.kind === 'nameOrFill' && knows.defaults[column] !== undefined)
          defaults[third as TapeColumn] = knows.defaults[column] ?? '';
        else return undefined;
        break;
      }
      case 'chooseColumn':
      case 'chooseDebt': {
        const right = remedy.values.find(pair => {
          const at = pair.lastIndexOf('=');
          return at > 0 && knows.headings[pair.slice(at + 1) as TapeColumn] === pair.slice(0, at);
        });
        if (right === undefined) return undefined;
        name(right);
        break;
      }
      case 'addInterest':
        ignored.push(first);
        break;
      case 'useColumn':
        if (knows.headings[second as TapeColumn] === first) name(`${first}=${second}`);
        else ignored.push(first);
        break;
      case 'decimal':
      case 'commas':
      case 'mark':
      case 'points':
        forms = { ...forms, decimal: knows.decimal };
        break;
      case 'dates':
      case 'dayFirst':
        forms = { ...forms, dates: knows.dates };
        break;
      case 'ratios':
        lists.ratios.push(...list(first));
        if (second === 'percent') lists.percent.push(...list(first));
        break;
      case 'percent':
      case 'fractions':
        lists[remedy.kind].push(first as TapeColumn);
        break;
      case 'smallestUnits':
        lists.smallestUnits.push(...list(first));
        break;
      case 'accept':
        accept.push(first);
        break;
      default:
        return undefined;
    }
  }
  return { columns, ignored, defaults, accept, ...lists, ...forms };
}

/** What a valued tape has wrong against the truth; empty where it is right. */
export function differences(tape: ValuedTape, { loans }: GeneratedTape): readonly string[] {
  const read = new Map(tape.loans.map(loan => [loan.id, loan]));
  const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.abs(b);
  const wrong = loans.flatMap(({ id, collateral, loanUsd, terms }) => {
    const own = read.get(id);
    if (own === undefined) return [`${id} is missing`];
    const found: string[] = [];
    const usd = owedUsd(own, PRICES);
    if (!isNear(usd, loanUsd)) found.push(`${id}: owes ${usd}, not ${loanUsd}`);
    const units = own.collateral.map(({ asset, amount = Number.NaN }) => [asset, amount] as const);
    if (
      units.length !== collateral.length ||
      units.some(
        ([asset, amount], k) => asset !== collateral[k]?.[0] || !isNear(amount, collateral[k]?.[1] ?? 0),
      )
    )
      found.push(`${id}: has ${JSON.stringify(units)}, not ${JSON.stringify(collateral)}`);
    for (const [term, value] of Object.entries(terms) as [keyof typeof terms, number][]) {
      const day = term === 'maturity' ? 86_400_000 : 0;
      const said = own.terms[term];
      if (said === undefined || (!isNear(said, value + day) && said !== value))
        found.push(`${id}: ${term} is ${said}, not ${value}`);
    }
    return found;
  });
  const more = [...read.keys()].filter(id => !loans.some(loan => loan.id === id));
  return [...wrong, ...more.map(id => `${id} is no loan`)];
}
