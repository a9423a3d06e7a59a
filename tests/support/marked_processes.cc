#include "support/marked_processes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace pedro {
namespace {

constexpr std::string_view kPeak = "VmHWM:";  // the high-water mark since exec, in kB

// Reads the available part of a file. The process may end meanwhile, and std::ifstream would throw.
std::string read(const std::filesystem::path& path) {
  std::string text;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  char piece[4096];
  for (std::size_t count = 1; count > 0;) {
    count = std::fread(piece, 1, sizeof piece, file);
    text.append(piece, count);
  }
  std::fclose(file);
  return text;
}

}  // namespace

std::vector<std::string> of_marked_processes(const std::string& marker, const char* name) {
  std::vector<std::string> out;
  std::error_code gone;
  for (std::filesystem::directory_iterator entry("/proc", gone), end; !gone && entry != end;
       entry.increment(gone)) {
    const std::string environment = read(entry->path() / "environ");
    if (environment.find(marker) != std::string::npos) out.push_back(read(entry->path() / name));
  }
  return out;
}

PeakMemory::PeakMemory(std::string marker, std::string program)
    : marker_(std::move(marker)), program_(std::move(program)) {
  thread_ = std::thread([this] {
    while (!stop_) {
      look();
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
  });
}

PeakMemory::~PeakMemory() {
  stop_ = true;
  thread_.join();
}

void PeakMemory::look() {
  for (const std::string& status : of_marked_processes(marker_, "status")) {
    const std::size_t at = status.find(kPeak);
    if (at == std::string::npos || !status.starts_with("Name:\t" + program_ + "\n")) continue;
    kb_ = std::max(kb_.load(), std::atoll(status.c_str() + at + kPeak.size()));
  }
}

}  // namespace pedro
