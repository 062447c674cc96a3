/** The worker thread of the double-precision reference. */
import { referenceBook } from '../../core/reference/book.ts';
import { referenceModel } from '../../core/reference/models.ts';
import { runRange } from '../../core/reference/products.ts';
import { type PathRunner, type Task, type TaskAnswers, workOn } from './tasks.ts';

const REFERENCE = {
  run: runRange,
  horizons: (plan, horizons) => referenceModel(plan).horizons(plan, horizons),
  book: referenceBook,
} satisfies PathRunner;

export default function work(task: Task): TaskAnswers[Task['kind']] {
  return workOn(task, REFERENCE);
}
