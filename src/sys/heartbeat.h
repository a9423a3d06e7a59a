#pragma once

#include <string>
#include <thread>

#include "sys/descriptor.h"

namespace pedro {

/// Says for as long as it lives that this process is not stopped and its disk answers: a thread of
/// its own sets the time of a file to now, whatever the others wait for. The thread allocates
/// nothing, holds no lock and hears no signal, so a process may be forked beside it. What cannot be
/// written is tried again at the next beat: nobody depends on it.
class Heartbeat {
 public:
  /// The first beat is made here; the file is made (0600) where it is missing.
  explicit Heartbeat(std::string path, int every_ms = kEvery_ms);
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  /// Does not wait for the next beat. The file stays.
  ~Heartbeat();

  static constexpr int kEvery_ms = 5000;

 private:
  void beat();
  void run();

  std::string path_;
  int every_ms_;
  Descriptor file_;
  Descriptor end_;  // an eventfd: readable when it is over
  std::thread thread_;
};

}  // namespace pedro
