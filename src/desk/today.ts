/** The loans of a tape today: LTV bands, concentration, prices of margin calls and liquidations. */
import { factorAt, type PriceLevel } from '../core/lending/price-level.ts';
import type { CollateralLine, TapeLoan } from '../tape/tape.ts';
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
  const { collateralUsd, loanUsd, ltv, liquidationLtv, status } = loanValueOf(loan, prices);
  const { margin_call_ltv: call = Number.NaN } = loan.terms;
  const falling = fallingOf(loan, prices);
  const secured = fallingOf(loan, prices, thresholdOf(loan));
  const isByAsset = loan.collateral.some(line => line.liquidationLtv !== undefined);
  return {
    Id: loan.id,
    Borrower: loan.borrower ?? null,
    Lines: loan.lines,
    CollateralUsd: collateralUsd,
    LoanUsd: loanUsd,
    Ltv: ltv,
    MarginCallLtv: call,
    LiquidationLtv: liquidationLtv,
    Status: status,
    ...falling,
    ...(isByAsset && { SecuredFallingShare: secured.FallingShare }),
    FallToCall: fallTo(ltv / call, falling),
    FallToLiquidation: fallTo(ltv / liquidationLtv, secured),
    Levels: levelAssets(loan).map(asset => levelsOf(loan, asset, prices)),
  };
}

type Falling = Pick<LoanLine, 'FallingShare' | 'LoanFalls'>;

/** The liquidation LTV of each asset of a collateral. */
const thresholdOf =
  ({ terms }: TapeLoan) =>
  ({ liquidationLtv }: CollateralLine): number =>
    liquidationLtv ?? terms.liquidation_ltv ?? Number.NaN;

/**
 * The collateral that falls with all prices: without currencies and stablecoins, as in the scenarios.
 *
 * @param weightOf factor of the value of an asset
 */
function fallingOf(
  { collateral, loanAsset }: TapeLoan,
  prices: Prices,
  weightOf = (_: CollateralLine) => 1,
): Falling {
  const sumOf = (lines: readonly CollateralLine[]) =>
    lines.reduce(
      (sum, line) => sum + weightOf(line) * unitsOf(line, prices) * priceOf(line.asset, prices),
      0,
    );
  const steady = sumOf(collateral.filter(({ asset }) => isMoney(asset)));
  const falls = !isMoney(loanAsset) && collateral.some(({ asset }) => asset === loanAsset);
  return { FallingShare: 1 - steady / sumOf(collateral), ...(falls && { LoanFalls: true as const }) };
}

/** @param used LTV today over the LTV that is reached */
function fallTo(used: number, { FallingShare, LoanFalls }: Falling): number | null {
  if (used >= 1) return 0;
  const fall = (1 - used) / (FallingShare - (LoanFalls ? used : 0));
  return fall > 0 && fall < 1 ? fall : null;
}

/** A loan after its collateral, except money, has fallen; its debt falls too if it is in such an asset. */
export function afterFall(
  {
    LoanUsd,
    CollateralUsd,
    LiquidationLtv,
    FallingShare,
    LoanFalls,
    SecuredFallingShare = FallingShare,
  }: Falling & Pick<LoanLine, 'LoanUsd' | 'CollateralUsd' | 'LiquidationLtv' | 'SecuredFallingShare'>,
  fall: number,
): Readonly<Record<'loanUsd' | 'collateralUsd' | 'ltv' | 'liquidationLtv', number>> {
  const loanUsd = LoanUsd * (LoanFalls ? 1 - fall : 1);
  const collateralUsd = CollateralUsd * (1 - fall * FallingShare);
  const secured = LiquidationLtv * CollateralUsd * (1 - fall * SecuredFallingShare);
  const liquidationLtv = SecuredFallingShare === FallingShare ? LiquidationLtv : secured / collateralUsd;
  return { loanUsd, collateralUsd, ltv: loanUsd / collateralUsd, liquidationLtv };
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
  const threshold = thresholdOf(loan);
  const { margin_call_ltv = Number.NaN } = loan.terms;
  const lent = { [loan.loanAsset]: owedUsd(loan, prices) };
  const at = (ltvOf: (line: CollateralLine) => number) => {
    const secured = loan.collateral.map(
      line => [line.asset, ltvOf(line) * unitsOf(line, prices) * priceOf(line.asset, prices)] as const,
    );
    return factorAt(asset, 1, 1, Object.fromEntries(secured), lent, isSteady(asset));
  };
  const call = at(() => margin_call_ltv);
  const liquidation = at(threshold);
  const priceAt = (level: PriceLevel | undefined) => (level === undefined ? null : level.factor * price);
  return {
    Asset: asset,
    Price: price,
    CallPrice: priceAt(call),
    LiquidationPrice: priceAt(liquidation),
    ...((call ?? liquidation)?.rises === true && { Rise: true as const }),
  };
}
