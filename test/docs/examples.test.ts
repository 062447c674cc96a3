/** Every example of README.md, docs/ and the fixture of full answers is run against the built service and must answer as shown. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CONFIG_REFERENCE } from '#src/server/config.js';
import {
  configurationTable,
  EXAMPLE_FIXTURE,
  type ExampleServices,
  exampleDocuments,
  formatJson,
  openExampleServices,
  readDocument,
  readExamples,
  rewrite,
} from '../../docs/tools/examples.mjs';
import { describeWithSharedData } from '../support/shared-data.ts';

const STALE = 'the document is not up to date: npm run build && node docs/tools/update-examples.mjs';

let services: ExampleServices;
beforeAll(() => {
  services = openExampleServices({ realMarketDb: inject('realMarketDb') });
});
afterAll(() => services.close());

const documents = exampleDocuments().map(path => ({ path, text: readDocument(path) }));
const sources = [...documents, { path: EXAMPLE_FIXTURE, text: readDocument(EXAMPLE_FIXTURE) }];

for (const { path, text } of sources) {
  const examples = readExamples(text);
  const runEach = (market: string) => () => {
    // The short suite leaves out the full answers on real data.
    // The examples of README.md are commands, which readme.test.ts runs.
    const isSlow = path === 'README.md' || (path === EXAMPLE_FIXTURE && market === 'real');
    const tags = isSlow ? ['slow'] : [];
    for (const example of examples.filter(each => each.market === market)) {
      const title = `line ${example.line}: ${example.method} ${example.path} answers ${example.status} as shown`;
      it(title, { tags }, async () => {
        const { answer, head } = await services.run(example);
        expect(example.answer.content, STALE).toBe(answer);
        expect(example.head?.content, STALE).toBe(head);
      });
    }
  };
  if (examples.some(({ market }) => market === 'sample'))
    describe(`${path} on the sample market`, runEach('sample'));
  if (examples.some(({ market }) => market === 'real'))
    describeWithSharedData(`${path} on real data`, runEach('real'));
}

describe('The documents and the fixture', () => {
  const examples = sources.flatMap(({ text }) => readExamples(text));
  const shown = (path: string, type: string) =>
    examples.some(example => {
      if (example.path !== path || example.status !== '200') return false;
      const body = JSON.parse(example.request.content) as { type?: string; model?: string };
      return (body.type ?? body.model) === type;
    });

  it.each([
    ...['/loan_risk', '/loan_origination', '/var'].flatMap(path =>
      ['GBM', 'GBM_VIX', 'HISTORICAL'].map(type => [path, type]),
    ),
    ['/loan_risk_low_liquidity', 'GBM'],
    ['/loan_risk_low_liquidity', 'GARCH'],
    ['/isolated_perp_risk', 'GBM'],
    ['/isolated_perp_risk', 'HISTORICAL'],
  ])('show an answer of %s with %s', (path, type) => {
    expect(shown(path, type)).toBe(true);
  });

  it('show every refusal that a caller can cause alone', () => {
    const statuses = new Set(examples.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(expect.arrayContaining(['200', '400', '401', '422', '503']));
  });

  it('list every variable of the configuration with its values in each list', () => {
    const table = `<!-- configuration -->\n${configurationTable(CONFIG_REFERENCE)}`;
    const listing = documents.filter(({ text }) => text.includes('<!-- configuration -->'));
    expect(listing.map(({ path }) => path)).toContain('docs/operations.md');
    for (const { path, text } of listing) expect(text, `${path}: ${STALE}`).toContain(table);
  });
});

type Figures = Record<string, unknown>;

function resultsOf(path: string): Figures[] {
  const shown = sources
    .flatMap(({ text }) => readExamples(text))
    .filter(example => example.path === path && example.status === '200')
    .map(({ answer }) => JSON.parse(answer.content) as { Output?: Figures; Results?: Figures });
  return shown.map(({ Output, Results = {} }) => Output ?? Results);
}

const rises = (values: readonly number[]) => values.every((value, i) => i === 0 || values[i - 1] <= value);

describe('The figures shown are possible:', () => {
  it.each(['/loan_risk', '/loan_origination', '/loan_risk_low_liquidity'])(
    '%s calls every loan that it ends',
    path => {
      for (const result of resultsOf(path)) {
        const { PrMarginCall, PrLiquidation, PrCloseout } = result as Record<string, number>;
        expect(PrMarginCall).toBeGreaterThanOrEqual(Math.max(PrLiquidation, PrCloseout));
      }
    },
  );

  it('/var has tails below their quantiles, and quantiles that fall as the level rises', () => {
    for (const result of resultsOf('/var')) {
      const horizons = Object.values(result).filter(entry => typeof entry === 'object') as Figures[];
      for (const horizon of horizons) {
        const levels = Object.values(horizon) as Record<string, number>[];
        for (const value of ['Collateral', 'Loan', 'NetExposure']) {
          for (const level of levels) expect(level[`${value}CVar`]).toBeLessThanOrEqual(level[`${value}Var`]);
          expect(rises(levels.map(level => -level[`${value}Var`]))).toBe(true);
        }
      }
    }
  });

  it('/isolated_perp_risk has rising quantiles, no gains as drawdowns, and a call for each liquidation', () => {
    for (const result of resultsOf('/isolated_perp_risk')) {
      const { PrMarginCall, PrLiquidation, ...quantiles } = result;
      expect(PrMarginCall).toBeGreaterThanOrEqual(PrLiquidation as number);
      for (const each of Object.values(quantiles)) expect(rises(Object.values(each as object))).toBe(true);
      expect((quantiles.MaxEquityDrawDown as Record<string, number>).q99).toBeLessThanOrEqual(0);
      expect((quantiles.FinalEquity as Record<string, number>).q01).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('An outdated document', () => {
  const stale = `# Title
<!-- example: POST /var market=sample -->
\`\`\`json
{ "sent": 1 }
\`\`\`
\`\`\`http
HTTP/1.1 200 OK
x-seed: 1
\`\`\`
\`\`\`json
{}
\`\`\`
between
<!-- example: POST /var market=sample -->
\`\`\`json
{ "sent": 2 }
\`\`\`
\`\`\`json
{ "old": [1,
 2] }
\`\`\`
<!-- configuration -->
| Variable |
| --- |
end
`;

  it('gets the answers and the configuration table, without other changes', () => {
    const answers = readExamples(stale).map(
      (example, i) =>
        [
          example,
          { answer: `{\n  "is": ${i}\n}`, head: i === 0 ? 'HTTP/1.1 200 OK\nx-seed: 0' : undefined },
        ] as const,
    );
    const table = configurationTable(CONFIG_REFERENCE);
    const written = rewrite(stale, new Map(answers), CONFIG_REFERENCE);
    expect(written).toBe(
      stale
        .replace('x-seed: 1', 'x-seed: 0')
        .replace('{}', '{\n  "is": 0\n}')
        .replace('{ "old": [1,\n 2] }', '{\n  "is": 1\n}')
        .replace('| Variable |\n| --- |\n', table),
    );
    expect(readExamples(written).map(({ request }) => request.content)).toEqual([
      '{ "sent": 1 }',
      '{ "sent": 2 }',
    ]);
  });
});

describe('An answer in a document', () => {
  it('has short objects on one line, and lines filled with the figures of an inner object', () => {
    const figures = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`figure ${i}`, i + 0.123456789]));
    expect(formatJson({ list: [1, [2]], empty: {}, Output: { '0.5': figures } })).toBe(
      `{
  "list": [1, [2]],
  "empty": {},
  "Output": {
    "0.5": {
      "figure 0": 0.123456789, "figure 1": 1.123456789, "figure 2": 2.123456789, "figure 3": 3.123456789,
      "figure 4": 4.123456789, "figure 5": 5.123456789, "figure 6": 6.123456789, "figure 7": 7.123456789
    }
  }
}`,
    );
  });

  it.each([
    ['a marker that is not understood', '<!-- example: PUT /var -->\n'],
    ['an attribute that there is not', '<!-- example: POST /var speed=9 -->\n'],
    ['a market that there is not', '<!-- example: POST /var market=none -->\n'],
    ['a request without an answer', '<!-- example: POST /var -->\n```json\n{}\n```\n'],
    ['a block that does not end', '<!-- example: POST /var -->\n```json\n{}\n'],
  ])('is found despite %s', (_, text) => {
    expect(() => readExamples(text)).toThrow(/line 1|line 2/);
  });
});
