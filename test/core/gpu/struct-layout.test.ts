/** Offsets, sizes and bytes of structs by the rules of WGSL. */
import { describe, expect, it } from 'vitest';
import {
  array,
  f32,
  i32,
  struct,
  u32,
  uniformBytes,
  vec,
  vec4f,
  wordsOf,
} from '#src/core/gpu/struct-layout.js';

const offsets = ({ members }: { members: Readonly<Record<string, { offset: number }>> }) =>
  Object.values(members).map(({ offset }) => offset);

describe('The layout of a struct', () => {
  it('has the alignments and sizes of the table of the WGSL specification', () => {
    const sizes = [f32, u32, i32, vec(2, f32), vec(3, u32), vec4f].map(({ name, align, size }) => [
      name,
      align,
      size,
    ]);
    expect(sizes).toEqual([
      ['f32', 4, 4],
      ['u32', 4, 4],
      ['i32', 4, 4],
      ['vec2<f32>', 8, 8],
      ['vec3<u32>', 16, 12],
      ['vec4<f32>', 16, 16],
    ]);
    // The stride of an array is the size of its element, rounded up to its alignment.
    expect(array(vec(3, f32), 2)).toMatchObject({ name: 'array<vec3<f32>, 2>', align: 16, size: 32 });
    expect(array(f32, 5)).toMatchObject({ align: 4, size: 20 });
  });

  it('is that of the example of the WGSL specification, section "Structure Member Layout"', () => {
    const A = struct('A', { u: f32, v: f32, w: vec(2, f32), x: f32 });
    expect(offsets(A)).toEqual([0, 4, 8, 16]);
    expect(A).toMatchObject({ align: 8, size: 24 });
    const B = struct('B', {
      a: vec(2, f32),
      b: vec(3, f32),
      c: f32,
      d: f32,
      e: A,
      f: vec(3, f32),
      g: array(A, 3),
      h: i32,
    });
    expect(offsets(B)).toEqual([0, 16, 28, 32, 40, 64, 80, 152]);
    expect(B).toMatchObject({ align: 16, size: 160 });
    const a = { u: 1, v: 2, w: [3, 4], x: 5 };
    const words = wordsOf(B, { a: [1, 2], b: [3, 4, 5], c: 6, d: 7, e: a, f: [8, 9, 10], g: [a, a], h: -11 });
    const written = [...new Float32Array(words.buffer)];
    const inA = [1, 2, 3, 4, 5, 0];
    expect(written.slice(0, 38)).toEqual([
      ...[1, 2, 0, 0, 3, 4, 5, 6, 7, 0],
      ...inA,
      ...[8, 9, 10, 0],
      ...inA,
      ...inA,
      ...[0, 0, 0, 0, 0, 0],
    ]);
    expect([...new Int32Array(words.buffer)].slice(38)).toEqual([-11, 0]);
  });

  it('does not depend on the order of the values', () => {
    const S = struct('S', { count: u32, share: f32, phase: u32 });
    const words = wordsOf(S, { phase: -2, share: 0.5, count: 7 });
    expect([...words]).toEqual([7, 0x3f000000, 0xfffffffe]);
  });

  it('has whole vectors in a uniform buffer', () => {
    const sizes = [1, 4, 5].map(count => uniformBytes(array(f32, count)));
    expect(sizes).toEqual([16, 16, 32]);
  });

  it('refuses more elements than fit', () => {
    expect(() => wordsOf(vec4f, [1, 2, 3, 4, 5])).toThrow('5 elements, at most 4 fit');
    expect(() => wordsOf(array(u32, 1), [1, 2])).toThrow(RangeError);
  });
});
