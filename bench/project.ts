/** Where the project lies: the bench runs from bench/ in tests and from build/bench/ once it is built. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json. */
export const PROJECT = findProject(dirname(fileURLToPath(import.meta.url)));

/** Path of a file of the project. */
export function projectFile(name: string): string {
  return join(PROJECT, name);
}

function findProject(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The bench lies in no package.');
  return findProject(parent);
}
