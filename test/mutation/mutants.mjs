/**
 * Hand-listed mutants: one small change of the source each, of the kind that a slip of the pen makes.
 *
 * Hand-listed and not generated (Stryker): two of the four languages here are WGSL and AssemblyScript, and a generated list
 * is mostly about messages and formatting. Every `from` must stand in its file exactly once.
 */

import books from './mutants/books.mjs';
import fleet from './mutants/fleet.mjs';
import models from './mutants/models.mjs';
import operations from './mutants/operations.mjs';
import productsAndPlans from './mutants/products-and-plans.mjs';
import referencePaths from './mutants/reference-paths.mjs';
import shaders from './mutants/shaders.mjs';
import simd from './mutants/simd.mjs';
import statistics from './mutants/statistics.mjs';

/**
 * A change; `argued` says why no test can notice it.
 * @typedef {{ readonly from: string, readonly to: string, readonly argued?: string }} Change
 */
/**
 * Changes of one file, and the tests that can notice them, the quickest first: a path, and perhaps ` -t ` and a part of
 * their names.
 * @typedef {{ readonly file: string, readonly tests: readonly string[], readonly mutants: readonly Change[] }} MutatedFile
 */
/** @typedef {Change & { readonly file: string, readonly tests: readonly string[] }} Mutant */

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  ...statistics,
  ...models,
  ...productsAndPlans,
  ...operations,
  ...referencePaths,
  ...books,
  ...fleet,
  ...simd,
  ...shaders,
].flatMap(({ file, tests, mutants }) => mutants.map(mutant => ({ file, tests, ...mutant })));
