#include "smokerand/cinterface.h"
PRNG_CMODULE_PROLOG
#include "orders.h"
#ifndef ORDER
#error ORDER
#endif
static inline uint64_t get_bits_raw(void *state) { return reader_next(state); }
void *create(const CallerAPI *intf) {
    Reader *r = intf->malloc(sizeof(Reader));
    r->order = ORDER; r->width = WIDTH; r->round = 0;
    r->seed = (uint32_t)intf->get_seed64();
    r->streams = intf->malloc(sizeof(Stream) * WIDTH);
    reader_fill(r);
    return r;
}
MAKE_UINT32_PRNG(NAME, NULL)
