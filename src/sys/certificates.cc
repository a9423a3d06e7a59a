#include "sys/certificates.h"

#include <algorithm>
#include <filesystem>

namespace pedro {

std::string certificate_file(const std::string& chosen, const std::vector<std::string>& usual) {
  if (!chosen.empty()) return chosen;
  const auto found = std::find_if(usual.begin(), usual.end(), [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
  });
  return found == usual.end() ? "" : *found;
}

}  // namespace pedro
