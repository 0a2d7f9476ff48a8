/* Exceptions inside coroutines: thrown and caught in one, also while another handles its own. */
#include <phasor_go.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static int failed, destroyed, order;

#define EXPECT(condition) \
    ((condition) ? (void)0 : (void)(failed++, std::fprintf(stderr, "%d: %s\n", __LINE__, #condition)))

struct noted {
    ~noted() {
        destroyed++;
    }
};

static void fail_deeply(int depth, int number) {
    noted one;
    if (depth == 0)
        throw std::runtime_error(std::to_string(number));
    fail_deeply(depth - 1, number);
}

static int throw_and_catch(void* arg) {
    int number = *static_cast<int*>(arg);
    for (int i = 0; i < 100; i++) {
        try {
            go_yield();
            fail_deeply(5, number);
            EXPECT(false);
        } catch (const std::runtime_error& error) {
            EXPECT(error.what() == std::to_string(number));
            go_yield(); /* others throw and catch meanwhile */
            EXPECT(error.what() == std::to_string(number));
            try {
                fail_deeply(1, number + 1);
            } catch (const std::runtime_error& inner) {
                go_sleep(0);
                EXPECT(inner.what() == std::to_string(number + 1));
                EXPECT(std::current_exception() != nullptr);
            }
            try {
                go_yield();
                throw;
            } catch (const std::runtime_error& again) {
                EXPECT(again.what() == std::to_string(number));
            }
        }
        EXPECT(std::uncaught_exceptions() == 0);
    }
    order++;
    return 0;
}

static int first(void*) {
    static int numbers[] = {10, 20, 30};
    for (int& number : numbers)
        if (go_start(go_loop(), throw_and_catch, &number) != 0)
            std::abort();
    return 0;
}

static int leave_uncaught(void*) {
    throw std::runtime_error("nobody catches this");
}

int main(int argc, char**) {
    if (argc > 1)
        return go_main(leave_uncaught, nullptr);
    EXPECT(go_main(first, nullptr) == 0);
    EXPECT(order == 3);
    EXPECT(destroyed == 3 * 100 * 8);
    return failed != 0;
}
