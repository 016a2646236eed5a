// libFuzzer's driver as a function (compiler-rt, lib/fuzzer/FuzzerDriver.cpp), so that the program has a main of its own.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*check)(const uint8_t *bytes, size_t size));
