#include "tools/secret_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

#include "sys/file_system.h"
#include "tools/file_list.h"

namespace pedro {
namespace {

template <std::size_t N>
bool is_name_among(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Excludes templates.
bool is_env_file(std::string_view name) {
  for (const std::string_view end : {".example", ".sample", ".template", ".dist"}) {
    if (name.ends_with(end)) return false;
  }
  return name == ".envrc" || name.starts_with(".env.") || name.ends_with(".env");
}

// Twice the error of the coarsest file system clock: a later change may have the same time.
constexpr long long kUnsettled_ms = 20;

bool is_key_file(std::string_view name) {
  constexpr std::array<std::string_view, 4> kKeyFiles = {"id_rsa", "id_dsa", "id_ecdsa",
                                                         "id_ed25519"};
  return name.ends_with(".pem") || name.ends_with(".key") || name.ends_with(".p8") ||
         is_name_among(name, kKeyFiles);
}

bool is_credential_file(std::string_view folder, std::string_view name) {
  constexpr std::array<std::string_view, 4> kCredentialFiles = {".netrc", "_netrc", ".npmrc",
                                                                ".pypirc"};
  return is_name_among(name, kCredentialFiles) ||
         (name == "credentials" && base_name(folder) == ".aws");
}

}  // namespace

SecretFiles::Kind SecretFiles::kind_of(std::string_view folder, std::string_view name) {
  if (is_env_file(name)) return Kind::kEnvironment;
  if (is_key_file(name)) return Kind::kKey;
  return is_credential_file(folder, name) ? Kind::kCredentials : Kind::kNone;
}

void SecretFiles::look() {
  if (listed_.size() > 2 * kMaxFolders) listed_.clear();  // drops removed folders
  for (const std::string& root : roots_) look_below(root);
  if (mask_.left_out() > 0) {
    tell_once(
        fmt::format("the files with secrets have more than {} values; the others are not masked",
                    SecretMask::kMaxValues));
  }
}

void SecretFiles::look_below(const std::string& root) {
  std::deque<std::string> open = {root};
  for (std::size_t folders = 0; !open.empty(); ++folders) {
    if (folders == kMaxFolders) {
      tell_once(
          fmt::format("secrets in files are searched in {} folders; there are more", kMaxFolders));
      return;
    }
    const std::string folder = std::move(open.front());
    open.pop_front();
    const Folder& found = listed(folder);
    open.insert(open.end(), found.folders.begin(), found.folders.end());
    for (const auto& [path, kind] : found.files) read(root, path, kind);
  }
}

const SecretFiles::Folder& SecretFiles::listed(const std::string& path) {
  Folder& folder = listed_[path];
  const long long modified_ns = files_.link_info(path).modified_ns;
  if (modified_ns != 0 && modified_ns == folder.modified_ns) return folder;
  const bool settled = clock_.now_ms() - modified_ns / 1'000'000 > kUnsettled_ms;
  folder = {.modified_ns = settled ? modified_ns : 0};
  const auto entries = files_.list(path);
  if (!entries) return folder;  // unreadable, or removed since
  for (const FolderEntry& entry : *entries) {
    std::string inside = join_path(path, entry.name);
    if (entry.kind == FileKind::kFolder) {
      if (!is_filled_by_tools(entry.name)) folder.folders.push_back(std::move(inside));
      continue;
    }
    const Kind kind = kind_of(path, entry.name);
    if (kind != Kind::kNone) folder.files.emplace_back(std::move(inside), kind);
  }
  return folder;
}

void SecretFiles::read(const std::string& root, const std::string& path, Kind kind) {
  const auto real = files_.canonical(path);
  if (!real || !is_below(*real, root)) return;
  const FileInfo info = files_.info(*real);
  if (info.kind != FileKind::kFile) return;
  const Stamp stamp{info.bytes, info.modified_ns};
  const auto before = read_.find(path);
  if (before != read_.end() && before->second == stamp) return;
  if (before == read_.end() && read_.size() == kMaxFiles) {
    tell_once(fmt::format("secrets are read from {} files; there are more", kMaxFiles));
    return;
  }
  const auto text = files_.read_begin(*real, kMaxFileBytes);
  if (!text) return;
  read_[path] = stamp;
  const std::string shown = path.substr(root.size() + (root.ends_with('/') ? 0 : 1));
  if (info.bytes > kMaxFileBytes) {
    tell_once(fmt::format("{} has {} bytes: the text after the first {} is not masked", shown,
                          info.bytes, kMaxFileBytes));
  }
  switch (kind) {
    case Kind::kNone:
      break;
    case Kind::kEnvironment:
      mask_.add_env_file(shown, *text);
      break;
    case Kind::kKey:
      mask_.add_key_file(shown, *text);
      break;
    case Kind::kCredentials:
      mask_.add_credential_file(shown, *text);
      break;
  }
}

void SecretFiles::tell_once(const std::string& text) {
  if (told_.insert(text).second) tell_(text);
}

}  // namespace pedro
