/* The words of the engine in C: sfc32 streams of 96 steps, each seeded by one block of Threefry 4x32 with 12 rounds.
 * Written from docs/decisions/random-numbers.md. */
#ifndef STREAMS_H
#define STREAMS_H
#include <stdint.h>

enum { BLOCK_WORDS = 192 };

typedef struct { uint32_t a, b, c, counter; } Stream;

static inline uint32_t turn(uint32_t x, int bits) { return (x << bits) | (x >> (32 - bits)); }

static inline void threefry12(uint32_t x[4], uint32_t seed) {
    static const int turns[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
    const uint32_t key[5] = {seed, 0, 0, 0, 0x1bd11bdau ^ seed};
    for (int i = 0; i < 4; i++) x[i] += key[i];
    for (int round = 0; round < 12; round++) {
        const int p = round % 2 == 0 ? 1 : 3, q = 4 - p;
        x[0] += x[p]; x[p] = turn(x[p], turns[round % 8][0]) ^ x[0];
        x[2] += x[q]; x[q] = turn(x[q], turns[round % 8][1]) ^ x[2];
        if (round % 4 == 3) {
            const int k = (round + 1) / 4;
            for (int i = 0; i < 4; i++) x[i] += key[(k + i) % 5];
            x[3] += (uint32_t)k;
        }
    }
}

static inline Stream stream_of(uint32_t seed, uint32_t path, uint32_t pair, uint32_t block) {
    uint32_t x[4] = {path, block, pair, 0};
    threefry12(x, seed);
    return (Stream){x[0], x[1], x[2], x[3]};
}

static inline uint32_t stream_next(Stream *s) {
    const uint32_t word = s->a + s->b + s->counter++;
    s->a = s->b ^ (s->b >> 9);
    s->b = s->c + (s->c << 3);
    s->c = turn(s->c, 21) + word;
    return word;
}
#endif
