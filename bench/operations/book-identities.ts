/**
 * What the figures of a book add up to: parts to their whole, levels in their order.
 *
 * Takes: a request and its answer of 200. Gives: the identities that it breaks, in sentences.
 */
import type { BookRequest, Json } from './generated-books.ts';

/** Relative difference of sums of doubles that a book rounds to units of 2^-30 of a loan. */
const ROUNDING = 1e-6;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), value);
const rowsOf = (value: unknown): Json[] => (isObject(value) ? Object.values(value).filter(isObject) : []);
const total = (rows: readonly Json[], ...keys: readonly string[]) =>
  rows.reduce((sum, each) => sum + Number(at(each, ...keys) ?? 0), 0);

/** What of an answer is not as it must be, in sentences. */
class Faults {
  readonly found: string[] = [];
  private readonly scale: number;

  /** @param scale USD of the book, to which rounding is relative */
  constructor(scale: number) {
    this.scale = scale;
  }

  same(what: string, one: unknown, other: unknown): void {
    const [a, b] = [Number(one), Number(other)];
    if (!(Math.abs(a - b) <= ROUNDING * Math.max(this.scale, Math.abs(a))))
      this.found.push(`${what}: ${a} and ${b}`);
  }

  inOrder(what: string, ...values: readonly unknown[]): void {
    values.slice(1).forEach((value, i) => {
      if (!(Number(values[i]) <= Number(value) + ROUNDING * this.scale))
        this.found.push(`${what}: ${values.join(' <= ')}`);
    });
  }
}

/** Of `Book`, its loans and its borrowers. */
function ofBook(
  faults: Faults,
  where: string,
  book: Json,
  loans: readonly Json[],
  borrowers: readonly Json[],
): void {
  const lost = book.ExpectedLoss;
  faults.same(`${where} ExpectedLoss of the loans`, total(loans, 'ExpectedLoss'), lost);
  faults.same(
    `${where} MarginCalls of the loans`,
    total(loans, 'PrMarginCall'),
    at(book, 'MarginCalls', 'Mean'),
  );
  faults.inOrder(`${where} ExpectedLoss of borrowers`, total(borrowers, 'ExpectedLoss'), lost);
  for (const [level, cvar] of Object.entries(book.LossCVar as Json)) {
    faults.same(`${where} CVarContribution at ${level}`, total(loans, 'CVarContribution', level), cvar);
    faults.same(
      `${where} LossCVar of assets at ${level}`,
      total(rowsOf(book.Assets), 'LossCVar', level),
      cvar,
    );
    faults.inOrder(`${where} LossCVar at ${level}`, 0, at(book, 'LossVar', level), cvar);
    faults.inOrder(`${where} mean and LossCVar at ${level}`, lost, cvar);
    const peak = at(book, 'PeakDay', 'CVar', level);
    faults.same(`${where} PeakDayCVar at ${level}`, total(rowsOf(book.Assets), 'PeakDayCVar', level), peak);
    faults.inOrder(`${where} PeakDay at ${level}`, peak, at(book, 'ForcedSaleUsd', 'CVar', level));
    const capital = at(book, 'EconomicCapital', level);
    if (typeof capital === 'number') {
      const above = Math.max(0, Number(at(book, 'LossVar', level)) - Number(lost));
      faults.same(`${where} EconomicCapital at ${level}`, capital, above);
      if (Number(cvar) > Number(lost))
        faults.same(
          `${where} CapitalContribution at ${level}`,
          total(loans, 'CapitalContribution', level),
          capital,
        );
    }
  }
  for (const share of rowsOf(book.Assets))
    faults.inOrder(`${where} CollateralShare`, 0, share.CollateralShare, 1);
  faults.same(`${where} CollateralShare`, total(rowsOf(book.Assets), 'CollateralShare'), 1);
  const layers = book.Waterfall;
  if (isObject(layers)) {
    const borne = ['Spread', 'Reserve', 'Tranches', 'Uncovered'].reduce(
      (sum, name) => sum + Number(layers[name]),
      0,
    );
    faults.same(`${where} Waterfall`, borne, lost);
    faults.same(`${where} Tranches`, total(rowsOf(book.Tranches), 'ExpectedLoss'), layers.Tranches);
  }
  for (const tranche of rowsOf(book.Tranches)) {
    if (tranche.Attach === null) continue;
    const { ExpectedLoss, ExpectedLossPct, Size, PrFullLoss, PrLoss } = tranche;
    faults.same(`${where} ExpectedLossPct`, (Number(ExpectedLossPct) * Number(Size)) / 100, ExpectedLoss);
    faults.inOrder(`${where} chances of a tranche`, 0, PrFullLoss, PrLoss, book.PrLoss);
    for (const [level, cvar] of Object.entries(tranche.LossCVar as Json))
      faults.inOrder(`${where} LossCVar of a tranche`, 0, at(tranche, 'LossVar', level), cvar, Size);
  }
  for (const each of loans) {
    const { PD, EAD, LGD, EL } = (each.Credit ?? {}) as Json;
    if (typeof EAD === 'number') faults.same(`${where} PD x EAD x LGD`, Number(PD) * EAD * Number(LGD), EL);
  }
  if (isObject(book.Credit)) {
    faults.same(
      `${where} ECL of stages`,
      total(rowsOf(at(book, 'Credit', 'Stages')), 'ECL'),
      at(book, 'Credit', 'ECL'),
    );
    faults.same(`${where} ECL of loans`, total(loans, 'Credit', 'ECL'), at(book, 'Credit', 'ECL'));
  }
}

function ofScenario(faults: Faults, name: string, scenario: Json, base: Json): void {
  const loans = rowsOf(scenario.Loans);
  const book = isObject(scenario.Book) ? scenario.Book : undefined;
  faults.same(`${name} CollateralUsd`, total(loans, 'CollateralUsd'), scenario.CollateralUsd);
  faults.same(`${name} LoanUsd`, total(loans, 'LoanUsd'), scenario.LoanUsd);
  for (const [status, member] of [
    ['called', 'Called'],
    ['liquidated', 'Liquidated'],
  ]) {
    const own = loans.filter(each => each.Status === status);
    faults.same(`${name} ${member}`, own.length, at(scenario, member, 'Loans'));
    faults.same(`${name} ${member} USD`, total(own, 'LoanUsd'), at(scenario, member, 'LoanUsd'));
  }
  if (isObject(scenario.Replay))
    for (const figure of ['Loss', 'ForcedSaleUsd'])
      faults.same(`${name} ${figure}`, total(loans, 'Replay', figure), scenario.Replay[figure]);
  const lossOf = (each: Json) =>
    Number(at(each, 'Replay', 'Loss') ?? 0) + Number(at(each, 'Book', 'ExpectedLoss') ?? 0);
  if (book !== undefined || isObject(scenario.Replay))
    faults.same(`${name} Loss`, total(loans, 'Loss'), lossOf(scenario));
  const change = at(scenario, 'Change', 'ExpectedLoss', 'Value');
  if (typeof change === 'number') faults.same(`${name} Change`, change, lossOf(scenario) - lossOf(base));
  const borrowers = rowsOf(scenario.Borrowers);
  const simulated = loans.map(each => each.Book).filter(isObject);
  if (book !== undefined) ofBook(faults, name, book, simulated, borrowers);
}

/** The first page is of the loans below it, and the book as it is stands among its scenarios. */
function ofReport(faults: Faults, report: Json): void {
  const loans = report.Loans as readonly Json[];
  const headline = String(at(report, 'Run', 'Headline'));
  const book = at(report, 'Models', headline, 'Book') as Json;
  const own = new Faults(Number(book.LoanValue));
  own.same('Today LoanUsd', total(loans, 'LoanUsd'), at(report, 'Today', 'LoanUsd'));
  own.same('LoanValue', total(loans, 'LoanUsd'), book.LoanValue);
  // A call is open down to the recovery LTV.
  own.inOrder('Calls', at(report, 'Today', 'Called'), (report.Calls as readonly unknown[]).length);
  const borrowers = rowsOf(at(report, 'Models', headline, 'Borrowers'));
  ofBook(
    own,
    headline,
    book,
    loans.map(each => each.Figures as Json),
    borrowers,
  );
  const scenarios = at(report, 'Stress', 'Scenarios');
  if (Array.isArray(scenarios))
    own.same('As it is', at(scenarios[0], 'Then', 'ExpectedLoss'), book.ExpectedLoss);
  faults.found.push(...own.found);
}

/** The identities that an answer of 200 breaks. @param sent of `bookRequests` */
export function brokenIdentities({ path }: BookRequest, answer: Json): readonly string[] {
  const faults = new Faults(1);
  const route = path.split('?')[0];
  if (route === '/book_risk') {
    const { Book, Loans, Borrowers } = answer.Output as Json;
    const own = new Faults(Number(at(Book, 'LoanValue')));
    own.same(
      'LoanValue',
      total(at(answer, 'Arguments', 'loans') as Json[], 'loan_value'),
      at(Book, 'LoanValue'),
    );
    ofBook(own, '', Book as Json, rowsOf(Loans), rowsOf(Borrowers));
    return own.found;
  }
  if (route === '/book_report') ofReport(faults, answer);
  if (route === '/stress')
    for (const output of [answer.Output, answer.Compared].filter(isObject)) {
      const scenarios = output.Scenarios as Readonly<Record<string, Json>>;
      const own = new Faults(Number(scenarios.base.LoanUsd));
      for (const [name, scenario] of Object.entries(scenarios))
        ofScenario(own, name, scenario, scenarios.base);
      faults.found.push(...own.found);
    }
  return faults.found;
}
