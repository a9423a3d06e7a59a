#include "base/clock.h"

#include <fmt/format.h>

namespace pedro {

std::string to_rfc3339(long long ms) {
  using std::chrono::floor, std::chrono::days, std::chrono::milliseconds;
  const std::chrono::sys_time<milliseconds> time{milliseconds{ms}};
  const auto day = floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace pedro
