"""Counts the machine instructions that a path-step of W1 issues in bench/peers/w1_shader.cu, for sm_90.

The loop over four steps is the longest backward branch of the kernel. Within it, three stretches are jumped over most
of the time; a warp runs each as often as one of its 32 paths needs it:
  seeding   once in 24 groups of four steps (a block of 96)
  small     a radius whose word lies above 2^32 - 2^20, in any of 4 x 32 draws
  states    the loan's states, where a value passes a threshold or a deadline comes: counted over the warps of a run of W1

Needs nvcc alone: instructions are 16 bytes, and a branch contains its distance (BRA is opcode 0x947).
Run: python3 bench/count-instructions.py [NVCC]
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).parent / 'peers' / 'w1_shader.cu'
BRA = 0x947
SHARES = {'seeding': 1 / 24, 'small radii': 1 - (1 - 2.0**-12) ** 128, 'states of the loan': 0.16}
GROUP = 4


def text_sections(data):
    """Name and instruction words (the low 64 bits of each) of every kernel of a cubin."""
    table, = struct.unpack_from('<Q', data, 0x28)
    entry, count, names = struct.unpack_from('<HHH', data, 0x3A)
    headers = [struct.unpack_from('<IIQQQQ', data, table + i * entry) for i in range(count)]
    strings = data[headers[names][4]:]
    for name, _, _, _, offset, size in headers:
        label = strings[name:strings.index(b'\0', name)].decode()
        if label.startswith('.text'):
            yield label, [struct.unpack_from('<Q', data, offset + 16 * k)[0] for k in range(size // 16)]


def branches(words):
    """(from, to) of every branch."""
    for place, word in enumerate(words):
        if word & 0xFFF == BRA:
            high = word >> 34
            distance = ((high - 2**30 if high >= 2**29 else high) << 8 | (word >> 16) & 0xFF) * 4
            yield place, place + 1 + distance // 16


def count(words):
    jumps = list(branches(words))
    end, begin = max(((a, b) for a, b in jumps if b < a), key=lambda jump: jump[0] - jump[1])
    skips = [(a, b) for a, b in jumps if begin <= a < b <= end and b - a > 20]
    if len(skips) != len(SHARES):
        raise SystemExit(f'{len(skips)} stretches in the loop, not {len(SHARES)}: read the machine code again')
    sizes = [b - a - 1 for a, b in skips]
    always = end - begin + 1 - sum(sizes)
    rows = [('every group', always, 1.0)] + [(name, size, share) for (name, share), size in zip(SHARES.items(), sizes)]
    return rows


if __name__ == '__main__':
    nvcc = sys.argv[1] if len(sys.argv) > 1 else 'nvcc'
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder) / 'w1.cubin'
        subprocess.run([nvcc, '-O3', '-use_fast_math', '-std=c++17', '-arch=sm_90', '-cubin', '-o', cubin, SOURCE], check=True)
        for label, words in text_sections(cubin.read_bytes()):
            kind = 'projected pair' if 'ILb1E' in label else 'both normals'
            rows = count(words)
            print(f'{kind}: {sum(size * share for _, size, share in rows) / GROUP:.1f} issued per path-step')
            for name, size, share in rows:
                print(f'  {name}: {size} instructions, share {share:.3f}, {size * share / GROUP:.2f} per path-step')
