#include "sys/git_links.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxLinkEntries = 50'000;
constexpr std::array<std::string_view, 3> kDeepFolders = {"refs", "logs", "info"};

// Of these the folders in it matter, too, such as objects/pack.
constexpr std::string_view kObjects = "objects";

struct OpenFolder {
  fs::path path;
  bool deep = false;  // links matter at any depth below it
};

bool is_deep(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return std::find(kDeepFolders.begin(), kDeepFolders.end(), name) != kDeepFolders.end();
}

}  // namespace

std::map<std::string, std::string> GitLinks::find() const {
  std::map<std::string, std::string> links;
  std::size_t looked_at = 0;
  for (const std::string& top : folders_) {
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(top, error))) continue;
    std::vector<OpenFolder> open = {{top, is_deep(top)}};
    while (!open.empty()) {
      const OpenFolder folder = std::move(open.back());
      open.pop_back();
      for (fs::directory_iterator entry(folder.path, error); !error && entry != fs::end(entry);
           entry.increment(error)) {
        if (++looked_at > kMaxLinkEntries) return links;
        const fs::path& path = entry->path();
        std::error_code vanished;
        if (entry->is_symlink(vanished)) {
          links[path.string()] = fs::read_symlink(path, vanished).string();
        } else if (entry->is_directory(vanished)) {
          const bool deep = folder.deep || is_deep(path);
          if (deep || path.filename() == kObjects) open.push_back({path, deep});
        }
      }
    }
  }
  return links;
}

void GitLinks::remember_once() {
  if (!remembered_) known_ = find();
  remembered_ = true;
}

std::vector<std::string> GitLinks::remove_new() {
  std::vector<std::string> notes;
  for (const auto& [link, target] : find()) {
    const auto before = known_.find(link);
    if (before != known_.end() && before->second == target) continue;
    bool undone = ::unlink(link.c_str()) == 0;
    if (undone && before != known_.end()) {
      undone = ::symlink(before->second.c_str(), link.c_str()) == 0;
    }
    const char* how = before == known_.end() ? "was removed again" : "leads again where it led";
    notes.push_back(
        fmt::format("{} was made a link to {}, through which git would have written; it {}", link,
                    target, undone ? how : "could not be removed"));
  }
  return notes;
}

}  // namespace pedro
