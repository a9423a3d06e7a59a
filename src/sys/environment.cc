#include "sys/environment.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <initializer_list>
#include <string_view>

namespace pedro {

void drop_git_variables() {
  for (const char* name :
       {"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE", "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}) {
    unsetenv(name);
  }
}

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
