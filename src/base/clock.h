#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// A source of time. Injected to make runs reproducible. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since 1970-01-01 UTC.
  virtual long long now_ms() const = 0;
  /// Milliseconds of a monotonic clock; only differences have a meaning.
  virtual long long ticks_ms() const = 0;
  /// Microseconds of the same clock; the default has a resolution of 1 ms.
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

/// Advances only when a test changes `ms`.
class FakeClock : public Clock {
 public:
  long long now_ms() const override { return ms; }
  long long ticks_ms() const override { return ms; }
  long long ms = 1'700'000'000'000;
};

/// Formats milliseconds since 1970 in UTC as "2026-03-01T12:00:00.000Z" (RFC 3339).
std::string to_rfc3339(long long ms);

/// Parses the output of to_rfc3339(). Returns nothing for any other text.
std::optional<long long> from_rfc3339(std::string_view text);

}  // namespace pedro
