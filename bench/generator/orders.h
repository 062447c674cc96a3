/* Orders in which the words of many streams are read as one sequence. */
#ifndef ORDERS_H
#define ORDERS_H
#include "streams.h"

typedef enum {
    PATHS_FIRST, /* one word of each of `width` neighbouring paths in turn; blocks follow each other */
    STEPS_FIRST, /* a path's blocks from first to last (eight, a month and a bit), then the next path */
    PAIRS_FIRST, /* one word of each of 16 pairs in turn; then the next path */
    SEEDS_FIRST, /* one word of each of `width` neighbouring seeds in turn; blocks follow each other */
    BLOCKS_FIRST /* one word of each of `width` neighbouring blocks of a path in turn; paths follow */
} Order;

typedef struct {
    Order order;
    uint32_t seed, width, round, word, at;
    Stream *streams;
} Reader;

static inline void reader_fill(Reader *r) {
    for (uint32_t i = 0; i < r->width; i++) {
        switch (r->order) {
        case PATHS_FIRST: r->streams[i] = stream_of(r->seed, i, 0, r->round); break;
        case STEPS_FIRST: r->streams[i] = stream_of(r->seed, r->round >> 3, 0, r->round & 7); break;
        case PAIRS_FIRST: r->streams[i] = stream_of(r->seed, r->round, i, 0); break;
        case SEEDS_FIRST: r->streams[i] = stream_of(r->seed + i, 0, 0, r->round); break;
        case BLOCKS_FIRST: r->streams[i] = stream_of(r->seed, r->round, 0, i); break;
        }
    }
    r->round++;
    r->word = 0;
    r->at = 0;
}

static inline uint32_t reader_next(Reader *r) {
    if (r->at == r->width) {
        r->at = 0;
        if (++r->word == BLOCK_WORDS) reader_fill(r);
    }
    return stream_next(&r->streams[r->at++]);
}
#endif
