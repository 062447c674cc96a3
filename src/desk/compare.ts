/** Comparison of an earlier tape and a tape of now: loans that are new, closed, or have other terms. */
import type { TapeLoan } from '../tape/tape.ts';
import { loanValueOf, type Prices } from '../tape/valuation.ts';
import type { ChangedStatus, ChangedTerm, LoanChanges } from './result.ts';

/** @param leftOut ids of the loans that the tape of now has, with faults */
export function changesOf(
  then: readonly TapeLoan[],
  now: readonly TapeLoan[],
  leftOut: ReadonlySet<string> = new Set(),
): LoanChanges {
  const before = new Map(then.map(loan => [loan.id, loan]));
  const after = new Set(now.map(({ id }) => id));
  const away = then.filter(({ id }) => !after.has(id)).map(({ id }) => id);
  return {
    New: now.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    Gone: away.filter(id => !leftOut.has(id)),
    LeftOut: away.filter(id => leftOut.has(id)),
    Changed: now.flatMap(loan => {
      const old = before.get(loan.id);
      return old === undefined ? [] : changedTerms(old, loan);
    }),
  };
}

function changedTerms(then: TapeLoan, now: TapeLoan): ChangedTerm[] {
  const [before, after] = [valuesOf(then), valuesOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(term => before.get(term) !== after.get(term))
    .map(Term => ({ Id: now.id, Term, Then: before.get(Term) ?? null, Now: after.get(Term) ?? null }));
}

function valuesOf({
  borrower,
  collateral,
  loanAsset,
  loanAmount,
  terms,
}: TapeLoan): ReadonlyMap<string, string | number> {
  const moments = ['maturity', 'called_at'];
  return new Map<string, string | number>([
    ...(borrower === undefined ? [] : [['borrower', borrower] as const]),
    ...collateral.map(
      ({ asset, amount, valueUsd }) => [`collateral ${asset}`, amount ?? valueUsd ?? 0] as const,
    ),
    [`loan ${loanAsset}`, loanAmount],
    ...Object.entries(terms).map(
      ([name, value]) =>
        [name, moments.includes(name) ? `${new Date(value).toISOString().slice(0, 16)}Z` : value] as const,
    ),
  ]);
}

/** Loans of both tapes whose status differs, each at the prices of its day. */
export function changedStatuses(
  then: readonly TapeLoan[],
  pricesThen: Prices,
  now: readonly TapeLoan[],
  prices: Prices,
): readonly ChangedStatus[] {
  const before = new Map(then.map(loan => [loan.id, loanValueOf(loan, pricesThen).status]));
  return now.flatMap(loan => {
    const [Then, Now] = [before.get(loan.id), loanValueOf(loan, prices).status];
    return Then === undefined || Then === Now ? [] : [{ Id: loan.id, Then, Now }];
  });
}

/** Loans of now, with their earlier terms where the earlier tape has them. */
export function withTermsOfThen(then: readonly TapeLoan[], now: readonly TapeLoan[]): readonly TapeLoan[] {
  const before = new Map(then.map(loan => [loan.id, loan]));
  return now.map(loan => before.get(loan.id) ?? loan);
}
