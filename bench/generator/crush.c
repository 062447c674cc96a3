/* TestU01 on the words of many streams: crush ORDER WIDTH small|crush|big [plain|reversed [SEED [TEST]]]; TEST is one of Crush by its number. */
#include "unif01.h"
#include "bbattery.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "orders.h"
static Reader reader;
static unsigned int next_word(void) { return reader_next(&reader); }
static unsigned int next_reversed(void) {
    uint32_t x = reader_next(&reader);
    x = (x >> 16) | (x << 16);
    x = ((x & 0x00ff00ffu) << 8) | ((x >> 8) & 0x00ff00ffu);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x >> 4) & 0x0f0f0f0fu);
    x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
    x = ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
    return x;
}
int main(int n, char **a) {
    static const char *const names[] = {"paths", "steps", "pairs", "seeds", "blocks"};
    if (n < 4) return 2;
    for (int i = 0; i < 5; i++) if (!strcmp(a[1], names[i])) reader.order = (Order)i;
    reader.width = (uint32_t)atoi(a[2]);
    const int reversed = n > 4 && !strcmp(a[4], "reversed");
    if (n > 4 && !reversed && strcmp(a[4], "plain")) return 2;
    if (n > 6 && strcmp(a[3], "crush")) return 2;
    char *end = "";
    reader.seed = n > 5 ? (uint32_t)strtoul(a[5], &end, 10) : 20261122;
    if (*end) return 2;
    reader.streams = malloc(sizeof(Stream) * reader.width);
    reader_fill(&reader);
    setvbuf(stdout, 0, _IOLBF, 0);
    unif01_Gen *gen = unif01_CreateExternGenBits(a[1], reversed ? next_reversed : next_word);
    if (!strcmp(a[3], "small")) bbattery_SmallCrush(gen);
    else if (!strcmp(a[3], "crush") && n > 6) {
        static int times[1 + 96];
        const int test = atoi(a[6]);
        if (test < 1 || test > 96) return 2;
        times[test] = 1;
        bbattery_RepeatCrush(gen, times);
    } else if (!strcmp(a[3], "crush")) bbattery_Crush(gen);
    else if (!strcmp(a[3], "big")) bbattery_BigCrush(gen);
    else return 2;
    return 0;
}
