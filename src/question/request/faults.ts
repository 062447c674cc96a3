/**
 * The faults of one object of a body, from its schema and from its resolution, named by the members that were sent.
 *
 * A member that follows from a faulty one is faulty itself: no rule reads it, and it has no fault of its own.
 */
import type { Fault, FaultCode } from '../../core/errors.ts';
import { dottedPath, issue, memberName, sentenceOf } from '../../text/message.ts';
import { type Flaw, type Rule, touches } from './rules.ts';

type Path = readonly PropertyKey[];

/** Where a fault is reported. */
export interface Place {
  readonly path: Path;
  /** The member in its sentence; that of `path` where absent. */
  readonly shown?: Path;
  /** Words after its sentence. */
  readonly words?: string;
}

/** The sent members behind members that follow from them, and words that say so. */
export type Follows = Readonly<Record<string, readonly [member: string, words: string] | undefined>>;

export class Faults {
  private readonly flaws: Flaw[];
  private followed: Follows = {};

  /**
   * @param flaws issues of the schema, with paths from this object
   * @param list receives the faults of the resolution
   * @param placeOf the place of a fault at a path from this object
   * @param above marks a flaw in the object around it
   */
  constructor(
    flaws: readonly Flaw[],
    private readonly list: Fault[],
    private readonly placeOf: (path: Path) => Place = path => ({ path }),
    private readonly above: (path: Path) => void = () => {},
  ) {
    this.flaws = [...flaws];
  }

  /** Whether neither the object nor anything in it has a fault. */
  get none(): boolean {
    return this.flaws.length === 0;
  }

  /** Whether one of the members, or something in it, has a fault or follows from a faulty one. */
  touch(...members: readonly string[]): boolean {
    return this.flaws.some(flaw => members.some(member => touches(flaw, member.split('.'))));
  }

  /** `<member> must be <bound>; got <got>`, or that it is missing. */
  refuse(code: FaultCode, path: PropertyKey[], bound: string, got: unknown): undefined {
    this.report(issue(code, path, bound, got));
  }

  /** A fault whose sentence is the member and `rest`. */
  say(code: FaultCode, path: Path, rest: string): undefined {
    const { path: at, words = '' } = this.placeOf(path);
    this.list.push({ code, path: dottedPath(at), message: `${memberName(at)} ${rest}${words}` });
    this.spoil(path);
  }

  /** Marks members that follow from faulty ones. */
  spoil(...paths: readonly Path[]): undefined {
    for (const path of paths) {
      this.flaws.push({ path });
      this.above(path);
    }
  }

  /** Reports every broken rule whose members have no fault. */
  judge<T>(value: T, rules: readonly Rule<T>[]): void {
    for (const { needs, broken } of rules) {
      const found = this.touch(...needs) ? undefined : broken(value);
      if (found !== undefined) this.report(found);
    }
  }

  /** Reports faults of members that follow from others at these. */
  follow(follows: Follows): void {
    this.followed = follows;
  }

  report(found: ReturnType<typeof issue>): undefined {
    const { path } = found;
    const [first, ...rest] = path;
    const [member, words] = this.followed[String(first)] ?? [first, ''];
    const { path: at } = this.placeOf([member, ...rest]);
    const own = this.placeOf(path);
    const message = sentenceOf(own.shown ?? own.path, found.params);
    this.list.push({
      code: found.params.fault,
      path: dottedPath(at),
      message: `${message}${words === '' ? '' : ` (${words})`}${own.words ?? ''}`,
    });
    this.spoil(path);
  }

  /** The faults of the params of a body. */
  static ofParams(issues: readonly Flaw[], list: Fault[]): Faults {
    const flaws = issues.flatMap(({ code, path = [] }) =>
      path[0] === 'params' ? [{ code, path: path.slice(1) }] : [],
    );
    return new Faults(flaws, list, path => ({ path: ['params', ...path] }));
  }

  /** The faults of each object in the list `member`. @param placeOf places other than those in the list */
  ofRows(member: string): (k: number, placeOf?: (path: Path) => Place) => Faults {
    const flawsOf = new Map<PropertyKey, Flaw[]>();
    for (const { code, path = [] } of this.flaws) {
      if (path[0] !== member || path.length < 2) continue;
      const own = flawsOf.get(path[1]) ?? [];
      own.push({ code, path: path.slice(2) });
      flawsOf.set(path[1], own);
    }
    return (k, placeOf = path => this.placeOf([member, k, ...path])) =>
      new Faults(flawsOf.get(k) ?? [], this.list, placeOf, path => this.spoil([member, k, ...path]));
  }
}
