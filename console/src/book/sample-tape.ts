/**
 * A tape to try: loans of several sizes, loan-to-values and borrowers against the assets of the server; three of them are in call.
 *
 * A fixed rule makes it: the same data give everyone the same figures.
 */
const LOANS = 60;
const BORROWERS = 17;
const COLLATERAL = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'LINK', 'LTC', 'ADA'];
const HEADER =
  'loan_id,borrower,collateral_asset,collateral_value,loan_asset,loan_amount,initial_ltv,margin_call_ltv,liquidation_ltv,interest,grace_hours';

/** @param symbols assets that the server has; others are left out */
export function sampleTape(symbols: readonly string[]): string {
  const known = COLLATERAL.filter(symbol => symbols.includes(symbol));
  const assets = known.length > 0 ? known : ['BTC'];
  const rows = Array.from({ length: LOANS }, (_, i) => {
    const main = assets[(i * i) % assets.length];
    const other = assets[(i * 3 + 1) % assets.length];
    const debt = 25_000 * (1 + ((i * 7) % 40));
    const call = 0.7 + 0.02 * (i % 6);
    // Every twentieth loan lies above its margin call.
    const ltv = i % 20 === 7 ? call + 0.02 : call - 0.08 - 0.03 * (i % 9);
    const value = debt / ltv;
    const shares =
      main === other || i % 3 === 0 ? [[main, 1] as const] : [[main, 0.7] as const, [other, 0.3] as const];
    return shares
      .map(([asset, share]) =>
        [
          `loan-${String(i + 1).padStart(3, '0')}`,
          `borrower-${String(1 + ((i * 5) % BORROWERS)).padStart(2, '0')}`,
          asset,
          Math.round(share * value),
          'USD',
          debt,
          (call - 0.1).toFixed(2),
          call.toFixed(2),
          (call + 0.1).toFixed(2),
          (0.08 + 0.01 * (i % 5)).toFixed(2),
          [12, 24, 48][i % 3],
        ].join(','),
      )
      .join('\n');
  });
  return `${[HEADER, ...rows].join('\n')}\n`;
}
