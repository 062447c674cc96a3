/**
 * Cross-margined accounts by the kernel: it follows a packet of paths hour by hour, and leaves the hours with a forced close to
 * src/core/product/account.ts, a path at a time. So the rules of closing are written once for the processor.
 */
import { type Closes, copyCloses, noCloses } from '../account/closing.ts';
import type { HourLaw } from '../account/hour-law.ts';
import { HOURS_PER_DAY } from '../plan/grid.ts';
import type { AccountProduct } from '../plan/product/account.ts';
import { settlementsPerStep } from '../plan/product/perpetual.ts';
import type { PathRange } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { type AccountFollower, AccountOnPath, accountOn, NEVER } from '../product/account.ts';
import type { MarkCounts } from '../product/path-counts.ts';
import { hourLaw } from '../reference/hour-law.ts';
import { type FundingPlaces, writeAccount, writeHourLaw, writeProcesses } from './account-terms.ts';
import { addEntries, FanRows } from './fan-rows.ts';
import type { Kernel } from './kernel.ts';
import { PacketPrices } from './packet-prices.ts';
import { writePriceMarket } from './parameters.ts';

const WORD_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Hours of a block of the kernel. */
const BLOCK_HOURS = 48;
/** Above every leverage: of hours without one. */
const BEYOND = 3e38;

/** Places of the state of a path in vectors, up to the shares that are open: kernel/account.ts. */
const PLACES = {
  openPaths: 0,
  called: 1,
  callHour: 2,
  excess: 3,
  callExcess: 4,
  bound: 5,
  peak: 6,
  drawdown: 7,
  equity: 8,
  leverages: 9,
  lowest: 10,
  highest: 11,
  open: 16,
} as const;

/** Runs the account of a range by the kernel, if it holds it. @param counts receives the equity of all paths */
export function packetAccounts(
  kernel: Kernel,
  plan: SimulationPlan<AccountProduct>,
  range: PathRange,
  counts: MarkCounts | undefined,
): AccountFollower {
  const { scenarios, seed, product } = plan;
  if (beyondKernel(kernel, product))
    return accountOn(
      plan,
      new PacketPrices(kernel, scenarios, seed, product.steps),
      hourLaw(scenarios, seed),
      counts,
    );
  return new PacketAccounts(kernel, plan, range, counts);
}

/** Whether the kernel only draws the prices of an account. */
const beyondKernel = ({ exports }: Kernel, { rows, currencies }: AccountProduct) =>
  rows.length > exports.MAX_ROWS.value || currencies.length > exports.MAX_CURRENCIES.value;

/** What the host keeps of a path: of what is closed, and of the end. */
class ClosedPath {
  closes: Closes;
  readonly endPrices: Float64Array;
  closeHour = NEVER;
  endHour = NEVER;
  /** Whether the host has followed the path; else it is as at the start. */
  wasFollowed = false;

  constructor(rows: number, assets: number) {
    this.closes = noCloses(rows);
    this.endPrices = new Float64Array(assets + 1);
  }

  /** Makes the account that of this path. */
  load(account: AccountOnPath): void {
    account.closing.closes = this.closes;
    account.closeHour = this.closeHour;
    account.endHour = this.endHour;
    account.endPrices.set(this.endPrices);
  }

  /** Keeps what the account has of this path. */
  store(account: AccountOnPath): void {
    this.closes = account.closing.closes;
    this.closeHour = account.closeHour;
    this.endHour = account.endHour;
    this.endPrices.set(account.endPrices);
  }
}

class PacketAccounts implements AccountFollower {
  readonly account: AccountOnPath;
  private readonly product: AccountProduct;
  private readonly assets: number;
  /** Places of the product's rows in the kernel: those of a currency lie together. */
  private readonly placeOf: Uint32Array;
  private readonly shock: Float64Array;
  private readonly closed: readonly ClosedPath[];
  /** What a shock closes at the start. */
  private readonly start: ClosedPath;
  private readonly gains: number;
  private readonly leverage: number;
  private readonly funding: FundingPlaces;
  private readonly fan: FanRows | undefined;
  private readonly values: number;
  private readonly sums: number;
  private readonly since: number;
  private firstOfPacket = Number.NEGATIVE_INFINITY;
  private packetEnd = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly kernel: Kernel,
    plan: SimulationPlan<AccountProduct>,
    private readonly range: PathRange,
    private readonly counts: MarkCounts | undefined,
  ) {
    const { scenarios, seed, product } = plan;
    const { exports, lanes } = kernel;
    const { rows, steps, currencies } = product;
    this.product = product;
    this.assets = scenarios.assets;
    this.values = PLACES.open + exports.MAX_ROWS.value;
    this.sums = this.values + 2 * exports.MAX_CURRENCIES.value;
    this.since = this.sums + exports.MAX_CURRENCIES.value + 2 * exports.MAX_ROWS.value;
    const law = hourLaw(scenarios, seed);
    this.account = new AccountOnPath(product, plan, this.laneLaw(law));
    this.shock = Float64Array.from({ length: this.assets + 1 }, (_, i) => product.shock?.[i] ?? 1);
    const order = currencies.flatMap((_, c) =>
      rows.flatMap(({ currency }, i) => (currency === c ? [i] : [])),
    );
    this.placeOf = Uint32Array.from(rows, (_, i) => order.indexOf(i));

    const intervals = [...new Set(rows.map(({ fundingIntervalHours }) => fundingIntervalHours))];
    const start = exports.PATHS.value;
    const dues = start + kernel.inVectors(writePriceMarket(kernel, scenarios, seed));
    const duesBytes = kernel.inVectors(WORD_BYTES * steps);
    const tiers = dues + duesBytes * (1 + intervals.length);
    const tierCount = rows.reduce((sum, row) => sum + row.tiers.length, 0);
    this.gains = tiers + kernel.inVectors(2 * WORD_BYTES * tierCount);
    this.leverage = this.gains + (this.assets + 1) * exports.GAIN_BYTES.value;
    const states = this.leverage + kernel.vectorBytes * (steps + 3);
    const processes = states + 2 * kernel.vectorBytes * product.processes.length;
    const ratesBytes = kernel.vectorBytes * BLOCK_HOURS;
    const rates = processes + kernel.inVectors(exports.PROCESS_BYTES.value * product.processes.length);
    this.funding = { processes, states, rates, ratesBytes };
    const behind = rates + ratesBytes * product.processes.length;
    this.fan = counts && new FanRows(kernel, steps);
    kernel.reserve(behind - start + (this.fan?.bytes ?? 0));

    const dueBytes = new Map(intervals.map((hours, k) => [hours, dues + duesBytes * (k + 1)]));
    for (const [hours, at] of dueBytes) kernel.singles.set(settlementsPerStep(steps, hours), at / WORD_BYTES);
    for (let t = 0; t < steps; t++) {
      const isDue = [...dueBytes.values()].some(at => kernel.singles[at / WORD_BYTES + t] > 0);
      kernel.integers[dues / WORD_BYTES + t] = Number(isDue);
    }
    writeAccount(kernel, this.account.account, {
      ...{ order, dues, dueBytes, tiers, shock: this.shock, equity: this.account.equityAtStart },
      ...{ gains: this.gains, leverage: this.leverage, funding: this.funding },
    });
    writeProcesses(kernel, product, law, this.funding);
    writeHourLaw(kernel, law);
    this.fan?.place(kernel, behind, { nominal: 0, areLogs: false, unitOfLog: 1 });
    this.start = new ClosedPath(rows.length, this.assets);
    this.closed = Array.from({ length: lanes }, () => new ClosedPath(rows.length, this.assets));
    this.writeStart();
  }

  follow(path: number): void {
    if (path < this.firstOfPacket || path >= this.packetEnd) this.run(path);
    this.load(path - this.firstOfPacket);
  }

  /** Deviations of the hour in hand as the kernel has them. */
  private laneLaw({ correlation, scale, isOfNormals }: HourLaw): HourLaw {
    const deviations = new Float64Array(this.assets);
    return {
      correlation,
      scale,
      isOfNormals,
      start: () => undefined,
      deviations: () => {
        const { kernel, lane } = this;
        const day = Math.floor(((this.hours - 1) % BLOCK_HOURS) / HOURS_PER_DAY);
        const at = kernel.exports.DEVIATIONS.value / WORD_BYTES + day * kernel.lanes + lane;
        for (let i = 0; i < deviations.length; i++) deviations[i] = kernel.singles[at + 2 * kernel.lanes * i];
        return deviations;
      },
      normals() {
        throw new RangeError('the kernel draws the rates of funding');
      },
    };
  }

  /** Hours that are behind. */
  private get hours(): number {
    return this.kernel.integers[this.kernel.exports.ACCOUNT.value / WORD_BYTES + 9];
  }

  private lane = 0;

  /** Index of the first lane of an asset's gain at an hour of the block in hand, from 0; negative in an earlier block. */
  private gainAt(asset: number, hour: number): number {
    const { exports, lanes } = this.kernel;
    const row = (this.gains + asset * exports.GAIN_BYTES.value) / WORD_BYTES;
    return row + (exports.EARLIER_HOURS.value + hour) * lanes;
  }

  /** Index of the first lane of a place of the state. */
  private at(place: number): number {
    const { exports, lanes } = this.kernel;
    return exports.ACCOUNT_STATE.value / WORD_BYTES + place * lanes;
  }

  /** Writes the state at the start, after a shock, to all lanes. */
  private writeStart(): void {
    const { kernel, account, product } = this;
    const { ACCOUNT_START } = kernel.exports;
    account.begin(0);
    for (let lane = 0; lane < kernel.lanes; lane++)
      this.write(ACCOUNT_START.value / WORD_BYTES + lane, this.values);
    const { leverages } = account;
    const leverage = leverages > 0 ? account.leverage[0] : BEYOND;
    kernel.putInteger(ACCOUNT_START, PLACES.leverages, leverages);
    kernel.put(ACCOUNT_START, PLACES.lowest, leverage);
    kernel.put(ACCOUNT_START, PLACES.highest, leverage);
    for (let place = this.sums; place < 2 * this.since - this.sums; place++)
      if (place >= this.sums + product.currencies.length) kernel.put(ACCOUNT_START, place, 0);
    this.start.store(account);
  }

  /**
   * Writes the account after an hour as the state of a path, but for its sums of funding and leverage.
   *
   * @param at index of place 0 of the path
   * @param values place of the values of its currencies
   */
  private write(at: number, values: number): void {
    const { kernel, account, product } = this;
    const { singles, integers, lanes } = kernel;
    const { state, equityAtStart: equity, callHour, isOver } = account;
    const put = (place: number, value: number) => {
      singles[at + place * lanes] = value;
    };
    integers[at + PLACES.openPaths * lanes] = isOver ? 0 : -1;
    integers[at + PLACES.called * lanes] = callHour === NEVER ? 0 : -1;
    integers[at + PLACES.callHour * lanes] = callHour;
    put(PLACES.excess, state.excess / equity);
    put(PLACES.callExcess, (state.marginEquity - state.required / product.marginCallRatio) / equity);
    put(PLACES.peak, account.peak / equity);
    put(PLACES.drawdown, account.maxEquityDrawdown / equity);
    put(PLACES.equity, account.equity / equity);
    product.currencies.forEach(({ asset }, c) => {
      put(values + c, state.value[c] / equity);
      put(this.sums + c, (state.balance[c] * this.shock[asset]) / equity);
      put(this.since + c, 0);
    });
    put(PLACES.bound, state.slopeBound / equity);
    this.placeOf.forEach((place, i) => {
      put(PLACES.open + place, state.open[i]);
    });
  }

  /** Runs the packet that begins with a path. */
  private run(path: number): void {
    const { kernel, product, range, fan, counts, closed } = this;
    const { exports, lanes } = kernel;
    this.firstOfPacket = path;
    this.packetEnd = path + lanes;
    for (const each of closed) each.wasFollowed = false;
    const counted = fan !== undefined;
    const ofRange = Math.min(lanes, range.first + range.count - path);
    exports.beginAccounts(path, product.steps, this.leverage, ofRange, counted);
    for (let events = exports.followAccounts(); events !== 0; events = exports.followAccounts())
      for (let lane = 0; lane < lanes; lane++) if ((events >>> lane) & 1) this.followHour(lane);
    // The counts are those of all packets so far.
    if (counts === undefined || fan === undefined || path + lanes < range.first + range.count) return;
    addEntries(counts.counts, 0, fan.all(kernel));
  }

  /** Follows a path through the hour that is behind. */
  private followHour(lane: number): void {
    const { kernel, account, closed, assets, product, shock } = this;
    const { singles, integers, lanes, exports } = kernel;
    const { equityAtStart: equity, state } = account;
    const path = closed[lane];
    const at = this.at(0) + lane;
    const read = (place: number) => singles[at + place * lanes];
    const hour = this.hours;
    this.lane = lane;
    if (!path.wasFollowed) {
      this.start.load(account);
      account.closing.closes = copyCloses(account.closing.closes, path.closes);
      path.wasFollowed = true;
    } else path.load(account);
    const index = (hour - 1) % BLOCK_HOURS;
    const earliest = Math.max(1, hour - Math.max(1, product.feedLagHours));
    for (let i = 0; i < assets; i++)
      for (let t = earliest; t <= hour; t++)
        account.paths[i][t - 1] = 1 + singles[this.gainAt(i, index - (hour - t)) + lane];
    product.processes.forEach((_, j) => {
      const { rates, ratesBytes } = this.funding;
      const ofHour = (rates + j * ratesBytes) / WORD_BYTES + index * lanes + lane;
      account.funding.rates[j][hour - 1] = singles[ofHour];
    });
    this.placeOf.forEach((place, i) => {
      state.open[i] = read(PLACES.open + place);
    });
    product.currencies.forEach(({ asset }, c) => {
      state.balance[c] = ((read(this.sums + c) + read(this.since + c)) * equity) / shock[asset];
    });
    account.callHour = integers[at + PLACES.callHour * lanes];
    account.peak = read(PLACES.peak) * equity;
    account.maxEquityDrawdown = read(PLACES.drawdown) * equity;
    account.followHour(this.firstOfPacket + lane, hour);
    path.store(account);
    const header = exports.ACCOUNT.value / WORD_BYTES;
    this.write(at, (integers[header + 10] - exports.ACCOUNT_STATE.value) / kernel.vectorBytes);
    const funded = this.since + exports.MAX_CURRENCIES.value;
    this.placeOf.forEach((place, i) => {
      const { asset } = product.currencies[product.rows[i].currency];
      singles[at + (funded + place) * lanes] += account.rowFunding[i] / equity;
      singles[at + (funded + exports.MAX_ROWS.value + place) * lanes] +=
        (account.fundingUnits[i] * shock[asset]) / equity;
    });
    const [leverage] = account.leverage;
    if (account.leverages > 0) {
      singles[this.leverage / WORD_BYTES + hour * lanes + lane] = leverage;
      integers[at + PLACES.leverages * lanes]++;
      const lowest = at + PLACES.lowest * lanes;
      const highest = at + PLACES.highest * lanes;
      singles[lowest] = Math.min(singles[lowest], leverage);
      singles[highest] = Math.max(singles[highest], leverage);
    }
    singles[exports.EQUITIES.value / WORD_BYTES + index * lanes + lane] =
      Math.max(0, account.equity) / equity;
  }

  /** Makes the account that of a path at its end. */
  private load(lane: number): void {
    const { kernel, account, closed, assets, product, shock } = this;
    const { singles, integers, lanes, exports } = kernel;
    const { equityAtStart: equity, state } = account;
    const at = this.at(0) + lane;
    const read = (place: number) => singles[at + place * lanes];
    (closed[lane].wasFollowed ? closed[lane] : this.start).load(account);
    account.callHour = integers[at + PLACES.callHour * lanes];
    account.finalEquity = read(PLACES.equity) * equity;
    account.maxEquityDrawdown = read(PLACES.drawdown) * equity;
    account.accumulatedFunding = 0;
    const sums = this.sums + exports.MAX_CURRENCIES.value;
    const since = this.since + exports.MAX_CURRENCIES.value;
    this.placeOf.forEach((place, i) => {
      const { asset } = product.currencies[product.rows[i].currency];
      state.open[i] = read(PLACES.open + place);
      account.rowFunding[i] = (read(sums + place) + read(since + place)) * equity;
      const units = exports.MAX_ROWS.value + place;
      account.fundingUnits[i] = ((read(sums + units) + read(since + units)) * equity) / shock[asset];
      account.accumulatedFunding += account.rowFunding[i];
    });
    if (!account.isOver)
      for (let i = 0; i < assets; i++) {
        const gain = this.gainAt(i, (product.steps - 1) % BLOCK_HOURS) + lane;
        account.endPrices[i] = shock[i] * (1 + singles[gain]);
      }
    const medians = this.leverage / WORD_BYTES + (product.steps + 1) * lanes + lane;
    const hasLeverage = integers[at + PLACES.leverages * lanes] > 0;
    account.medianLeverage = hasLeverage ? (singles[medians] + singles[medians + lanes]) / 2 : 0;
    account.setFlags();
  }
}
