#include <vector>

#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

/// Removes trailing slashes, but keeps "/".
std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.starts_with('/')) return std::string(name);
  if (name.empty()) return std::string(folder);
  std::string path(folder);
  if (!path.ends_with('/')) path += '/';
  path += name;
  return path;
}

std::string_view base_name(std::string_view path) {
  path = without_trailing_slashes(path);
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

std::string_view folder_name(std::string_view path) {
  path = without_trailing_slashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return without_trailing_slashes(path.substr(0, slash == 0 ? 1 : slash));
}

std::string normal_path(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> kept;
  for (const std::string_view piece : split(path, '/')) {
    if (piece.empty() || piece == ".") continue;
    const bool up = piece == "..";
    if (up && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!up || !absolute) {
      kept.push_back(piece);
    }
  }
  std::string result(absolute ? "/" : "");
  for (const std::string_view piece : kept) {
    if (!result.empty() && result.back() != '/') result += '/';
    result += piece;
  }
  return result.empty() ? "." : result;
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace pedro
