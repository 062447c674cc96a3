/** docs/reference.md has the declared tables and requests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { formatJson, partOf, readDocument } from '../../docs/tools/examples.mjs';
import { declared, referenceOf } from '../../docs/tools/make-reference.mjs';

const STALE = 'docs/reference.md is not what the program declares: npm run reference';

let declarations: Awaited<ReturnType<typeof declared>>;
beforeAll(async () => {
  declarations = await declared();
});
const written = (page: string) => referenceOf(page, declarations.document, declarations.requests);

describe('docs/reference.md', () => {
  it('has the tables and the requests of the declarations', () => {
    const page = readDocument('docs/reference.md');
    expect(written(page) === page, STALE).toBe(true);
  });

  it('has one section and one example for each operation', () => {
    const page = readDocument('docs/reference.md');
    for (const path of Object.keys(declarations.requests)) {
      const section = page.split(/^## /m).find(text => text.startsWith(`POST ${path}\n`));
      expect(section, path).toBeDefined();
      expect(section?.match(/^<!-- example: POST/gm), path).toHaveLength(1);
    }
  });
});

describe('The generator of the reference', () => {
  const operations = () =>
    Object.keys(declarations.requests)
      .map(path => `<!-- operation ${path} -->\n<!-- /operation -->\n`)
      .join('\n');

  it('fails if an operation has no tables', () => {
    const page = operations().replace('operation /var -->', 'operation /other -->');
    expect(() => written(page)).toThrow(/no declaration for <!-- operation \/other/);
    expect(() => written('')).toThrow(/the page lacks .*\/var/);
  });

  it('writes unit, bounds, default and meaning of a member', () => {
    const page = written(operations());
    expect(page).toContain(
      '| `mc_top_up` | hours | 0 to 8760 | required | Grace period from a margin call to its deadline. |',
    );
    expect(page).toContain(
      '| `model_lookback` | days | whole, 2 to 3650; for FHS_EVT whole, 200 to 3650 | required |',
    );
    expect(page).toContain('| `top_up.share` | fraction | 0 to 1 | required |');
    expect(page).toContain('| `contract_size` | asset units | above 0 to 1e15 | required for linear |');
    expect(page).toContain('| `contract_value_usd` | USD | above 0 to 1e15 | required for inverse |');
  });

  it('names members that equal those of an earlier operation, and describes different ones', () => {
    const [, , origination] = written(operations()).split('<!-- operation');
    expect(origination).toMatch(/As in \[`\/loan_risk`\]\(#post-loan_risk\): `collateral_weights`, /);
    expect(origination).not.toContain('| `collateral_weights` |');
    expect(origination).toContain('| `opt_param.score_target` |');
  });

  it('writes the first declared request into an example, and does not change a refused one', () => {
    const example = (status: string) =>
      `<!-- example: POST /var status=${status} -->\n\`\`\`json\n{}\n\`\`\`\n\`\`\`json\n{}\n\`\`\`\n`;
    const page = operations() + example('200') + example('422');
    const [, answered, refused] = written(page).split('<!-- example');
    expect(answered).toContain(formatJson(declarations.requests['/var'][0]));
    expect(`<!-- example${refused}`).toBe(example('422'));
  });
});

describe('The part of an answer in an example', () => {
  it('stands within its enclosing members', () => {
    const answer = { Output: { Levels: { '0.9': 1 }, Daily: [] }, 'Risk engine version': '1.2.3' };
    expect(partOf(answer, 'Output.Levels')).toEqual({ Output: { Levels: { '0.9': 1 } } });
    expect(partOf(answer, 'all')).toBe(answer);
  });
});
