/** Reads WGSL files from the package's folder shaders/: the only function of the engine that touches the disk. */
import { readFile } from 'node:fs/promises';

/** Gives the text of a file under shaders/, by its path there. */
export type LoadShader = (name: string) => Promise<string>;

/** The text of shaders/`name`. */
export const readShader: LoadShader = name =>
  readFile(new URL(`../../../shaders/${name}`, import.meta.url), 'utf8');
