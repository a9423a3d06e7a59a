#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "base/utf8.h"
#include "command.h"
#include "git/own_work_tree.h"
#include "job/job_id.h"
#include "job_filter.h"
#include "job_removal.h"
#include "sys/folder_lock.h"
#include "sys/process_alive.h"
#include "sys/scratch_folder.h"
#include "work_place.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr long long kHour_ns = 3'600'000'000'000;

struct GcOptions {
  std::string older = "30d";
  std::size_t keep = 20;
  bool dry_run = false;
};

// Returns the size of all files below `path`, in bytes. Does not follow links.
std::uint64_t bytes_below(const std::string& path) {
  std::error_code error;
  std::uint64_t bytes = 0;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code unknown;
    if (at->is_symlink(unknown) || !at->is_regular_file(unknown)) continue;
    const std::uint64_t size = at->file_size(unknown);
    if (!unknown) bytes += size;
  }
  return bytes;
}

// Returns the process id in ".pedrocli-PID-N.tmp", the name of a file during an atomic write.
std::optional<long> writer_of(std::string_view name) {
  constexpr std::string_view kBegin = ".pedrocli-";
  if (!name.starts_with(kBegin) || !name.ends_with(".tmp")) return std::nullopt;
  long pid = 0;
  const char* digits = name.data() + kBegin.size();
  const auto read = std::from_chars(digits, name.data() + name.size(), pid);
  const bool named = read.ec == std::errc() && pid > 0 && *read.ptr == '-';
  return named ? std::optional(pid) : std::nullopt;
}

// Removes obsolete data, one kind after another.
class Gc {
 public:
  Gc(CommandContext& context, const JobStore& store, const GcOptions& options)
      : context_(context), store_(store), options_(options) {}

  Result<int> run() {
    PEDRO_TRY(age_ms_, parse_age("-older", options_.older));
    PEDRO_RETURN_IF_ERROR(remove_jobs());
    remove_remains();
    remove_trees();
    remove_scratch_folders();
    remove_half_written();
    tell_sum();
    if (stopped()) return kExitSignal + context_.cancel.signal();
    return problems_ == 0 ? kExitDone : kExitInternal;
  }

 private:
  Removal removal() const { return options_.dry_run ? Removal::kDryRun : Removal::kDone; }
  bool stopped() const { return context_.cancel.cancelled(); }

  Status remove_jobs() {
    PEDRO_TRY(const std::vector<std::string> ids, store_.ids());
    // Ids begin with a timestamp.
    const std::string first = new_job_id(context_.clock.now_ms() - age_ms_, "", 0).substr(0, 15);
    for (std::size_t i = options_.keep; i < ids.size() && !stopped(); ++i) {
      const std::string& id = ids[i];
      if (id.substr(0, 15) < first) remove_old(id);
    }
    return {};
  }

  void remove_old(const std::string& id) {
    const std::string folder = store_.folder(id);
    const std::uint64_t bytes = bytes_below(folder);
    const Result<RemovedJob> removed = remove_job(context_, store_, id, removal());
    if (removed) {
      tell("job", id, bytes);
      // The job's work tree is examined together with the others.
      const std::string& left = removed->left_refs;
      if (!left.empty()) print_note(context_.global, fmt::format("{}: not removed: {}", id, left));
    } else if (removed.error().kind == ErrorKind::kUsage) {  // the job is still in use
      print_note(context_.global, "kept: " + removed.error().message);
    } else {
      fail(removed.error().message);
    }
  }

  void take(std::string_view what, const std::string& path) {
    const std::uint64_t bytes = bytes_below(path);
    if (!options_.dry_run) {
      remove_tree(path);
      if (context_.files.link_info(path).kind != FileKind::kMissing) {
        return fail(path + ": cannot remove all of it");
      }
    }
    tell(what, path, bytes);
  }

  // Removes the remains of an interrupted `rm`.
  void remove_remains() {
    const std::string jobs(folder_name(store_.folder("x")));
    for (const std::string& name : names_in(jobs, FileKind::kFolder)) {
      const std::string path = join_path(jobs, name);
      const bool is_left =
          name.starts_with(kRemovedPrefix) || (name.starts_with(kMovedPrefix) && !is_young(path));
      if (is_left && !stopped()) take("remains", path);
    }
  }

  // Keeps the work trees of existing jobs.
  void remove_trees() {
    const std::string ours = own_trees_folder(context_.environment);
    const Result<std::string> real = context_.files.canonical(ours);  // spelled as in journals
    const std::string trees = real ? *real : ours;
    const auto jobs = store_.list(static_cast<std::size_t>(-1));
    if (!jobs) return fail(jobs.error().message);  // the owners of the trees are unknown
    std::set<std::string> used;
    for (const JobSummary& job : *jobs) used.insert(job.workdir);
    for (const std::string& name : names_in(trees, FileKind::kFolder)) {
      const std::string path = join_path(trees, name);
      if (used.contains(path) || is_young(path) || stopped()) continue;
      if (name.starts_with(kMovedPrefix)) {
        take("remains", path);
        continue;
      }
      if (OwnWorkTree::is_cut_off(context_.files, path)) {
        take_cut_off(path);
        continue;
      }
      const std::uint64_t bytes = bytes_below(path);
      const Status removed = remove_own_tree(context_, path, removal());
      if (removed) {
        tell("work tree", path, bytes);
      } else {
        print_note(context_.global, "kept: " + removed.error().message);
      }
    }
  }

  // Removes a work tree without its repository if it is old. Unsaved work in it cannot be detected.
  void take_cut_off(const std::string& path) {
    const Result<FolderLock> lock = FolderLock::take(path);
    if (!lock) return print_note(context_.global, "kept: " + lock.error().message);
    if (last_change_ms(path) < context_.clock.now_ms() - age_ms_) return take("work tree", path);
    print_note(context_.global, "kept: " + cut_off_text(path));
  }

  void remove_scratch_folders() {
    for (const std::string& path : left_scratch_folders(context_.environment.get("TMPDIR"))) {
      if (!stopped()) take("scratch folder", path);
    }
  }

  // Removes unfinished files of atomic writes by dead processes.
  void remove_half_written() {
    const std::string state = context_.environment.state_folder();
    std::vector<std::string> folders = {state, context_.environment.cache_folder()};
    if (const auto ids = store_.ids()) {
      for (const std::string& id : *ids) folders.push_back(store_.folder(id));
    }
    for (const std::string& folder : folders) {
      for (const std::string& name : names_in(folder, FileKind::kFile)) {
        const std::optional<long> writer = writer_of(name);
        const std::string path = join_path(folder, name);
        if (!writer || process_alive({*writer, 0}) || is_young(path) || stopped()) continue;
        const std::uint64_t bytes = context_.files.link_info(path).bytes;
        const Status removed = options_.dry_run ? Status() : context_.files.remove(path);
        if (removed) {
          tell("incomplete file", path, bytes);
        } else {
          fail(removed.error().message);
        }
      }
    }
  }

  std::vector<std::string> names_in(const std::string& folder, FileKind kind) const {
    std::vector<std::string> names;
    if (folder.empty()) return names;
    const auto entries = context_.files.list(folder);
    if (!entries) return names;
    for (const FolderEntry& entry : *entries) {
      if (entry.kind == kind) names.push_back(entry.name);
    }
    return names;
  }

  // Returns the latest change of the folder and its contents, in ms; now if a part is unreadable.
  long long last_change_ms(const std::string& path) const {
    long long last_ns = context_.files.link_info(path).modified_ns;
    std::error_code error;
    for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
         at.increment(error)) {
      last_ns = std::max(last_ns, context_.files.link_info(at->path().string()).modified_ns);
    }
    if (error) return context_.clock.now_ms();  // some entries were unreadable
    return last_ns / 1'000'000;
  }

  bool is_young(const std::string& path) const {
    const long long now_ns = context_.clock.now_ms() * 1'000'000;
    return now_ns - context_.files.link_info(path).modified_ns < kHour_ns;
  }

  void tell(std::string_view what, const std::string& name, std::uint64_t bytes) {
    ++things_;
    bytes_ += bytes;
    if (context_.global.json) {
      print_json({{"type", "gc"}, {"what", what}, {"name", name}, {"bytes", bytes}});
    } else {
      print(make_printable(fmt::format("{} {}: {} KB\n", what, name, (bytes + 1023) / 1024)));
    }
  }

  void tell_sum() const {
    if (context_.global.json) {
      print_json(Json{{"type", "gc.completed"},
                      {"dry_run", options_.dry_run},
                      {"things", things_},
                      {"problems", problems_},
                      {"bytes", bytes_}});
      return;
    }
    print(fmt::format("{}{} things, {} KB\n", options_.dry_run ? "would be removed: " : "removed: ",
                      things_, (bytes_ + 1023) / 1024));
  }

  void fail(const std::string& message) {
    ++problems_;
    print_error("pedrocli: " + message);
  }

  CommandContext& context_;
  const JobStore& store_;
  const GcOptions& options_;
  long long age_ms_ = 0;
  int things_ = 0;
  int problems_ = 0;
  std::uint64_t bytes_ = 0;
};

Result<int> run_gc(CommandContext& context, const GcOptions& options) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  return Gc(context, store, options).run();
}

}  // namespace

CommandFunction add_gc_command(CLI::App& command) {
  auto options = std::make_shared<GcOptions>();
  command.add_option("--older", options->older,
                     "Remove jobs older than this: 90m, 24h, 7d, 2w (default: 30d)");
  command.add_option("--keep", options->keep, "Keep this many of the newest jobs (default: 20)")
      ->check(CLI::Range(0, 1'000'000));
  command.add_flag("--dry-run", options->dry_run, "Only show what would be removed");
  return running(run_gc, options);
}

}  // namespace pedro
