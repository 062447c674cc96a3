/* Neighbouring streams against each other: seeds, paths, pairs, blocks.
 *
 * For each kind of neighbour and each lag of 0 to 3 words, over 100 words of 20,000 streams (or STREAMS) x (of a stream) and y (of its
 * neighbour): how many bits of x and y agree in each of the 32 places, the correlation of their Hamming weights, the
 * chi-square of the Hamming weight of x ^ y against the binomial, and the correlation of x and y as numbers. Prints the
 * largest |z| of each and how many z there are: with 700 standard normals about 3.2 is to be expected.
 * Build and run: gcc -O2 -o neighbours neighbours.c -lm && ./neighbours [STREAMS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "streams.h"

enum { WORDS = 100, LAGS = 4, KINDS = 5 };
static const char *const NAMES[KINDS] = {"seed + 1", "path + 1", "pair + 1", "block + 1", "seed bit 31"};

static Stream neighbour(int kind, uint32_t i, int other) {
    const uint32_t o = other ? 1u : 0u;
    switch (kind) {
    case 0: return stream_of(i + o, 0, 0, 0);
    case 1: return stream_of(7, i + o, 0, 0);
    case 2: return stream_of(7, i, o, 0);
    case 3: return stream_of(7, i, 0, o);
    default: return stream_of(i ^ (o << 31), 3, 1, 2);
    }
}

static double worst = 0, square = 0;
static int scores = 0;
static double note(double z) {
    if (fabs(z) > worst) worst = fabs(z);
    square += z * z;
    scores++;
    return fabs(z);
}

int main(int count, char **sent) {
    const uint32_t streams = count > 1 ? (uint32_t)atol(sent[1]) : 20000;
    double binomial[33];
    for (int k = 0; k <= 32; k++) binomial[k] = exp(lgamma(33) - lgamma(k + 1) - lgamma(33 - k) - 32 * log(2));
    printf("neighbour, lag: largest |z| of 32 bits, weights, weight of the difference, numbers\n");
    for (int kind = 0; kind < KINDS; kind++) {
        for (int lag = 0; lag < LAGS; lag++) {
            double agree[32] = {0}, weights = 0, numbers = 0, n = 0;
            static double counts[33];
            for (int k = 0; k <= 32; k++) counts[k] = 0;
            for (uint32_t i = 0; i < streams; i++) {
                Stream a = neighbour(kind, i, 0), b = neighbour(kind, i, 1);
                for (int l = 0; l < lag; l++) stream_next(&b);
                for (int t = 0; t < WORDS; t++) {
                    const uint32_t x = stream_next(&a), y = stream_next(&b), d = x ^ y;
                    for (int k = 0; k < 32; k++) agree[k] += (d >> k) & 1;
                    weights += (__builtin_popcount(x) - 16.0) * (__builtin_popcount(y) - 16.0) / 8;
                    numbers += 12 * ((x + 0.5) / 4294967296.0 - 0.5) * ((y + 0.5) / 4294967296.0 - 0.5);
                    counts[__builtin_popcount(d)]++;
                    n++;
                }
            }
            double bits = 0, chi = 0, low = 0, high = 0, expected_low = 0, expected_high = 0;
            int cells = 0;
            for (int k = 0; k < 32; k++) {
                const double z = note((2 * agree[k] - n) / sqrt(n));
                if (z > bits) bits = z;
            }
            /* Rare weights are taken together. */
            for (int k = 0; k <= 32; k++) {
                const double e = n * binomial[k];
                if (e >= 50) chi += (counts[k] - e) * (counts[k] - e) / e, cells++;
                else if (k < 16) low += counts[k], expected_low += e;
                else high += counts[k], expected_high += e;
            }
            chi += (low - expected_low) * (low - expected_low) / expected_low + (high - expected_high) * (high - expected_high) / expected_high;
            cells += 2;
            /* Wilson and Hilferty: chi-square as a normal. */
            const double f = cells - 1, cube = (cbrt(chi / f) - (1 - 2 / (9 * f))) / sqrt(2 / (9 * f));
            printf("%s, %d: %.2f %.2f %.2f %.2f\n", NAMES[kind], lag, bits, note(weights / sqrt(n)), note(cube), note(numbers / sqrt(n)));
        }
    }
    printf("%d scores: largest %.2f, mean square %.3f\n", scores, worst, square / scores);
    return worst < 5 ? 0 : 1;
}
