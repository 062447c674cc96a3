/**
 * A loan that may begin called, and whose calls may be answered, along one path; twin of
 * shaders/product/loan_under_way.wgsl. The rules of a step in their order: liquidation, cure, call, the answer that is
 * due, closeout.
 */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '../engine.ts';
import { type AnswerTerms, debtGrowthPerStep, type LoanTerms } from '../plan/loan-terms.ts';
import { placeRatio, type RatioThresholds, ratioThresholds } from '../plan/ratio-path.ts';
import type { LoanProduct } from '../plan/simulation-plan.ts';
import { answeringWords, answerWord, isAnswered } from '../random/answers.ts';
import { linear, loanAt, type PortfolioPaths } from './paths.ts';

export interface LoanEnd {
  flags: number;
  /** The step of its end, T without one; 0 for a liquidation at the start. */
  endStep: number;
  /** Step of the first margin call, 1 for one that is open at the start; 0 without one. */
  callStep: number;
  topUps: number;
  /** Collateral of their top-ups, each at its value at the time, in units of the loan's initial value. */
  topUpAmount: number;
}

export interface LoanOnPath extends LoanEnd {
  /** Lowest value of the ratio over the term, in the domain of the path. */
  lowest: number;
  /** C_T / L_T, divided by the growth of the debt. */
  finalRatio: number;
  /** Weight of the path; 1 where all weigh the same. */
  weight: number;
}

type PathDomain = PortfolioPaths['domain'];

/** The step of an event that does not occur. */
const NEVER = Number.POSITIVE_INFINITY;

export class LoanUnderWay {
  private readonly growthPerStep: number;
  private readonly thresholds: RatioThresholds;
  private readonly draws: AnswerDraws | undefined;
  private readonly restored: number;

  /**
   * @param seed of the plan
   * @param paths with amounts where calls are answered, unless the loan is constant
   * @param constant L_t without interest, if it is the same at every step
   */
  constructor(
    private readonly terms: LoanProduct,
    seed: number,
    private readonly paths: PortfolioPaths,
    private readonly constant: number | undefined,
  ) {
    const { answers } = terms;
    this.growthPerStep = debtGrowthPerStep(terms);
    this.thresholds = ratioThresholds(terms, paths.domain);
    this.draws = answers && new AnswerDraws(answers, seed);
    this.restored = restoredValue(terms, paths.domain);
  }

  /**
   * Follows the loan of the simulated path.
   *
   * @param path its number
   * @param end receives the result of the loan, its flags without underwater
   */
  follow(path: number, end: LoanEnd): void {
    const { paths, thresholds, draws, terms } = this;
    const { marginCall, recovery } = thresholds;
    // L is above M where the thresholds are those of assets, and a fall of the best of them can raise it that far.
    const watched = Math.max(marginCall, thresholds.liquidation);
    const { steps, topUpSteps, start, answers } = terms;
    end.flags = 0;
    end.endStep = steps;
    end.callStep = 0;
    end.topUps = 0;
    end.topUpAmount = 0;
    let deadline = NEVER;
    let due = NEVER;
    let calls = 0;
    if (start !== undefined && start.status !== 'open') {
      end.flags = FLAG_MARGIN_CALL;
      end.callStep = 1;
      if (start.status === 'liquidated') {
        end.flags |= FLAG_LIQUIDATION;
        end.endStep = 0;
        return;
      }
      deadline = start.deadlineStep;
      if (answers !== undefined && answers.startStep > 0 && draws?.isAnswered(path, 0))
        due = answers.startStep;
    } else if (paths.minimum >= watched) return;
    const { ratio, domain } = paths;
    const isLog = domain === 'ln';
    let raise = UNRAISED[domain];
    for (let t = 1; t <= steps; t++) {
      // No call is open: only a fall below M, or L, matters.
      if (deadline === NEVER) {
        if (isLog) while (t <= steps && ratio[t - 1] + raise >= watched) t++;
        else while (t <= steps && ratio[t - 1] * raise >= watched) t++;
        if (t > steps) return;
      }
      const r = isLog ? ratio[t - 1] + raise : ratio[t - 1] * raise;
      if (this.isLiquidated(r, t, raise)) {
        end.flags |= FLAG_MARGIN_CALL | FLAG_LIQUIDATION;
        if (end.callStep === 0) end.callStep = t;
        end.endStep = t;
        return;
      }
      if (r >= recovery) {
        deadline = NEVER;
        due = NEVER;
      }
      if (deadline === NEVER && r < marginCall) {
        end.flags |= FLAG_MARGIN_CALL;
        if (end.callStep === 0) end.callStep = t;
        calls++;
        deadline = t + topUpSteps;
        due = draws?.isAnswered(path, calls) ? t + draws.delaySteps : NEVER;
      }
      if (t === due) {
        end.topUps++;
        end.topUpAmount += this.added(r, t);
        raise = raiseTo(domain, ratio[t - 1], this.restored);
        deadline = NEVER;
        due = NEVER;
      }
      if (t >= deadline) {
        end.flags |= FLAG_CLOSEOUT;
        end.endStep = t;
        return;
      }
    }
  }

  /** @param value of the path at step t, with top-ups */
  private isLiquidated(value: number, t: number, raise: number): boolean {
    const { paths, terms, thresholds } = this;
    const { secured } = paths;
    if (secured === undefined) return value < thresholds.liquidation;
    return terms.nominalRatio * raise * secured[t - 1] < loanAt(paths, t);
  }

  /** The top-up of an answer at step t in units of the initial loan. @param value of the path, with earlier top-ups */
  private added(value: number, t: number): number {
    const { answers, nominalRatio } = this.terms;
    if (answers === undefined) return 0;
    const ccr = nominalRatio * linear(this.paths, value);
    const loan =
      this.constant === undefined ? loanAt(this.paths, t) : this.constant * Math.exp(this.growthPerStep * t);
    return (answers.toRatio - ccr) * loan;
  }
}

/** The value that an answer restores, in the domain of the path; N without answers. */
export function restoredValue({ answers, nominalRatio }: LoanTerms, domain: PathDomain): number {
  return placeRatio(domain, (answers?.toRatio ?? nominalRatio) / nominalRatio);
}

/** The raise of a value without top-ups. */
export const UNRAISED: Readonly<Record<PathDomain, number>> = { ln: 0, ratio: 1 };

export const raised = (domain: PathDomain, value: number, raise: number): number =>
  domain === 'ln' ? value + raise : value * raise;

/** The raise from one value to another. */
export const raiseTo = (domain: PathDomain, value: number, wanted: number): number =>
  domain === 'ln' ? wanted - value : wanted / value;

export class AnswerDraws {
  readonly delaySteps: number;
  private readonly answering: number;
  private readonly name: readonly [number, number];

  constructor(
    { share, delaySteps, nameHigh, nameLow }: AnswerTerms,
    private readonly seed: number,
  ) {
    this.delaySteps = delaySteps;
    this.answering = answeringWords(share);
    this.name = [nameHigh, nameLow];
  }

  isAnswered(path: number, call: number): boolean {
    return isAnswered(answerWord(this.seed, path, this.name, call), this.answering);
  }
}
