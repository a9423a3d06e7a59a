#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace pedro {

/// Reads the file `name` in /proc of every live process that was started with `marker`
/// ("NAME=value") in its environment.
std::vector<std::string> of_marked_processes(const std::string& marker, const char* name);

/// Measures the peak memory of the marked processes of one program. Polls on its own thread until
/// it is destroyed.
class PeakMemory {
 public:
  PeakMemory(std::string marker, std::string program);
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;
  ~PeakMemory();

  /// The peak of any single process so far, in KB.
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
