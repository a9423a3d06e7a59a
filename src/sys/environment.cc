#include "sys/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <string_view>

namespace pedro {

Environment real_environment() {
  Environment result;
  if (environ == nullptr) return result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    // If a name occurs twice, the first value wins, as in getenv().
    result.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

std::string host_name() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "";
}

}  // namespace pedro
