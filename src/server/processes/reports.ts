/**
 * Reports of the server processes on request, within a deadline: a stalled process does not delay the others.
 *
 * A process has one open question at a time until it answers, so that a silent process causes one wait only. Must not know:
 * what is reported, how it is sent.
 */
import { type Clock, settlesWithin } from '../../core/clock.ts';

interface Question<T> {
  readonly since: number;
  readonly answer: Promise<T | undefined>;
  settle(report: T | undefined): void;
}

/** @param ask sends the question to a process */
export function createReports<T>(ask: (process: number) => void, clock: Clock, deadlineMs: number) {
  const questions = new Map<number, Question<T>>();

  function questionTo(process: number): Question<T> {
    const asked = questions.get(process);
    if (asked !== undefined) return asked;
    let settle: Question<T>['settle'] = () => {};
    const answer = new Promise<T | undefined>(resolve => {
      settle = resolve;
    });
    const question = { since: clock.now(), answer, settle };
    questions.set(process, question);
    ask(process);
    return question;
  }

  async function reportOf(process: number): Promise<T | undefined> {
    const { since, answer } = questionTo(process);
    const leftMs = since + deadlineMs - clock.now();
    return leftMs > 0 && (await settlesWithin(clock, leftMs, answer)) ? answer : undefined;
  }

  /** @param report undefined if the process could not make it */
  function receive(process: number, report: T | undefined): void {
    questions.get(process)?.settle(report);
    questions.delete(process);
  }

  return {
    /** Asks all of `processes`. @returns their reports; undefined for a process that did not report in time */
    async gather(processes: readonly number[]): Promise<ReadonlyMap<number, T | undefined>> {
      return new Map(
        await Promise.all(processes.map(async process => [process, await reportOf(process)] as const)),
      );
    },
    receive,
    /** Ends the open question of a process that has ended. */
    forget: (process: number) => receive(process, undefined),
  };
}
