#pragma once

#include <string>
#include <thread>

#include "sys/descriptor.h"

namespace pedro {

/// Shows during its lifetime that this process runs and its disk responds. Its own thread sets the
/// time of a file to now, even while other threads block. The thread allocates nothing, holds no
/// lock and blocks all signals, so the process may fork. A failed beat is ignored; the next one
/// tries again.
class Heartbeat {
 public:
  /// Makes the first beat. Creates the file (0600) if it is missing.
  explicit Heartbeat(std::string path, int every_ms = kEvery_ms);
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  /// Ends the thread at once. The file remains.
  ~Heartbeat();

  static constexpr int kEvery_ms = 5000;

 private:
  void beat();
  void run();

  std::string path_;
  int every_ms_;
  Descriptor file_;
  Descriptor end_;  // an eventfd: readable when the thread must end
  std::thread thread_;
};

}  // namespace pedro
