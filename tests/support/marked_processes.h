#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace pedro {

/// Of all processes that live and have `marker`, "NAME=value", in the environment they were started
/// with: the text of their file `name` in /proc.
std::vector<std::string> of_marked_processes(const std::string& marker, const char* name);

/// Looks on a thread of its own, while it lives, how much memory the marked processes of one
/// program have come to.
class PeakMemory {
 public:
  PeakMemory(std::string marker, std::string program);
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;
  ~PeakMemory();

  /// The most that one of them has had so far.
  long long kb() const { return kb_; }

 private:
  void look();

  std::string marker_;
  std::string program_;
  std::atomic<long long> kb_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace pedro
