/* A pipeline of channels: numbers, of which four workers find the primes, summed up at the end. */
#include <phasor_go.h>

#include <stdbool.h>

#include "must.h"

enum { LIMIT = 10000, WORKERS = 4 };

static go_channel_t *numbers, *primes;

static int count_up(void* arg) {
    (void)arg;
    for (int i = 2; i < LIMIT; i++)
        MUST(go_send(numbers, &i, GO_NEVER));
    go_channel_close(numbers);
    return 0;
}

static bool is_prime(int number) {
    for (int i = 2; i * i <= number; i++)
        if (number % i == 0)
            return false;
    return true;
}

static int keep_primes(void* arg) {
    int number;
    (void)arg;
    while (go_receive(numbers, &number, GO_NEVER) == 0)
        if (is_prime(number))
            MUST(go_send(primes, &number, GO_NEVER));
    return 0;
}

/* The workers are a group of their own: when all have ended, the channel is closed. */
static int run_workers(void* arg) {
    go_group_t group;
    (void)arg;
    MUST(go_group_init(&group, NULL));
    for (int i = 0; i < WORKERS; i++)
        MUST(go_group_start(&group, keep_primes, NULL));
    int status = go_group_wait(&group, GO_NEVER);
    go_channel_close(primes);
    return status;
}

static int run(void* arg) {
    go_group_t group;
    int prime, count = 0;
    long sum = 0;
    (void)arg;
    MUST(go_group_init(&group, NULL));
    MUST(go_group_start(&group, count_up, NULL));
    MUST(go_group_start(&group, run_workers, NULL));
    while (go_receive(primes, &prime, GO_NEVER) == 0) {
        count++;
        sum += prime;
    }
    printf("%d primes below %d, their sum is %ld\n", count, LIMIT, sum);
    return go_group_wait(&group, GO_NEVER);
}

int main(void) {
    numbers = go_channel_new(sizeof(int), 16);
    primes = go_channel_new(sizeof(int), 0);
    MUST(go_main(run, NULL));
    go_channel_free(numbers);
    go_channel_free(primes);
    return 0;
}
