/**
 * An answer as one table: its rows, and what is left of it beside them. Each question declares which of its members have a row for each
 * loan, horizon, position or day.
 *
 * Must not know: forms of tables, HTTP.
 */
import { isObject } from '../text/message.ts';

type Members = Readonly<Record<string, unknown>>;

/** A row: members, of which nested ones become columns of their own. */
export type Row = Members;

export interface ResultTable {
  readonly rows: Iterable<Row>;
  /** The members of the result without the rows. */
  readonly rest: Members;
}

export type TableRule = (result: Members) => ResultTable;

/** Entries of an object or a map; none of any other value. */
const entriesOf = (value: unknown): Iterable<readonly [string, unknown]> =>
  value instanceof Map ? value : isObject(value) ? Object.entries(value) : [];

const without = (result: Members, used: (name: string) => boolean): Members =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !used(name)));

/** The whole result as one row. */
export const wholeResult: TableRule = result => ({ rows: [result], rest: {} });

/** A row for each entry of a map, whose name is the first column. */
export const rowsOfMap =
  (member: string, column: string): TableRule =>
  result => ({ rows: namedRows(result[member], column), rest: without(result, name => name === member) });

/** A row for each element of a list. */
export const rowsOfList =
  (member: string): TableRule =>
  result => ({ rows: result[member] as readonly Row[], rest: without(result, name => name === member) });

function* namedRows(map: unknown, column: string, before: Row = {}): Generator<Row> {
  for (const [name, figures] of entriesOf(map)) yield { ...before, [column]: name, ...(figures as Row) };
}

/** A row for each loan of each scenario. */
export const loansOfScenarios: TableRule = result => {
  const scenarios = Object.entries(result.Scenarios as Members) as [string, Members][];
  return {
    rows: scenarios.flatMap(([scenario, { Loans }]) => [...namedRows(Loans, 'loan', { scenario })]),
    rest: {
      ...result,
      Scenarios: Object.fromEntries(
        scenarios.map(([scenario, members]) => [scenario, without(members, name => name === 'Loans')]),
      ),
    },
  };
};

/** A horizon: its name is a number. */
const isHorizon = (name: string) => Number.isFinite(Number(name));

/** A row for each level of each horizon, and for each kind of levels where there are several. */
export const rowsOfHorizons: TableRule = result => ({
  rows: Object.entries(result)
    .filter(([name]) => isHorizon(name))
    .flatMap(([horizon, levels]) => rowsOfLevels({ horizon: Number(horizon) }, levels as Members)),
  rest: without(result, isHorizon),
});

function rowsOfLevels(before: Row, levels: Members): Row[] {
  return Object.entries(levels).flatMap(([name, each]) =>
    isHorizon(name)
      ? [{ ...before, level: Number(name), ...(each as Row) }]
      : rowsOfLevels({ ...before, given: name }, each as Members),
  );
}

/** A row for each day of `Daily`, whose members are lists of equal length. */
export const rowsOfDays: TableRule = result => {
  const { Date: days, ...lists } = result.Daily as Members & { readonly Date: readonly string[] };
  const at = (value: unknown, k: number): unknown =>
    Array.isArray(value)
      ? value[k]
      : Object.fromEntries([...entriesOf(value)].map(([name, each]) => [name, at(each, k)]));
  return {
    rows: days.map((day, k) => ({ Date: new Date(day), ...(at(lists, k) as Row) })),
    rest: without(result, name => name === 'Daily'),
  };
};
