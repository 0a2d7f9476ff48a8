#include "report/page.h"

const unsigned char phasor_page_head[] = {0};
const unsigned char phasor_page_tail[] = {0};
const size_t phasor_page_head_size = 0;
const size_t phasor_page_tail_size = 0;
