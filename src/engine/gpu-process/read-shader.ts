/** The host of the GPU engine in Node: WGSL files from the package's folder shaders/, and the end of a turn. */
import { readFile } from 'node:fs/promises';
import type { GpuHost } from '../../core/gpu/session.ts';
import type { LoadShader } from '../../core/gpu/shader-source.ts';

/** The text of shaders/`name`. */
export const readShader: LoadShader = name =>
  readFile(new URL(`../../../shaders/${name}`, import.meta.url), 'utf8');

export const nodeHost: GpuHost = { loadShader: readShader, afterThisTurn: setImmediate };
