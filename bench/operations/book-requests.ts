/** Books that are sent to a server, for measurements of what a request costs. */
import type { ServiceProcess } from './service.ts';

/** What `x-compute` selects on a server without a GPU. */
export const ENGINES = { reference: 'cpu', simd: 'auto' } as const;

const COINS = ['BTC', 'ETH', 'SOL'];

/** Numbers in 0..1 that follow one another without a pattern: the fractional parts of multiples of an irrational number. */
const spreadOver = (k: number, step: number) => (k * step) % 1;

/** @param own whether each loan has a basket of its own, of three coins; else all have one coin */
export function loansOf(own: boolean, loans: number) {
  return Array.from({ length: loans }, (_, k) => {
    const eth = Math.ceil(400 * spreadOver(k + 1, 0.754877666)) / 1000;
    const sol = Math.ceil(300 * spreadOver(k + 1, 0.569840291)) / 1000;
    const [first, second, third] = COINS;
    return {
      id: `l${k}`,
      collateral_weights: own
        ? { [first]: (1000 - Math.round(1000 * (eth + sol))) / 1000, [second]: eth, [third]: sol }
        : { [first]: 1 },
      loan_weights: { USD: 1 },
      loan_value: 1000 + k,
      loan_duration: 30,
      N: Math.round(1500 + 700 * spreadOver(k, 0.618033989)) / 1000,
      ...{ M: 1.35, L: 1.15, mc_top_up: 24 },
    };
  });
}

/** An answer and how long it took. @throws Error for any status but 200 */
export async function ask(service: ServiceProcess, path: string, body: object, compute: string) {
  const { status, body: text, milliseconds } = await service.ask(path, body, { 'x-compute': compute });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
  return { milliseconds, output: JSON.parse(text).Output };
}
