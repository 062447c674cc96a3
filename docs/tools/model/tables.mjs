/**
 * The tables of the document of the models, by the name in the comment that they stand in. Takes: results, methodologies. Gives: Markdown.
 */
import { CRITERIA, judgementsOf } from './criteria.mjs';
import { BASE, FIGURES, LOAN } from './measured.mjs';

/** @typedef {ReturnType<typeof import('./results.mjs').readResults>} Results */

const table = (head, rows, numbers = []) =>
  [head, head.map((_, at) => (numbers.includes(at) ? '---:' : '---')), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n');
const percent = share => `${(100 * share).toFixed(2)} %`;
const NONE = '*Not measured: no result in the repository.*';
const VERDICTS = ['passes', 'fails', 'not measured'];

/** The twelve criteria with a verdict for each methodology, and their number. */
function criteria(results, names) {
  const judged = names.map(name => judgementsOf(results, name));
  const rows = CRITERIA.map(({ title, measure, bound }, at) => [
    String(at + 1),
    `**${title}**: ${measure}`,
    bound,
    ...judged.map(each => each[at].verdict),
  ]);
  const sums = VERDICTS.map(verdict => [
    '',
    `criteria with the verdict "${verdict}"`,
    '',
    ...judged.map(each => String(each.filter(one => one.verdict === verdict).length)),
  ]);
  return table(['', 'Criterion', 'Bound', ...names], [...rows, ...sums]);
}

function verdicts(results, names) {
  const judged = names.map(name => judgementsOf(results, name));
  const rows = CRITERIA.map(({ title, bound }, at) => [
    String(at + 1),
    title,
    bound,
    ...judged.flatMap(each => [each[at].result, each[at].verdict]),
  ]);
  return table(
    ['', 'Criterion', 'Bound', ...names.flatMap(name => [name, names.length === 1 ? 'Verdict' : 'verdict'])],
    rows,
  );
}

const BACKTEST_COLUMNS = [
  'Exceedances',
  'Expected',
  'Kupiec p',
  'Independence p',
  'Z2 p',
  'ESR strict p',
  't against GBM',
];

function backtests({ backtests: all }, names) {
  const rows = all.filter(({ name, level }) => names.includes(name) && level !== '95 %');
  if (rows.length === 0) return NONE;
  return table(
    ['Position', 'Methodology', 'Level', 'Days', ...BACKTEST_COLUMNS],
    rows.map(({ position, name, level, days, values }) => [
      position,
      name,
      level,
      days.split(' ')[0],
      ...BACKTEST_COLUMNS.map(column => String(values[column] ?? '')),
    ]),
    [3, 4, 5, 6, 7, 8, 9, 10],
  );
}

function loans({ loanOutcomes }, names) {
  const rows = loanOutcomes.flatMap(({ figure, brierOfMean, byName }) =>
    names
      .filter(name => name in byName)
      .map(name => {
        const { brier, deciles } = byName[name];
        const largest = deciles
          .map(({ predicted, happened, error }) => ({ gap: predicted - happened, error }))
          .sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap))[0];
        return [
          figure,
          name,
          brier.toFixed(4),
          brierOfMean.toFixed(4),
          `${largest.gap.toFixed(1)} ± ${largest.error.toFixed(1)}`,
        ];
      }),
  );
  if (rows.length === 0) return NONE;
  return table(
    [
      'Figure',
      'Methodology',
      'Brier score',
      'of the mean',
      'Largest gap of a decile, predicted less happened, points',
    ],
    rows,
    [2, 3, 4],
  );
}

function coverage({ coverage: studies }, names) {
  const rows = studies
    .filter(({ methodology }) => names.includes(methodology))
    .map(({ path, name, seeds, rows: figures }) => {
      const told = figures.filter(each => each.told > 0);
      const shares = told.map(each => each.held / each.told);
      const lowest = told[shares.indexOf(Math.min(...shares))];
      return [
        `\`${path}\``,
        name,
        String(seeds),
        String(told.length),
        `${(100 * Math.min(...shares)).toFixed(1)} % (${lowest.figure})`,
        `${(100 * Math.max(...shares)).toFixed(1)} %`,
      ];
    });
  if (rows.length === 0) return NONE;
  return table(['Operation', 'Study', 'Seeds', 'Figures', 'Lowest', 'Highest'], rows, [2, 3, 5]);
}

function benchmarks({ measured }, names) {
  const rows = measured.benchmarks.filter(({ methodologies }) =>
    methodologies.some(name => names.includes(name)),
  );
  if (rows.length === 0) return NONE;
  return table(
    ['Estimate', 'Program', 'Values', 'Largest relative difference'],
    rows.map(({ what, program, cases, difference }) => [
      what,
      program,
      String(cases),
      difference.toExponential(1),
    ]),
    [2, 3],
  );
}

/** Figures of the loan under each changed input, with twice the standard error of the base. */
function sensitivity({ measured }, names) {
  return names
    .map(name => {
      const { path, rows } = measured.sensitivities[name];
      const { figures: base, errors } = rows[BASE];
      const written = Object.entries(rows).map(([words, { figures, refused }]) => {
        if (refused !== undefined) return [words, 'refused', '', '', '', ''];
        const factor =
          base.PrLiquidation === 0 ? '' : (figures.PrLiquidation / base.PrLiquidation).toFixed(2);
        const cells = FIGURES.map(figure => percent(figures[figure]));
        return [words, cells[0], cells[1], words === BASE ? '' : factor, ...cells.slice(2)];
      });
      const error = FIGURES.map(figure =>
        errors[figure] === null ? '' : `± ${percent(2 * errors[figure])}`,
      );
      const last = ['two standard errors of the first row', error[0], error[1], '', ...error.slice(2)];
      const [margin, liquidation, ...others] = FIGURES;
      return `**${name}**, \`${path}\`:\n\n${table(
        ['', margin, liquidation, 'x', ...others],
        [...written, last],
        [1, 2, 3, 4, 5],
      )}`;
    })
    .join('\n\n');
}

/** The loan under every methodology, to the last digit: the answers that a change must explain. */
function frozen({ measured }, names) {
  const rows = names.map(name => {
    const { path, rows: found } = measured.sensitivities[name];
    return [name, `\`${path}\``, ...FIGURES.map(figure => String(found[BASE].figures[figure]))];
  });
  return table(['Methodology', 'Operation', ...FIGURES], rows, [2, 3, 4, 5]);
}

const loan = () => `\`\`\`json\n${JSON.stringify(LOAN)}\n\`\`\``;

const WRITERS = { criteria, verdicts, backtests, loans, coverage, benchmarks, sensitivity, frozen, loan };

/**
 * A document with its tables written anew: what stands between `<!-- model TABLE NAME... -->` and `<!-- /model -->`. Without names a
 * table has all methodologies.
 *
 * @param {string} text
 * @param {Results} results
 * @throws Error for an unknown table or methodology
 */
export function withTables(text, results) {
  const all = Object.keys(results.measured.sensitivities);
  return text.replace(
    /(<!-- model (\w+)((?: \w+)*) -->\n)[\s\S]*?(<!-- \/model -->)/g,
    (_, open, name, sent, close) => {
      const names = sent === '' ? all : sent.trim().split(' ');
      const unknown = names.filter(each => !all.includes(each));
      if (!Object.hasOwn(WRITERS, name) || unknown.length > 0)
        throw new Error(`there is no table ${name} of ${names.join(', ')}`);
      return `${open}\n${WRITERS[name](results, names)}\n\n${close}`;
    },
  );
}
