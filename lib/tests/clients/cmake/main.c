#include <stdio.h>
#include <stdlib.h>

int add(int a, int b);

int main(int argc, char** argv) {
    int sum = 0;
    for (int i = 1; i < argc; i++)
        sum = add(sum, atoi(argv[i]));
    printf("%d\n", sum);
    return 0;
}
