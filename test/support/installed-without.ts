/** The program in a folder of its own, as an installation that leaves some packages out. */
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @returns the folder of the built program, `folder`/dist */
export function installWithout(folder: string, ...packages: readonly string[]): string {
  for (const name of ['dist', 'shaders', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const modules = realpathSync(join(root, 'node_modules'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules))
    if (!packages.includes(name)) symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  return join(folder, 'dist');
}
