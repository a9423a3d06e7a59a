#include "agent/check_files.h"

#include "agent/check_names.h"
#include "agent/task_files.h"

namespace pedro {

std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks, const TextOfBase& base,
                                  const LinksOfBase& links) {
  const CheckScripts scripts(checks, base, links);
  std::set<std::string> files;
  for (const std::string& path : changed) {
    const bool is_new_module = base && shadows_module(path) && base(path).empty();
    if (is_test_path(path) || is_check_definition(path) || is_expected_output(path) ||
        shadows_runner(path) || is_new_module || scripts.contains(path)) {
      files.insert(path);
    }
  }
  return files;
}

}  // namespace pedro
