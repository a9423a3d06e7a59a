#include "sys/work_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPathBytes = 4096;
constexpr std::size_t kMaxShownBytes = 200;
constexpr std::array<std::string_view, 3> kOwnSettings = {".pedro", ".pedrocli.json", ".mcp.json"};

Error denied(std::string message) {
  return Error{ErrorKind::kRefused, std::move(message)};
}

/// Returns a path for error messages: printable and at most 200 bytes.
std::string shown(std::string_view path) {
  const std::string_view head = truncate_utf8(path, kMaxShownBytes);
  return make_printable(head) + (head.size() < path.size() ? "..." : "");
}

Error outside(std::string_view path) {
  return denied(
      fmt::format("'{}' is outside the project; paths are relative to its root", shown(path)));
}

/// Returns `path` relative to `root`, "" for the root itself; nothing if it is outside. Both paths
/// are normalized.
std::optional<std::string_view> below(std::string_view root, std::string_view path) {
  if (root == "/") return path.substr(1);
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  if (path.empty()) return path;
  if (path.front() != '/') return std::nullopt;
  return path.substr(1);
}

/// Returns true if a component is git's folder. Ignores case, because some file systems do.
bool in_git_folder(std::string_view relative) {
  const std::vector<std::string_view> pieces = split(relative, '/');
  return std::any_of(pieces.begin(), pieces.end(),
                     [](std::string_view piece) { return to_lower(piece) == ".git"; });
}

/// Returns the deepest existing part of `path`. A link exists even if its target is missing.
std::string deepest_existing(const FileSystem& files, std::string path) {
  while (path != "/" && files.link_info(path).kind == FileKind::kMissing) {
    path = folder_name(path);
  }
  return path;
}

bool is_name_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte >= 0x80 ||
         std::string_view("_-.~+%").find(c) != std::string_view::npos;
}

/// Returns true if a path can begin after `before`: not inside a longer path, but after an option's
/// letter ("-I/home/me/project").
bool path_can_begin_after(std::string_view before) {
  if (before.ends_with('/')) return false;
  std::size_t begin = before.size();
  while (begin > 0 && is_name_char(before[begin - 1])) --begin;
  const bool in_longer_path = begin > 0 && before[begin - 1] == '/';
  return begin == before.size() || (before[begin] == '-' && !in_longer_path);
}

/// Returns true if a path can end before `after`; a period may end the sentence.
bool path_can_end_before(std::string_view after) {
  const bool full_stop = after.starts_with('.');
  if (full_stop) after.remove_prefix(1);
  if (after.empty()) return true;
  return !is_name_char(after.front()) && !(full_stop && after.front() == '/');
}

}  // namespace

bool is_own_settings(std::string_view relative) {
  const std::string first = to_lower(relative.substr(0, relative.find('/')));
  return std::find(kOwnSettings.begin(), kOwnSettings.end(), first) != kOwnSettings.end();
}

Result<WorkTree> WorkTree::open(FileSystem& files, const std::string& root) {
  Result<std::string> canonical = files.canonical(root);
  if (!canonical) return Error{ErrorKind::kUsage, canonical.error().message};
  if (files.info(*canonical).kind != FileKind::kFolder) {
    return Error{ErrorKind::kUsage, fmt::format("{}: not a folder", root)};
  }
  return WorkTree(files, *std::move(canonical));
}

Result<std::string> WorkTree::resolve(std::string_view path) const {
  if (path.empty()) return denied("the path is empty; '.' is the project's root");
  if (path.size() > kMaxPathBytes) {
    return denied(fmt::format("the path is {} bytes long; at most {} are allowed", path.size(),
                              kMaxPathBytes));
  }
  if (path.find('\0') != std::string_view::npos) return denied("the path contains a NUL byte");

  // Normalized before it is joined, so that a path that leaves the root and returns is detected.
  const std::string normal = normal_path(path);
  if (normal == ".." || normal.starts_with("../")) return outside(path);
  const std::string absolute = normal == "." ? root_ : join_path(root_, normal);
  const std::optional<std::string_view> relative = below(root_, absolute);
  if (!relative) return outside(path);

  Result<std::string> real = files_->canonical(deepest_existing(*files_, absolute));
  if (!real) return denied(fmt::format("'{}' leads through a broken link", shown(path)));
  const std::optional<std::string_view> real_relative = below(root_, *real);
  if (!real_relative) {
    return denied(fmt::format("'{}' leads outside the project through a link", shown(path)));
  }
  if (in_git_folder(*relative) || in_git_folder(*real_relative)) {
    return denied(fmt::format("'{}' belongs to git; nothing in .git can be used", shown(path)));
  }
  PEDRO_RETURN_IF_ERROR(check_usable(*relative, false));
  return absolute;
}

Status WorkTree::check_usable(std::string_view relative, bool changes) const {
  if (unusable_.empty()) return {};
  for (std::string at(relative); !at.empty() && at != "." && at != "/";
       at = std::string(folder_name(at))) {
    const auto found = unusable_.find(at);
    if (found == unusable_.end() || (found->second.may_be_read && !changes)) continue;
    return denied(fmt::format("'{}' {}; leave it, and name the needed change in your answer",
                              shown(relative), found->second.reason));
  }
  return {};
}

Result<std::string> WorkTree::resolve_to_change(std::string_view path) const {
  PEDRO_TRY(std::string absolute, resolve(path));
  const auto refused = [&path] {
    return denied(
        fmt::format("'{}' belongs to pedrocli's settings, which only the user changes; leave it, "
                    "and name the needed change in your answer",
                    shown(path)));
  };
  const std::string deepest = deepest_existing(*files_, absolute);
  const Result<std::string> real = files_->canonical(deepest);
  const std::string last = real ? *real + absolute.substr(deepest.size()) : absolute;
  for (const std::string& candidate : {absolute, last}) {
    const std::optional<std::string_view> relative = below(root_, candidate);
    if (relative && is_own_settings(*relative)) return refused();
    if (relative) {
      PEDRO_RETURN_IF_ERROR(check_usable(*relative, true));
    }
    for (const std::string& held : protected_) {
      if (!below(held, candidate) && !below(candidate, held)) continue;
      return denied(
          fmt::format("'{}' is read or run by git itself, so only the user changes it; leave it, "
                      "and name the needed change in your answer",
                      shown(display(held))));
    }
  }
  // If these are links, their targets configure pedrocli too.
  for (const std::string_view name : kOwnSettings) {
    const Result<std::string> target = files_->canonical(join_path(root_, name));
    if (target && *target != root_ && below(*target, last)) return refused();
  }
  return absolute;
}

std::string WorkTree::display(std::string_view absolute) const {
  const std::optional<std::string_view> relative = below(root_, absolute);
  if (!relative) return std::string(absolute);
  return relative->empty() ? "." : std::string(*relative);
}

std::string WorkTree::without_root(std::string_view text) const {
  if (root_ == "/") return std::string(text);
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = text.find(root_); at != std::string_view::npos;) {
    std::size_t end = at + root_.size();
    if (!path_can_begin_after(text.substr(0, at)) || !path_can_end_before(text.substr(end))) {
      at = text.find(root_, at + 1);
      continue;
    }
    result += text.substr(copied, at - copied);
    const bool slash = text.substr(end).starts_with('/');
    while (end < text.size() && text[end] == '/') ++end;
    const bool name_follows = slash && end < text.size() && is_name_char(text[end]);
    if (!name_follows) result += slash ? "./" : ".";
    copied = end;
    at = text.find(root_, end);
  }
  result += text.substr(copied);
  return result;
}

}  // namespace pedro
