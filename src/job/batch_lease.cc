#include "job/batch_lease.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/interrupted.h"
#include "sys/process_alive.h"
#include "sys/sleep.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxLeaseBytes = 4096;
constexpr long long kCheckEvery_ms = 2000;
constexpr double kLookAgain_s = 0.2;
constexpr long long kBeatsPerLease = 12;
constexpr std::string_view kLeaseSuffix = ".lease-";

std::string lease_path(const std::string& state, int number) {
  return fmt::format("{}{}{}", state, kLeaseSuffix, number);
}

// Returns the highest number of a lease; 0 if there is none.
Result<int> newest_lease(const FileSystem& files, const std::string& state) {
  PEDRO_TRY(const auto entries, files.list(std::string(folder_name(state))));
  const std::string prefix = std::string(base_name(state)) + std::string(kLeaseSuffix);
  int newest = 0;
  for (const FolderEntry& entry : entries) {
    if (!entry.name.starts_with(prefix)) continue;
    const std::string_view digits = std::string_view(entry.name).substr(prefix.size());
    newest = std::max(newest, number_from<int>(digits).value_or(0));
  }
  return newest;
}

// Opens the file first: a network file system then fetches its attributes again.
std::string host_of_lease(const FileSystem& files, const std::string& path) {
  const Result<std::string> text = files.read(path, kMaxLeaseBytes);
  const Result<Json> lease = parse_json(text ? *text : "");
  return lease ? make_printable(text_of(*lease, "host")) : "";
}

Error used_by(const std::string& state, const std::string& host) {
  const std::string who = host.empty() ? "another host" : "host " + host;
  return usage_error(fmt::format("{}: {} is using it", state, who));
}

// Waits until a lease is void or removed. Error: its host is alive.
Status await_end(const FileSystem& files, const Clock& clock, const CancelToken& cancel,
                 const std::string& state, const std::string& path, long long lease_ms) {
  const std::string host = host_of_lease(files, path);
  const FileInfo first = files.info(path);
  const long long until = clock.ticks_ms() + lease_ms;
  while (clock.ticks_ms() < until) {
    sleep_unless_cancelled(kLookAgain_s, cancel);
    if (cancel.cancelled()) return interrupted(cancel);
    (void)host_of_lease(files, path);
    const FileInfo now = files.info(path);
    if (now.kind == FileKind::kMissing) return {};
    if (now.modified_ns != first.modified_ns) return used_by(state, host);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<BatchLease>> BatchLease::take(RealFileSystem& files, const Clock& clock,
                                                     const CancelToken& cancel,
                                                     const std::string& state,
                                                     const std::string& host, const Note& note,
                                                     long long lease_ms) {
  const std::string text =
      to_line({{"host", host}, {"pid", this_process().pid}, {"ts", to_rfc3339(clock.now_ms())}}) +
      "\n";
  PEDRO_TRY(const int known, newest_lease(files, state));
  const std::string path = lease_path(state, known);
  const std::string owner = known == 0 ? host : host_of_lease(files, path);
  if (owner != host) {
    note(fmt::format("{}: host {} has it; waiting up to {} s for a sign of life", state, owner,
                     lease_ms / 1000));
    PEDRO_RETURN_IF_ERROR(await_end(files, clock, cancel, state, path, lease_ms));
  }
  const std::string own = lease_path(state, known + 1);
  PEDRO_TRY(const bool made, files.make_new_file(own, text, 0600));
  if (!made) return used_by(state, "");
  // A slow host may have made a number that others have used and removed.
  PEDRO_TRY(const int newest, newest_lease(files, state));
  if (newest != known + 1) {
    (void)files.remove(own);
    return used_by(state, "");
  }
  if (known > 0) (void)files.remove(path);
  return std::unique_ptr<BatchLease>(
      new BatchLease(files, clock, state, known + 1, text, lease_ms));
}

BatchLease::BatchLease(RealFileSystem& files, const Clock& clock, std::string state, int number,
                       std::string text, long long lease_ms)
    : files_(files),
      clock_(clock),
      state_(std::move(state)),
      number_(number),
      text_(std::move(text)),
      checked_ms_(clock.ticks_ms()),
      heartbeat_(std::make_unique<Heartbeat>(lease_path(state_, number),
                                             static_cast<int>(lease_ms / kBeatsPerLease))) {}

BatchLease::~BatchLease() {
  heartbeat_.reset();
  if (is_ours()) (void)files_.remove(lease_path(state_, number_));
}

bool BatchLease::is_ours() const {
  const Result<std::string> text = files_.read(lease_path(state_, number_), kMaxLeaseBytes);
  return text && *text == text_;
}

Status BatchLease::check() {
  if (clock_.ticks_ms() - checked_ms_ < kCheckEvery_ms) return {};
  checked_ms_ = clock_.ticks_ms();
  PEDRO_TRY(const int newest, newest_lease(files_, state_));
  if (newest == number_ && is_ours()) return {};
  const std::string host = newest == 0 ? "" : host_of_lease(files_, lease_path(state_, newest));
  return used_by(state_, host);
}

}  // namespace pedro
