/** Decimals of the smallest unit of an asset: 18 of ETH, whose smallest unit is a wei, 8 of BTC (satoshi). */
export const DECIMALS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [
        18,
        'ETH WETH STETH WSTETH RETH CBETH WEETH DAI LINK AAVE UNI MKR CRV LDO ARB OP BNB POL MATIC AVAX SHIB PEPE',
      ],
      [8, 'BTC WBTC CBBTC DOGE LTC BCH'],
      [9, 'SOL WSOL'],
      [6, 'USDC USDT EURC XRP ADA ATOM TRX'],
      [10, 'DOT'],
    ] as const
  ).flatMap(([decimals, symbols]) => symbols.split(' ').map(symbol => [symbol, decimals])),
);
