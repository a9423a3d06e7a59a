#include "git/new_commit.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxInlineBytes = 8u << 20;  // of one file; git reads larger ones itself
constexpr std::size_t kMaxInputBytes = 64u << 20;
constexpr std::uint64_t kMaxRefBytes = 4096;
constexpr std::uint32_t kOwnerRuns = 0100;

struct Request {
  bool asks = false;     // the effective value is true
  bool by_user = false;  // also without the repository's configuration
  std::string problem;   // git cannot read the setting
};

bool is_of_repository(std::string_view scope) {
  return scope == "local" || scope == "worktree";
}

// Reads the setting. Values are read as booleans, so that a value with a line end cannot fake
// another scope.
Result<Request> request_for(const GitRunner& git) {
  PEDRO_TRY(const auto asked, git.ask({"config", "--includes", "--show-scope", "--type=bool",
                                       "--get-all", "commit.gpgsign"}));
  Request request;
  if (!asked.ok() && asked.exit_code != 1) request.problem = trim(asked.err);
  for (const std::string_view line : split_lines(asked.out)) {
    const std::size_t tab = line.find('\t');
    request.asks = line.ends_with("\ttrue");
    if (!is_of_repository(line.substr(0, tab))) request.by_user = request.asks;
  }
  return request;
}

// Prevents password dialogs of gpg and ssh-keygen. A job has no terminal.
const std::map<std::string, std::string> kNoQuestion = {{"SSH_ASKPASS_REQUIRE", "never"},
                                                        {"DISPLAY", ""},
                                                        {"WAYLAND_DISPLAY", ""},
                                                        {"DBUS_SESSION_BUS_ADDRESS", ""},
                                                        {"GPG_TTY", ""}};

std::string on_one_line(std::string_view text) {
  return replace_all(trim(text), "\n", "; ");
}

// A command may have made the ref a link, which git would follow.
Status remove_linked_ref(const GitRunner& git, const std::string& ref) {
  FileSystem& files = git.files();
  const std::string path = join_path(git.common_folder(), ref);
  const FileKind kind = files.link_info(path).kind;
  if (kind == FileKind::kMissing || kind == FileKind::kFolder) return {};
  const Result<std::string> text = files.read_begin(path, kMaxRefBytes);
  const bool is_link = kind != FileKind::kFile || !text || text->starts_with("ref:");
  return is_link ? files.remove(path) : Status();
}

// The commands of `git fast-import` for one commit.
class ImportedFiles {
 public:
  explicit ImportedFiles(const GitRunner& git) : git_(git) {}

  Status add(const ChangedFile& file) {
    const std::string& path = file.path;
    const std::string place = join_path(git_.root(), path);
    const FileInfo info = git_.files().link_info(place);
    const bool is_folder = info.kind == FileKind::kFolder;
    if (is_folder && file.kind != ChangeKind::kDeleted) return add_submodule(path, place);
    if (info.kind == FileKind::kSymlink) {
      PEDRO_TRY(const std::string target, git_.files().read_link(place));
      add_bytes("120000", path, target);
      return {};
    }
    if (info.kind != FileKind::kFile) {
      removed_ += "D " + quoted_path(path) + "\n";
      return {};
    }
    const char* const mode = (info.mode & kOwnerRuns) != 0 ? "100755" : "100644";
    if (info.bytes > kMaxInlineBytes || text_.size() > kMaxInputBytes) {
      large_.emplace_back(path, mode);
      return {};
    }
    PEDRO_TRY(const std::string bytes, git_.files().read(place, 2 * kMaxInlineBytes));
    add_bytes(mode, path, bytes);
    return {};
  }

  // Returns the commands. Removals are first: a file may replace a folder, or a folder a file.
  Result<std::string> commands() {
    PEDRO_RETURN_IF_ERROR(add_large());
    return removed_ + text_;
  }

 private:
  void add_bytes(std::string_view mode, const std::string& path, std::string_view bytes) {
    text_ += fmt::format("M {} inline {}\ndata {}\n", mode, quoted_path(path), bytes.size());
    text_.append(bytes).append("\n");
  }

  // Adds the commit of a submodule. Without one, the folder stays as in the parent.
  Status add_submodule(const std::string& path, const std::string& place) {
    if (git_.files().link_info(join_path(place, ".git")).kind == FileKind::kMissing) return {};
    PEDRO_TRY(const auto head, git_.ask({"-C", path, "rev-parse", "--verify", "--quiet", "HEAD"}));
    if (head.ok()) {
      text_ += fmt::format("M 160000 {} {}\n", trim(head.out), quoted_path(path));
    }
    return {};
  }

  Status add_large() {
    if (large_.empty()) return {};
    std::string paths;
    for (const auto& [path, mode] : large_) paths += quoted_path(path) + "\n";
    PEDRO_TRY(const std::string listed,
              git_.run({"hash-object", "-w", "--no-filters", "--stdin-paths"}, {.input = paths}));
    const auto ids = split_lines(listed);
    if (ids.size() != large_.size()) return usage_error("git hash-object: an id is missing");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      text_ += fmt::format("M {} {} {}\n", large_[i].second, ids[i], quoted_path(large_[i].first));
    }
    return {};
  }

  const GitRunner& git_;
  std::string removed_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> large_;  // path, mode
};

}  // namespace

Result<NewCommit> write_commit(const GitRunner& git, std::vector<std::string> arguments,
                               GitRunner::Options options) {
  PEDRO_TRY(const auto request, request_for(git));
  NewCommit made;
  made.not_signed = on_one_line(request.problem);
  if (request.asks && !request.by_user) {
    made.not_signed = "only the repository's configuration asks for it (commit.gpgsign)";
  } else if (request.asks) {
    std::vector<std::string> signing = arguments;
    signing.emplace_back("-S");
    GitRunner::Options quiet = options;
    quiet.environment = kNoQuestion;
    const auto id = git.run(std::move(signing), quiet);
    if (id) return NewCommit{std::string(trim(*id)), ""};
    if (id.error().kind == ErrorKind::kInterrupted) return id.error();
    made.not_signed = on_one_line(id.error().message);
  }
  PEDRO_TRY(const auto id, git.run(std::move(arguments), options));
  made.id = trim(id);
  return made;
}

Result<std::string> write_raw_commit(const GitRunner& git, const RawCommit& commit,
                                     const std::vector<ChangedFile>& files) {
  PEDRO_RETURN_IF_ERROR(remove_linked_ref(git, commit.ref));
  ImportedFiles imported(git);
  for (const ChangedFile& file : files) {
    if (!file.is_folder()) PEDRO_RETURN_IF_ERROR(imported.add(file));
  }
  PEDRO_TRY(const std::string commands, imported.commands());
  const std::string input = fmt::format(
      "commit {}\nmark :1\ncommitter pedrocli <pedrocli@localhost> now\ndata {}\n{}\nfrom {}\n",
      commit.ref, commit.message.size(), commit.message, commit.parent);
  PEDRO_TRY(const std::string id, git.run({"-c", "core.logAllRefUpdates=false", "fast-import",
                                           "--quiet", "--force", "--date-format=now"},
                                          {.input = input + commands + "get-mark :1\ndone\n"}));
  return std::string(trim(id));
}

}  // namespace pedro
