// fault_proxy SCRIPT UPSTREAM: runs a FaultProxy by hand, in front of any server. SCRIPT is a file
// in the format of fault_script.h, UPSTREAM the server's address. Prints its own address, and runs
// until standard input ends.
#include <fmt/format.h>

#include <cstdio>

#include "support/fault_proxy.h"
#include "sys/file_system.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: fault_proxy SCRIPT UPSTREAM\n");
    return 2;
  }
  const pedro::RealFileSystem files;
  const auto text = files.read(argv[1], 1u << 20);
  if (!text) {
    fmt::print(stderr, "fault_proxy: {}\n", text.error().message);
    return 2;
  }
  auto rules = pedro::read_fault_script(*text);
  if (!rules) {
    fmt::print(stderr, "fault_proxy: {}: {}\n", argv[1], rules.error().message);
    return 2;
  }
  const pedro::FaultProxy proxy(*std::move(rules), argv[2]);
  fmt::print("{}\n", proxy.url());
  std::fflush(stdout);
  while (std::fgetc(stdin) != EOF) {
  }
  return 0;
}
