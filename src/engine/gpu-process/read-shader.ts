/** The host of the GPU engine in Node: WGSL files from the package's folder shaders/, and the end of a turn. */
import { readdirSync, readFileSync } from 'node:fs';
import type { GpuHost } from '../../core/gpu/session.ts';
import type { LoadShader } from '../../core/gpu/shader-source.ts';

const FOLDER = new URL('../../../shaders/', import.meta.url);

/** All texts, read at the start: files that are replaced later belong to another version. */
const texts = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.wgsl'))
    .map(name => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
);

/** The text of shaders/`name`. */
export const readShader: LoadShader = async name => {
  const text = texts.get(name);
  if (text === undefined) throw new Error(`There is no shader ${name}.`);
  return text;
};

export const nodeHost: GpuHost = { loadShader: readShader, afterThisTurn: setImmediate };
