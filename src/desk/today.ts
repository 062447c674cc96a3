/** The loans of a tape today: LTV bands, concentration, prices of margin calls and liquidations. */
import { factorAt, type PriceLevel } from '../core/lending/price-level.ts';
import type { TapeLoan } from '../tape/tape.ts';
import { loanValueOf, owedUsd, type Prices, priceOf, unitsOf } from '../tape/valuation.ts';
import { DOLLAR, isMoney, isSteady } from '../text/symbols.ts';
import type { AssetLevel, DeskResult, LoanLine, Part } from './result.ts';

/** Ends of the LTV bands: the first band is below all of them, the last above. */
const BAND_ENDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function todayOf(loans: readonly TapeLoan[], prices: Prices): DeskResult['Today'] {
  const valued = loans.map(loan => ({ loan, ...loanValueOf(loan, prices) }));
  const total = (pick: (each: (typeof valued)[number]) => number) =>
    valued.reduce((sum, each) => sum + pick(each), 0);
  const [CollateralUsd, LoanUsd] = [total(each => each.collateralUsd), total(each => each.loanUsd)];
  const bandOf = (ltv: number) => {
    const at = BAND_ENDS.findIndex(end => ltv < end);
    return at < 0 ? BAND_ENDS.length : at;
  };
  const Bands = [...BAND_ENDS, Number.POSITIVE_INFINITY].map((end, k): Part => {
    const inBand = valued.filter(({ ltv }) => bandOf(ltv) === k);
    return {
      Name: k === 0 ? `below ${end}` : k === BAND_ENDS.length ? 'above 1' : `${BAND_ENDS[k - 1]} to ${end}`,
      Loans: inBand.length,
      LoanUsd: inBand.reduce((sum, each) => sum + each.loanUsd, 0),
      CollateralUsd: inBand.reduce((sum, each) => sum + each.collateralUsd, 0),
    };
  });
  const byAsset = valued.flatMap(({ loan, loanUsd, collateralUsd }) =>
    loan.collateral.map(line => {
      const own = unitsOf(line, prices) * priceOf(line.asset, prices);
      return { name: line.asset, loanUsd: (loanUsd * own) / collateralUsd, collateralUsd: own };
    }),
  );
  const byBorrower = valued.map(({ loan, ...value }) => ({ name: loan.borrower ?? loan.id, ...value }));
  return {
    CollateralUsd,
    LoanUsd,
    Ltv: LoanUsd / CollateralUsd,
    Called: valued.filter(({ status }) => status === 'called').length,
    Liquidated: valued.filter(({ status }) => status === 'liquidated').length,
    Bands,
    Assets: partsBy(byAsset, part => part.CollateralUsd),
    Borrowers: partsBy(byBorrower, part => part.LoanUsd),
  };
}

interface Share {
  readonly name: string;
  readonly loanUsd: number;
  readonly collateralUsd: number;
}

/** Sums by name, the largest first. */
function partsBy(shares: readonly Share[], size: (part: Part) => number): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const { name, loanUsd, collateralUsd } of shares) {
    const { Loans, LoanUsd, CollateralUsd } = parts.get(name) ?? { Loans: 0, LoanUsd: 0, CollateralUsd: 0 };
    parts.set(name, {
      Name: name,
      Loans: Loans + 1,
      LoanUsd: LoanUsd + loanUsd,
      CollateralUsd: CollateralUsd + collateralUsd,
    });
  }
  const byName = [...parts.keys()].sort().map(name => parts.get(name) as Part);
  return byName.sort((a, b) => size(b) - size(a));
}

export function standingOf(loan: TapeLoan, prices: Prices): Omit<LoanLine, 'Figures' | 'Days'> {
  const { collateralUsd, loanUsd, ltv, status } = loanValueOf(loan, prices);
  const { margin_call_ltv: call = Number.NaN, liquidation_ltv: liquidation = Number.NaN } = loan.terms;
  const falling = fallingOf(loan, collateralUsd, prices);
  return {
    Id: loan.id,
    Borrower: loan.borrower ?? null,
    Lines: loan.lines,
    CollateralUsd: collateralUsd,
    LoanUsd: loanUsd,
    Ltv: ltv,
    MarginCallLtv: call,
    LiquidationLtv: liquidation,
    Status: status,
    ...falling,
    FallToCall: fallTo(ltv / call, falling),
    FallToLiquidation: fallTo(ltv / liquidation, falling),
    Levels: levelAssets(loan).map(asset => levelsOf(loan, asset, prices)),
  };
}

type Falling = Pick<LoanLine, 'FallingShare' | 'LoanFalls'>;

/** The collateral that falls with all prices: without currencies and stablecoins, as in the scenarios. */
function fallingOf({ collateral, loanAsset }: TapeLoan, collateralUsd: number, prices: Prices): Falling {
  const steady = collateral
    .filter(({ asset }) => isMoney(asset))
    .reduce((sum, line) => sum + unitsOf(line, prices) * priceOf(line.asset, prices), 0);
  const falls = !isMoney(loanAsset) && collateral.some(({ asset }) => asset === loanAsset);
  return { FallingShare: 1 - steady / collateralUsd, ...(falls && { LoanFalls: true as const }) };
}

/** @param used LTV today over the LTV that is reached */
function fallTo(used: number, { FallingShare, LoanFalls }: Falling): number | null {
  if (used >= 1) return 0;
  const fall = (1 - used) / (FallingShare - (LoanFalls ? used : 0));
  return fall > 0 && fall < 1 ? fall : null;
}

/** A loan after its collateral, except money, has fallen; its debt falls too if it is in such an asset. */
export function afterFall(
  { LoanUsd, CollateralUsd, FallingShare, LoanFalls }: Falling & Pick<LoanLine, 'LoanUsd' | 'CollateralUsd'>,
  fall: number,
): { readonly loanUsd: number; readonly collateralUsd: number; readonly ltv: number } {
  const loanUsd = LoanUsd * (LoanFalls ? 1 - fall : 1);
  const collateralUsd = CollateralUsd * (1 - fall * FallingShare);
  return { loanUsd, collateralUsd, ltv: loanUsd / collateralUsd };
}

/** The collateral assets without the dollar, which is worth 1, and the loan asset if its price moves. */
const levelAssets = ({ collateral, loanAsset }: TapeLoan): readonly string[] => [
  ...new Set([
    ...collateral.map(({ asset }) => asset).filter(asset => asset !== DOLLAR),
    ...(isSteady(loanAsset) ? [] : [loanAsset]),
  ]),
];

/** Prices of one asset at which the loan reaches its LTVs, other prices unchanged. */
function levelsOf(loan: TapeLoan, asset: string, prices: Prices): AssetLevel {
  const price = priceOf(asset, prices);
  const collateral = Object.fromEntries(
    loan.collateral.map(line => [line.asset, unitsOf(line, prices) * priceOf(line.asset, prices)]),
  );
  const lent = { [loan.loanAsset]: owedUsd(loan, prices) };
  const at = (ltv: number) => factorAt(asset, 1 / ltv, 1, collateral, lent, isSteady(asset));
  const call = at(loan.terms.margin_call_ltv ?? Number.NaN);
  const liquidation = at(loan.terms.liquidation_ltv ?? Number.NaN);
  const priceAt = (level: PriceLevel | undefined) => (level === undefined ? null : level.factor * price);
  return {
    Asset: asset,
    Price: price,
    CallPrice: priceAt(call),
    LiquidationPrice: priceAt(liquidation),
    ...((call ?? liquidation)?.rises === true && { Rise: true as const }),
  };
}
