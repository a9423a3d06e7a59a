#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fare.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: fare ZONES AGE [off-peak]\n");
    return 2;
  }
  bool off_peak = argc > 3 && std::strcmp(argv[3], "off-peak") == 0;
  int cents = fare_cents(std::atoi(argv[1]), std::atoi(argv[2]), off_peak);
  std::printf("%d.%02d\n", cents / 100, cents % 100);
  return 0;
}
