/** Rule sets as they are sent: `rules` of a request, and the venues in a file of the server. */
import { z } from 'zod';
import { continuousDeductions } from '../../core/account/tiers.ts';
import { CLOSING_ORDERS, CLOSING_RULES, type ClosingRuleName } from '../../core/plan/product/account.ts';
import { isObject, issue, requirement, show } from '../../text/message.ts';
import { choice, meaning, members, number, SYMBOL, SYMBOL_BOUND, yesOrNo } from '../request/fields.ts';
import { type Checked, checkRequest } from '../request/parse.ts';
import type { RuleSet, TierTable, Venue } from './venues/rule-set.ts';
import { VENUES, type Venues } from './venues/venues.ts';

const MOST_TIERS = 16;
/** Share of b_k by which deductions of a table may differ from the continuous ones. */
const DEDUCTION_TOLERANCE = 1e-6;

const fraction = (most = 1) => number(`from 0 to ${most}`).min(0).max(most).meta({ 'x-unit': 'fraction' });

const TIERS_BOUND = `a list of 1 to ${MOST_TIERS} tiers, {"from": ..., "rate": ...}`;

/** A table of maintenance margins. */
export const tierTable = members({
  unit: meaning(
    choice(['usd', 'coin']),
    'What `from` counts: USD of notional, or coins. Default: usd.',
  ).optional(),
  tiers: meaning(
    z
      .array(
        members({
          from: meaning(number('0 or more').min(0), 'First notional of the tier.', 'USD or coins'),
          rate: meaning(number('above 0 and below 1').gt(0).lt(1), 'Maintenance margin rate.', 'fraction'),
        }),
        { error: requirement(TIERS_BOUND) },
      )
      .min(1)
      .max(MOST_TIERS),
    'Tiers from 0 on; from and rate rise.',
  ),
  deductions: meaning(
    z.array(number('a finite number').meta({ 'x-unit': 'USD or coins' }), {
      error: requirement('a list of numbers, one a tier'),
    }),
    'Amount taken off the margin in each tier, which makes it continuous. Default: as it follows.',
  ).optional(),
}).superRefine(
  (table, context) => {
    for (const found of tableFaults(table)) context.addIssue(found);
  },
  { when: ({ issues }) => issues.length === 0 },
);

function tableFaults({ tiers, deductions }: TierTable): ReturnType<typeof issue>[] {
  const found: ReturnType<typeof issue>[] = [];
  tiers.forEach(({ from, rate }, k) => {
    const path = ['tiers', k];
    if (k === 0 && from !== 0)
      found.push(issue('inconsistent', [...path, 'from'], '0 in the first tier', from));
    if (k === 0) return;
    const before = tiers[k - 1];
    if (from <= before.from)
      found.push(
        issue('inconsistent', [...path, 'from'], `above that of the tier before, ${before.from}`, from),
      );
    if (rate <= before.rate)
      found.push(
        issue('inconsistent', [...path, 'rate'], `above that of the tier before, ${before.rate}`, rate),
      );
  });
  if (deductions === undefined || found.length > 0) return found;
  if (deductions.length !== tiers.length)
    return [issue('inconsistent', ['deductions'], `a list of ${tiers.length}, one a tier`, deductions)];
  // A single tier may have any deduction.
  if (tiers.length === 1) return found;
  continuousDeductions(tiers).forEach((wanted, k) => {
    if (Math.abs(deductions[k] - wanted) > DEDUCTION_TOLERANCE * tiers[k].from)
      found.push(
        issue(
          'inconsistent',
          ['deductions', k],
          `${wanted}, which makes the margin continuous`,
          deductions[k],
        ),
      );
  });
  return found;
}

/** The members of each closing rule: those that it needs, and those that it may have. */
const CLOSE_MEMBERS: Readonly<
  Record<ClosingRuleName, { readonly needs: readonly string[]; readonly takes?: readonly string[] }>
> = {
  all: { needs: [] },
  share: { needs: ['share', 'target'] },
  enough: { needs: ['buffer'] },
  one: { needs: ['order'] },
  portion: { needs: ['portion', 'above'], takes: ['again'] },
  tier: { needs: [], takes: ['steps'] },
};

const close = members({
  rule: meaning(choice(CLOSING_RULES), 'What a pass of forced closes closes.'),
  share: meaning(
    number('above 0 and at most 1').gt(0).max(1),
    'share: part of every position.',
    'fraction',
  ).optional(),
  target: meaning(
    number('above 0 and at most 1').gt(0).max(1),
    'share: M over E to come below.',
    'none',
  ).optional(),
  buffer: meaning(fraction(10), 'enough: M is brought to E / (1 + buffer).', 'fraction').optional(),
  order: meaning(choice(CLOSING_ORDERS), 'one: which position is closed first.').optional(),
  portion: meaning(
    number('above 0 and at most 1').gt(0).max(1),
    'portion: part of a position above `above`.',
    'fraction',
  ).optional(),
  above: meaning(
    number('0 or more').min(0),
    'portion: smaller positions are closed whole.',
    'USD',
  ).optional(),
  again: meaning(yesOrNo, 'portion: positions take turns in the order sent.').optional(),
  steps: meaning(
    z
      .number({ error: requirement('1 to 15') })
      .int()
      .min(1)
      .max(15),
    'tier: tiers that a pass takes off. Default: 1.',
    'tiers',
  ).optional(),
}).superRefine(
  (terms, context) => {
    const { needs, takes = [] } = CLOSE_MEMBERS[terms.rule];
    for (const [name, value] of Object.entries(terms))
      if (name !== 'rule' && value !== undefined && ![...needs, ...takes].includes(name))
        context.addIssue(issue('not_allowed', [name], `absent where the rule is ${terms.rule}`, value));
    for (const name of needs)
      if ((terms as Readonly<Record<string, unknown>>)[name] === undefined)
        context.addIssue(issue('missing', [name], `present where the rule is ${terms.rule}`, undefined));
  },
  { when: ({ issues }) => issues.length === 0 },
);

/** The name of every other asset or market. */
export const EVERY_OTHER = '*';

/** Symbols, and `*` for every other one, to fractions; upper-case. */
export const fractionsByAsset = (description: string, bound: string, most: number) =>
  meaning(
    z
      .unknown()
      .meta({
        type: 'object',
        propertyNames: { pattern: `${SYMBOL.source}|^\\*$` },
        additionalProperties: { type: 'number', minimum: 0, maximum: most, 'x-unit': 'fraction' },
        examples: [{ USD: 0, USDC: 0, [EVERY_OTHER]: 1 }],
      })
      .transform((sent, context): Readonly<Record<string, number>> => {
        if (!isObject(sent)) {
          context.addIssue(
            issue('wrong_type', [], `an object of symbols, or ${EVERY_OTHER}, and fractions`, sent),
          );
          return z.NEVER;
        }
        const read = new Map<string, number>();
        for (const [key, value] of Object.entries(sent)) {
          const symbol = key.toUpperCase();
          if (key !== EVERY_OTHER && !SYMBOL.test(key))
            context.addIssue(issue('malformed', [key], `named by ${SYMBOL_BOUND}, or ${EVERY_OTHER}`, key));
          else if (read.has(symbol)) context.addIssue(issue('repeated', [key], 'named once', key));
          if (typeof value === 'number' && value >= 0 && value <= most) read.set(symbol, value);
          else
            context.addIssue(
              issue(
                typeof value === 'number' ? 'out_of_range' : 'wrong_type',
                [key],
                bound,
                value,
                show(value),
              ),
            );
        }
        return Object.fromEntries(read);
      }),
    description,
  );

const cap = number('above 0 and at most 1').gt(0).max(1);

const funding = members({
  interval_hours: meaning(
    number('from 0.000001 to 87600').min(1e-6).max(87_600),
    'Default interval.',
    'hours',
  ).optional(),
  interest: meaning(
    number('-0.1 to 0.1').min(-0.1).max(0.1),
    'Interest per 8 hours. Default: 0.',
    'fraction',
  ).optional(),
  clamp: meaning(
    fraction(),
    'Clamp of interest less premium, per 8 hours. Default: 0.',
    'fraction',
  ).optional(),
  cap: meaning(
    z.union([cap, z.record(z.string(), cap)], {
      error: requirement('above 0 and at most 1, or an object of markets and such numbers'),
    }),
    'Largest size of a settled rate, of all markets or by market. Default: none.',
    'fraction',
  ).optional(),
  weights: meaning(
    choice(['mean', 'linear']),
    'How the hours of an interval count in the mean premium. Default: mean.',
  ).optional(),
});

const marketTiers = members({
  linear: meaning(tierTable, 'Table of linear contracts.').optional(),
  inverse: meaning(tierTable, 'Table of inverse contracts.').optional(),
});

const ruleMembers = {
  strict: meaning(yesOrNo, 'Liquidatable at E < M; false: at E <= M.'),
  close: meaning(close, 'What forced closes close.'),
  fee_rate: meaning(
    fraction(0.5),
    'Fee of a forced close. Default: 0.',
    'fraction of the notional',
  ).optional(),
  maintenance_fee: meaning(
    fraction(1),
    'Fee of a forced close, in place of fee_rate.',
    'fraction of the maintenance margin',
  ).optional(),
  fee_cap: meaning(
    choice(['equity', 'bankruptcy']),
    'What bounds the fees: the equity after a pass, or the bankruptcy price of each close. Default: equity.',
  ).optional(),
  reserve_fee: meaning(
    yesOrNo,
    'Whether fee_rate is set aside with the maintenance margin. Default: false.',
  ).optional(),
  backstop: meaning(
    fraction(1),
    'The fund takes the account where E < backstop x M. Default: 0, never.',
    'none',
  ).optional(),
  rest: meaning(
    choice(['account', 'fund']),
    'Who has what is left after the last position. Default: account.',
  ).optional(),
  bankruptcy: meaning(
    choice(['whole', 'share']),
    'Equity behind the bankruptcy price of a position: all, or its share by maintenance. Default: whole.',
  ).optional(),
  unfilled: meaning(
    choice(['bankruptcy', 'open', 'mark']),
    'What finds no counterparty: closed at the bankruptcy price, kept open while equity lasts, or closed at the mark. Default: bankruptcy.',
  ).optional(),
  costs: meaning(choice(['account', 'fund']), 'Who pays slippage. Default: account.').optional(),
  conversion_cost: meaning(
    fraction(0.5),
    'Cost of converting debts, once no position is left. Default: 0.',
    'fraction of the smaller of debts and credits',
  ).optional(),
  haircuts: fractionsByAsset('Share of a credit that does not count as margin.', 'from 0 to 1', 1).optional(),
  debt_markup: fractionsByAsset('What a debt counts more than its value.', 'from 0 to 1', 1).optional(),
  funding: meaning(funding, 'Defaults and bounds of funding.').optional(),
  tiers: meaning(
    z.record(z.string().regex(SYMBOL).toUpperCase(), marketTiers),
    'Tables of maintenance margins by market.',
  ).optional(),
  source: meaning(z.string().max(1000), 'Where the rules are from.').optional(),
  as_of: meaning(
    z.string({ error: requirement('a day, YYYY-MM-DD') }).regex(/^\d{4}-\d{2}-\d{2}$/),
    'Day on which they were looked up.',
  ).optional(),
};

/** A rule set of a request. */
export const ruleSet = meaning(members(ruleMembers), 'Rules of an account, in place of a venue.');

const VENUE_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

const venuesFile = members({
  venues: z.record(
    z.string().regex(VENUE_NAME, 'a venue has a name of 1 to 32 lower-case letters, digits and hyphens'),
    members({
      ...Object.fromEntries(Object.entries(ruleMembers).map(([name, schema]) => [name, schema.optional()])),
      words: z.string().max(500).optional(),
    }),
  ),
});

/** The venues of the program with those of a file: whole rule sets, or members that replace those of a venue of that name. */
export function readVenuesFile(file: unknown): Checked<Venues> {
  const checked = checkRequest(venuesFile, file);
  if (!checked.ok) return checked;
  const venues = new Map(VENUES);
  for (const [name, own] of Object.entries(checked.value.venues)) {
    const known = VENUES.get(name);
    const { words, ...rules } = own as Partial<Venue>;
    const whole = checkRequest(ruleSet, {
      ...asRules(known),
      ...rules,
      tiers: { ...known?.tiers, ...rules.tiers },
    });
    if (!whole.ok)
      return {
        ok: false,
        faults: whole.faults.map(({ code, path, message }) => ({
          code,
          path: `venues.${name}.${path}`,
          message: `venues.${name}: ${message}`,
        })),
      };
    venues.set(name, {
      ...(whole.value as RuleSet),
      name,
      words: words ?? known?.words ?? 'A venue of this server.',
      ...(known?.serverMargins && { serverMargins: true }),
    });
  }
  return { ok: true, value: venues };
}

/** The rule set of a venue, as a request sends it. */
export function asRules(venue: Venue | undefined): Partial<RuleSet> {
  const { name: _, words: __, serverMargins: ___, ...rules } = venue ?? ({} as Partial<Venue>);
  return rules;
}
