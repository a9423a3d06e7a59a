#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// Where time comes from; passed in, so that runs can be repeated. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since 1970-01-01 UTC.
  virtual long long now_ms() const = 0;
  /// Milliseconds on a clock that never goes back; only differences mean something.
  virtual long long ticks_ms() const = 0;
  /// The same in microseconds, where it is known so exactly.
  virtual long long ticks_us() const { return ticks_ms() * 1000; }
};

class RealClock : public Clock {
 public:
  long long now_ms() const override {
    using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::system_clock;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  }
  long long ticks_ms() const override {
    using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::steady_clock;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
  }
  long long ticks_us() const override {
    using std::chrono::duration_cast, std::chrono::microseconds, std::chrono::steady_clock;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
  }
};

/// Stands still until a test moves it.
class FakeClock : public Clock {
 public:
  long long now_ms() const override { return ms; }
  long long ticks_ms() const override { return ms; }
  long long ms = 1'700'000'000'000;
};

/// "2026-03-01T12:00:00.000Z" (RFC 3339, UTC) for milliseconds since 1970.
std::string to_rfc3339(long long ms);

/// The other way round, for what to_rfc3339() writes; nothing for any other text.
std::optional<long long> from_rfc3339(std::string_view text);

}  // namespace pedro
