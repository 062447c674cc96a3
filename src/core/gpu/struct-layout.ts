/**
 * Structs of the shaders as the host writes them. test/shader/layout.test.ts compares every layout with the WGSL.
 */

/** Byte offsets of a WGSL struct: name in the shader, size, and offset by field. */
export interface StructLayout {
  readonly struct: string;
  readonly size: number;
  readonly fields: Readonly<Record<string, number>>;
}

/** Bytes of a uniform buffer that holds a struct: whole vectors of four words. */
export function uniformBytes({ size }: StructLayout): number {
  return Math.ceil(size / 16) * 16;
}

/** The words of a uniform buffer for a struct, all 0. */
export function uniformWords(layout: StructLayout): Float32Array<ArrayBuffer> {
  return new Float32Array(uniformBytes(layout) / 4);
}

/** The words of a struct of whole numbers: every field, where the shader reads it. */
export function structWords<L extends StructLayout>(
  { size, fields }: L,
  values: Readonly<Record<keyof L['fields'], number>>,
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(size / 4);
  for (const [field, value] of Object.entries<number>(values)) words[fields[field] / 4] = value;
  return words;
}

/** The paths and steps of one dispatch (shaders/kernel/bindings.wgsl). */
export const SLICE_LAYOUT = {
  struct: 'Slice',
  size: 32,
  fields: {
    first_path: 0,
    path_count: 4,
    first_step: 8,
    end_step: 12,
    steps: 16,
    paths: 20,
    seed: 24,
    run_path: 28,
  },
} as const satisfies StructLayout;
