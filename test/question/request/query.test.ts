/** The query of an operation, and its faults. */
import { describe, expect, it } from 'vitest';
import { checkQuery, DEFAULT_QUERY, type QuerySupport } from '#src/question/request/query.js';

const ALL: QuerySupport = {
  include: ['accuracy', 'distribution', 'model', 'plan', 'warnings'],
  sampling: ['sobol'],
};
const check = (text: string, support = ALL) => checkQuery(new URLSearchParams(text), support);

/** The faults of a query that must have some. */
function faultsOf(text: string, support = ALL) {
  const checked = check(text, support);
  if (checked.ok) throw new Error(`${text} was taken`);
  return checked.faults.map(({ path, message }) => `${path}: ${message}`);
}

describe('A query', () => {
  it('without parameters names no further members', () => {
    expect(DEFAULT_QUERY).toEqual({
      include: new Set(),
      confidence: 0.95,
      sampling: 'random',
      scenario: { rank: 1 },
    });
    expect(check('')).toEqual({ ok: true, value: DEFAULT_QUERY });
  });

  it('names members, a level and a sampling', () => {
    expect(check('include=accuracy,plan&confidence=0.99&sampling=sobol')).toEqual({
      ok: true,
      value: {
        include: new Set(['accuracy', 'plan']),
        confidence: 0.99,
        sampling: 'sobol',
        scenario: { rank: 1 },
      },
    });
    expect(check('confidence=0.999999999999')).toMatchObject({ value: { confidence: 0.999999999999 } });
    expect(check('confidence=.9')).toMatchObject({ ok: true, value: { confidence: 0.9 } });
  });

  it.each(['1', '0.5', '0', '-0.9', '1.5', '95%', '', 'NaN', '9e-1', '0.9.5', '0.9999999999999'])(
    'with confidence=%s is refused at query.confidence',
    level => {
      expect(faultsOf(new URLSearchParams({ confidence: level }).toString())).toEqual([
        `query.confidence: confidence must be a decimal number above 0.5 and below 1 with at most 12 decimals; got ${JSON.stringify(level)}`,
      ]);
    },
  );

  it('is refused for each unknown, repeated or empty member of include', () => {
    const known =
      'a list of accuracy, calls, distribution, loans, model, path, plan, scenario, warnings, with commas between';
    expect(faultsOf('include=accuracy,Accuracy,,accuracy')).toEqual([
      `query.include: include must be ${known}; got "Accuracy"`,
      `query.include: include must be ${known}; got ""`,
      'query.include: include must be a list without repeats; got "accuracy"',
    ]);
  });

  it('is refused for options that the operation does not offer', () => {
    const support: QuerySupport = { include: ['warnings'], sampling: [] };
    expect(faultsOf('include=plan&sampling=sobol', support)).toEqual([
      'query.include: include must be a list of what this operation offers: warnings; got "plan"',
      'query.sampling: sampling must be absent, because this operation has one sampling only; got "sobol"',
    ]);
    expect(faultsOf('sampling=halton')).toEqual(['query.sampling: sampling must be sobol; got "halton"']);
  });

  it('is refused for a distribution of paths that are shifted towards losses', () => {
    const support: QuerySupport = { ...ALL, sampling: ['sobol', 'tail'] };
    expect(faultsOf('include=distribution&sampling=tail', support)).toEqual([
      'query.include: include must be a list without distribution where sampling is tail; got "distribution"',
    ]);
    for (const query of ['include=distribution&sampling=sobol', 'include=plan&sampling=tail'])
      expect(check(query, support), query).toMatchObject({ ok: true });
  });

  it('is refused for a repeated parameter', () => {
    expect(faultsOf('confidence=0.9&confidence=0.9')).toEqual([
      'query.confidence: confidence is given 2 times; once is allowed',
    ]);
  });

  it('with thousands of unknown parameters has a short list of faults', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `x${i}=1`).join('&');
    const faults = faultsOf(names);
    expect(faults).toHaveLength(51);
    expect(faults[50]).toBe('query: The query has 2950 more unknown parameters');
  });

  it('shortens a long or unusual name', () => {
    const [fault] = faultsOf(`${'é'.repeat(500)}=1`);
    expect(fault.length).toBeLessThan(300);
  });
});
