/**
 * Machine code of NVIDIA GPUs from sm_80 on in a cubin: instructions and branches, without a disassembler. An instruction has 16 bytes, and a
 * branch (BRA, opcode 0x947) contains its distance.
 */

export const INSTRUCTION_BYTES = 16;
const BRANCH = 0x947n;
/** A shorter stretch counts as always run. */
const LEAST_STRETCH = 10;

/** The longest loop of a kernel: its instructions, and the stretches of it that a branch can jump over, in their order. */
export interface Loop {
  readonly instructions: number;
  readonly stretches: readonly number[];
  /** Instructions outside these stretches. */
  readonly always: number;
}

/** The low words (64 bits) of the instructions of every kernel, by the name of its section. */
export function kernelsOf(cubin: Buffer): ReadonlyMap<string, readonly bigint[]> {
  const table = Number(cubin.readBigUInt64LE(0x28));
  const [entry, count, names] = [0x3a, 0x3c, 0x3e].map(at => cubin.readUInt16LE(at));
  const sections = Array.from({ length: count }, (_, i) => {
    const at = table + i * entry;
    const [offset, size] = [0x18, 0x20].map(place => Number(cubin.readBigUInt64LE(at + place)));
    return { name: cubin.readUInt32LE(at), offset, size };
  });
  const nameOf = (at: number) => {
    const from = sections[names].offset + at;
    return cubin.toString('latin1', from, cubin.indexOf(0, from));
  };
  return new Map(
    sections
      .map(section => ({ ...section, name: nameOf(section.name) }))
      .filter(({ name }) => name.startsWith('.text.'))
      .map(({ name, offset, size }) => [
        name.slice('.text.'.length),
        Array.from({ length: size / INSTRUCTION_BYTES }, (_, k) =>
          cubin.readBigUInt64LE(offset + INSTRUCTION_BYTES * k),
        ),
      ]),
  );
}

/** From where to where each branch jumps, in instructions. */
function branchesOf(words: readonly bigint[]): readonly { readonly from: number; readonly to: number }[] {
  return words.flatMap((word, from) => {
    if ((word & 0xfffn) !== BRANCH) return [];
    const bytes = ((BigInt.asIntN(30, word >> 34n) << 8n) | ((word >> 16n) & 0xffn)) * 4n;
    return [{ from, to: from + 1 + Number(bytes) / INSTRUCTION_BYTES }];
  });
}

/** The longest loop; undefined where there is none. */
export function longestLoop(words: readonly bigint[]): Loop | undefined {
  const branches = branchesOf(words);
  const loops = branches.filter(({ from, to }) => to < from).sort((a, b) => b.from - b.to - (a.from - a.to));
  if (loops.length === 0) return undefined;
  const [{ from: end, to: begin }] = loops;
  const skips = branches
    .filter(({ from, to }) => from >= begin && to > from && to <= end + 1 && to - from > LEAST_STRETCH)
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const stretches: number[] = [];
  let after = begin;
  for (const { from, to } of skips) {
    // A stretch inside another one is part of it.
    if (from < after) continue;
    stretches.push(to - from - 1);
    after = to;
  }
  const instructions = end - begin + 1;
  return { instructions, stretches, always: instructions - stretches.reduce((sum, each) => sum + each, 0) };
}
