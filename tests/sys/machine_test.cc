#include "sys/machine.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

FakeFileSystem small_machine() {
  FakeFileSystem files;
  files.files["/proc/self/status"] = "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-2,5\n";
  files.files["/proc/meminfo"] = "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n";
  return files;
}

}  // namespace

TEST_CASE("machine: processors that share a core count once, forbidden ones not at all") {
  FakeFileSystem files = small_machine();
  CHECK(this_machine(files).cores == 4);
  const std::string cpu = "/sys/devices/system/cpu/cpu";
  files.files[cpu + "0/topology/thread_siblings_list"] = "0,2\n";
  files.files[cpu + "2/topology/thread_siblings_list"] = "0,2\n";
  CHECK(this_machine(files).cores == 3);
}

TEST_CASE("machine: the quota and the limit of a control group apply") {
  struct Row {
    const char* name;
    const char* path;
    const char* text;
    int cores;
    std::uint64_t available_bytes;
  };
  constexpr std::uint64_t kAll = 4000 * 1024;
  for (const Row& row : {
           Row{"none", "/sys/fs/cgroup/x", "1", 4, kAll},
           Row{"no quota", "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n", 4, kAll},
           Row{"a quota", "/sys/fs/cgroup/a/b/cpu.max", "150000 100000\n", 2, kAll},
           Row{"a quota of a period of 0", "/sys/fs/cgroup/cpu.max", "1 0\n", 4, kAll},
           Row{"of a container", "/sys/fs/cgroup/cpu.max", "10000 100000\n", 1, kAll},
           Row{"memory", "/sys/fs/cgroup/a/b/memory.max", "1000000\n", 4, 1'000'000},
           Row{"no limit", "/sys/fs/cgroup/memory.max", "max\n", 4, kAll},
           Row{"a limit above the machine", "/sys/fs/cgroup/memory.max", "99999999999\n", 4, kAll},
           Row{"version 1", "/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "2000\n", 4, 2000},
       }) {
    CAPTURE(row.name);
    FakeFileSystem files = small_machine();
    files.files["/proc/self/cgroup"] = "4:memory:/m\n3:cpuset:/\n0::/a/b\n";
    files.files[row.path] = row.text;
    CHECK(this_machine(files).cores == row.cores);
    CHECK(this_machine(files).available_bytes == row.available_bytes);
  }
}

TEST_CASE("machine: without any file there is one core, and the memory is unknown") {
  const Machine machine = this_machine(FakeFileSystem());
  CHECK(machine.cores == 1);
  CHECK(machine.available_bytes == 0);
}

TEST_CASE("machine: the real one has a core and some memory") {
  const Machine machine = this_machine(RealFileSystem());
  CHECK(machine.cores >= 1);
  CHECK(machine.available_bytes > 1 << 20);
}

}  // namespace pedro
