/** Every remedy that names an option: followed by the command line as it is written, it leads to the right figure. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addTapeOptions, type TapeRunSent, tapeRunOptions } from '#src/cli/tape-options.js';
import type { TapeOptions } from '#src/tape/read-tape.js';
import { COMMAND_WORDS, type OptionRemedy, REMEDY_KINDS, remedyText } from '#src/tape/remedies.js';
import { textTable } from '#src/tape/tables.js';
import type { TapeFault, TapeLoan } from '#src/tape/tape.js';
import { readOnce } from '../support/answered-tape.ts';

const HEADER =
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours';
const ROW = 'a,BTC,2,USD,50000,80 %,90 %,24';

interface Case {
  readonly header?: string;
  readonly rows?: readonly string[];
  /** Said before. */
  readonly options?: TapeOptions;
  /** Which of the options of the remedy a person takes; the first where absent. */
  readonly takes?: RegExp;
  /** What a person writes for `...`. */
  readonly fills?: string;
  /** The right figure of the first loan. */
  readonly of: (loan: TapeLoan) => unknown;
  readonly is: unknown;
}

/** Remedies that are followed outside of the tape: newer data, prices of an asset, another cell. */
type Outside = 'newerData' | 'importHistory' | 'joinHistory' | 'importPrices' | 'points' | 'commas' | 'mark';

const ratio = (loan: TapeLoan) => loan.terms.margin_call_ltv?.toFixed(3);
const maturity = ({ terms }: TapeLoan) => new Date(Number(terms.maturity) - 1).toISOString().slice(0, 10);
const WITH_DATE = `${HEADER},maturity`;

const CASES: Readonly<Record<Exclude<OptionRemedy['kind'], Outside>, Case>> = {
  dates: { header: WITH_DATE, rows: [`${ROW},06/12/2026`], of: maturity, is: '2026-12-06' },
  dayFirst: { header: WITH_DATE, rows: [`${ROW},31-Dec-26`], of: maturity, is: '2026-12-31' },
  decimal: { rows: [ROW.replace('BTC,2', 'BTC,"1,500"')], of: loan => loan.collateral[0].amount, is: 1500 },
  ratios: { rows: [ROW.replace('80 %,90 %', '1.3,1.1')], of: ratio, is: '0.769' },
  headerRow: {
    rows: ['loan_id,collateral_asset,collateral_amount,loan_asset,Wrong,x,y,z', ROW],
    options: { headerRow: 9 },
    fills: '1',
    of: loan => loan.loanAmount,
    is: 50_000,
  },
  accept: { rows: [ROW.replace('50000', '500000')], of: loan => loan.loanAmount, is: 500_000 },
  smallestUnits: {
    rows: ['a,ETH,15000000000000000000,USDC,20000000000,0.80,0.83,1'],
    of: loan => [loan.collateral[0].amount, loan.loanAmount],
    is: [15, 20_000],
  },
  percent: {
    header: `${HEADER},interest`,
    rows: [`${ROW},2`],
    of: loan => loan.terms.interest,
    is: 0.02,
  },
  fractions: {
    header: HEADER.replace('margin_call_ltv', 'MC LTV (%)'),
    rows: [ROW.replace('80 %', '0.8'), ROW.replace('a,', 'b,').replace('80 %', '1')],
    options: { percent: ['margin_call_ltv'] },
    of: ratio,
    is: '0.800',
  },
  nameColumn: { header: HEADER.replace('loan_id', 'loan_idd'), of: ({ id }) => id, is: 'a' },
  nameOrFill: { header: HEADER.replace('loan_amount', 'Loan Sum'), of: loan => loan.loanAmount, is: 50_000 },
  chooseColumn: {
    header: `${HEADER},MC LTV`,
    rows: [`${ROW},0.7`],
    takes: /MC LTV/,
    of: ratio,
    is: '0.700',
  },
  chooseDebt: {
    header: `${HEADER},Outstanding Balance`,
    rows: [`${ROW},56000`],
    takes: /Outstanding/,
    of: loan => loan.loanAmount,
    is: 56_000,
  },
  addInterest: {
    header: `${HEADER},Accrued Int.`,
    rows: [`${ROW},6000`],
    takes: /accrued_interest/,
    of: loan => loan.loanAmount,
    is: 56_000,
  },
  useColumn: {
    header: `${HEADER},Maturity incl. extension`,
    rows: [`${ROW},2026-12-31`],
    takes: /=maturity/,
    of: maturity,
    is: '2026-12-31',
  },
  writeOrFill: { rows: [ROW.replace(',24', ',')], fills: '48', of: loan => loan.terms.grace_hours, is: 48 },
};

/** Options in a sentence, as words of a command line. */
const OPTION =
  /--columns(?: "[^"]*")+|--(?:ratios|smallest-units|percent|fractions)(?: (?:[a-z]+_[a-z_]+|interest))+|--header-row|--[a-z-]+ (?:[\w/-]+=\.\.\.|[\w/-]+)/g;

/** The options of a command line. */
function optionsOf(texts: readonly string[], fills: string | undefined): TapeOptions {
  const words = texts.flatMap(text =>
    [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare.replace('...', fills ?? ''),
    ),
  );
  const command = addTapeOptions(new Command().exitOverride());
  let sent = {} as TapeRunSent;
  command.action((_, options: TapeRunSent) => {
    sent = options;
  });
  command.parse(
    ['tape.csv', ...words.flatMap(word => (word === '--header-row' ? [word, fills ?? ''] : [word]))],
    {
      from: 'user',
    },
  );
  return tapeRunOptions(sent, []).tape;
}

const isOption = ({ remedy }: TapeFault, kind: OptionRemedy['kind']) =>
  typeof remedy === 'object' && remedy.kind === kind;

describe('A remedy that names an option', () => {
  it.each(Object.entries(CASES) as [OptionRemedy['kind'], Case][])(
    'leads to the right figure: %s',
    async (kind, of) => {
      const table = textTable([of.header ?? HEADER, ...(of.rows ?? [ROW]), ''].join('\n'));
      const { faults } = await readOnce({ table }, of.options ?? {});
      const fault = faults.find(each => isOption(each, kind));
      if (fault === undefined) throw new Error(`no ${kind}: ${JSON.stringify(faults)}`);
      const named = remedyText(fault.remedy, COMMAND_WORDS).match(OPTION) ?? [];
      const taken = named.filter(text => of.takes?.test(text) ?? true).slice(0, kind === 'ratios' ? 2 : 1);
      expect(taken, remedyText(fault.remedy, COMMAND_WORDS)).not.toEqual([]);
      const said = Object.entries(optionsOf(taken, of.fills)).filter(([, value]) => value !== undefined);
      const followed = await readOnce({ table }, { ...of.options, ...Object.fromEntries(said) });
      expect(followed.faults).toEqual([]);
      expect(of.of(followed.loans[0])).toEqual(of.is);
    },
  );

  it('has a row here, or is followed in a cell or in the store', () => {
    const outside: readonly Outside[] = [
      'newerData',
      'importHistory',
      'joinHistory',
      'importPrices',
      'points',
      'commas',
      'mark',
    ];
    expect([...Object.keys(CASES), ...outside].sort()).toEqual([...REMEDY_KINDS].sort());
  });
});
