/** Types of examples.mjs, for the tests. */
import type { ConfigVariable } from '../src/config.ts';

/** A fenced block: its language, the lines of its fences (counted from 0), and what is between them. */
export interface FencedBlock {
  readonly language: string;
  readonly first: number;
  readonly last: number;
  readonly content: string;
}

export interface Example {
  /** Of the marker, counted from 1. */
  readonly line: number;
  readonly method: string;
  readonly path: string;
  readonly market: string;
  readonly compute: string;
  readonly seed: string;
  readonly status: string;
  readonly key: string;
  readonly request: FencedBlock;
  readonly head: FencedBlock | undefined;
  readonly answer: FencedBlock;
}

/** An answer as a document shows it. */
export interface ShownAnswer {
  readonly answer: string;
  readonly head: string | undefined;
}

export interface ExampleServices {
  address(market: 'real' | 'sample'): Promise<{ readonly url: string; readonly key: string }>;
  run(example: Example): Promise<ShownAnswer>;
  close(): Promise<void>;
}

export function exampleDocuments(): readonly string[];
export function readDocument(path: string): string;
export function fencedBlocks(text: string): readonly FencedBlock[];
export function readExamples(text: string): readonly Example[];
export function openExampleServices(options: { readonly realMarketDb: string }): ExampleServices;
export function rewrite(
  text: string,
  answers: ReadonlyMap<Example, ShownAnswer>,
  configReference: readonly ConfigVariable[],
): string;
export function configurationTable(configReference: readonly ConfigVariable[]): string;
export function formatJson(value: unknown, indent?: string, room?: number): string;
