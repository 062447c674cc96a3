/**
 * Structs that the host writes for the shaders, declared by the types of their members in order. Offsets and sizes follow the rules of
 * WGSL ("Alignment and Size", "Structure Member Layout"); test/shader/layout.test.ts compares them with the declarations in WGSL.
 */

/** A type of WGSL, written by the host from a `V`. */
export interface HostType<V> {
  /** As WGSL spells it. */
  readonly name: string;
  /** Bytes; `align` is a power of two. */
  readonly align: number;
  readonly size: number;
  /** Writes a value at a byte offset into bytes that are 0. */
  write(bytes: DataView, at: number, value: V): void;
}

/** Layout of a struct in memory: its size, and its members with their byte offsets. */
export interface StructLayout extends Pick<HostType<never>, 'name' | 'align' | 'size'> {
  readonly members: Readonly<Record<string, { readonly type: string; readonly offset: number }>>;
}

/** A struct of WGSL; `V` has a value for each of its members. */
export interface Struct<V> extends HostType<V>, StructLayout {}

const scalar = (name: string, write: HostType<number>['write']): HostType<number> => ({
  name,
  align: 4,
  size: 4,
  write,
});

export const f32 = scalar('f32', (bytes, at, value) => bytes.setFloat32(at, value, true));
export const u32 = scalar('u32', (bytes, at, value) => bytes.setUint32(at, value, true));
export const i32 = scalar('i32', (bytes, at, value) => bytes.setInt32(at, value, true));

/** A vector; missing components are 0. */
export function vec(width: 2 | 3 | 4, of: HostType<number>): HostType<ArrayLike<number>> {
  return {
    name: `vec${width}<${of.name}>`,
    align: of.size * (width === 2 ? 2 : 4),
    size: of.size * width,
    write: elementWriter(of, width, of.size),
  };
}

export const vec4f = vec(4, f32);

/** An array of `count` elements; missing ones are 0. */
export function array<V>(of: HostType<V>, count: number): HostType<ArrayLike<V>> {
  const stride = roundUp(of.align, of.size);
  return {
    name: `array<${of.name}, ${count}>`,
    align: of.align,
    size: stride * count,
    write: elementWriter(of, count, stride),
  };
}

/** Writes elements one after another; throws RangeError for more than `count`. */
function elementWriter<V>(of: HostType<V>, count: number, stride: number): HostType<ArrayLike<V>>['write'] {
  return (bytes, at, values) => {
    if (values.length > count) throw new RangeError(`${values.length} elements, at most ${count} fit`);
    for (let i = 0; i < values.length; i++) of.write(bytes, at + i * stride, values[i]);
  };
}

/** Declares a struct by the types of its members in their order. */
export function struct<V extends object>(
  name: string,
  types: { readonly [K in keyof V]: HostType<V[K]> },
): Struct<V> {
  const members: Record<string, { type: string; offset: number }> = {};
  const writers: HostType<V>['write'][] = [];
  let align = 1;
  let end = 0;
  for (const member in types) {
    const type = types[member];
    const offset = roundUp(type.align, end);
    members[member] = { type: type.name, offset };
    writers.push((bytes, at, values) => type.write(bytes, at + offset, values[member]));
    align = Math.max(align, type.align);
    end = offset + type.size;
  }
  return {
    name,
    align,
    size: roundUp(align, end),
    members,
    write: (bytes, at, values) => {
      for (const write of writers) write(bytes, at, values);
    },
  };
}

/** The next multiple of a power of two. */
function roundUp(align: number, bytes: number): number {
  return Math.ceil(bytes / align) * align;
}

/** The words of a value in memory; of a struct, `values` names exactly its members. */
export function wordsOf<V>(type: HostType<V>, value: NoInfer<V>): Uint32Array<ArrayBuffer> {
  const bytes = new ArrayBuffer(type.size);
  type.write(new DataView(bytes), 0, value);
  return new Uint32Array(bytes);
}

/** Bytes of a uniform buffer of a struct: whole vectors of four words. */
export function uniformBytes({ size }: Pick<StructLayout, 'size'>): number {
  return roundUp(16, size);
}

/** The paths and steps of one dispatch (shaders/kernel/bindings.wgsl). */
export const SLICE = struct('Slice', {
  first_path: u32,
  path_count: u32,
  first_step: u32,
  end_step: u32,
  steps: u32,
  paths: u32,
  seed: u32,
  run_path: u32,
});
