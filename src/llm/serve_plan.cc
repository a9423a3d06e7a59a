#include "llm/serve_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace pedro {
namespace {

bool is_flag_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

// Returns the position of `word` from `from` on, with no part of another word around it.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_flag_character(text[at - 1]);
    if (begins && (end == text.size() || !is_flag_character(text[end]))) return at;
  }
  return std::string_view::npos;
}

constexpr long long kLargestWindow = 65'536;
constexpr long long kComfortable = 16'384;  // `doctor` calls smaller windows weak
constexpr std::array<long long, 8> kWindows = {49'152, 32'768, 24'576, 16'384,
                                               12'288, 8192,   6144,   4096};
constexpr int kCoresForTwoSlots = 4;
constexpr long long kWindowForTwoSlots = 32'768;
// Buffers of the computation: most are logits of 512 tokens over a large vocabulary.
constexpr std::uint64_t kBufferBytes = 512ULL << 20U;
constexpr std::uint64_t kMaxPromptCache_MiB = 4096;
constexpr std::string_view kSmallCache = "q8_0";

// A window and the type of its cache: "f16", or kSmallCache.
struct Cache {
  long long tokens;
  std::string_view type;
};

std::uint64_t bytes_of(const Cache& cache, const ModelFile& model) {
  const auto tokens = static_cast<std::uint64_t>(cache.tokens);
  const std::uint64_t bytes = tokens * model.cache_bytes_per_token;
  return cache.type == kSmallCache ? bytes / 64 * 34 : bytes;  // 32 numbers take 34 bytes
}

std::uint64_t needed_with(const Cache& cache, const ModelFile& model) {
  return model.bytes + bytes_of(cache, model) + kBufferBytes;
}

// Leaves a tenth to the system and to the checks of jobs.
std::uint64_t usable_bytes(const Machine& machine, std::uint64_t device_bytes) {
  return machine.available_bytes / 10 * 9 + device_bytes;
}

std::string in_gib(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30U));
}

// Returns all windows to try, best first.
std::vector<Cache> caches_for(const ModelFile& model, const ServerFlags& server,
                              long long wished_tokens) {
  const bool has_small = server.has("--cache-type-k") && server.has("--cache-type-v");
  std::vector<long long> windows = {wished_tokens};
  if (wished_tokens == 0) {
    const long long trained = model.trained_tokens > 0 ? model.trained_tokens : kComfortable;
    windows = {std::min(trained, kLargestWindow)};
    for (const long long window : kWindows) {
      if (window < windows.front()) windows.push_back(window);
    }
  }
  std::vector<Cache> caches;
  for (const bool is_large : {true, false}) {
    for (const std::string_view type : {std::string_view("f16"), kSmallCache}) {
      if (type == kSmallCache && !has_small) continue;
      for (const long long window : windows) {
        if ((window >= kComfortable) == is_large) caches.push_back({window, type});
      }
    }
  }
  return caches;
}

Error too_large(const ModelFile& model, const Cache& smallest, std::uint64_t usable,
                std::uint64_t device_bytes) {
  return {ErrorKind::kModel,
          fmt::format(
              "{}: it needs {}: {} of weights, {} of cache for {} tokens and {} of buffers; "
              "{} can be used{}; end other programs, or serve a smaller model",
              model.path, in_gib(needed_with(smallest, model)), in_gib(model.bytes),
              in_gib(bytes_of(smallest, model)), smallest.tokens, in_gib(kBufferBytes),
              in_gib(usable), device_bytes > 0 ? ", with the memory of the graphics devices" : "")};
}

Status check_wish(const ModelFile& model, long long wished_tokens) {
  if (wished_tokens <= model.trained_tokens || model.trained_tokens == 0) return {};
  return usage_error(fmt::format("-context {}: the model was trained on {} tokens", wished_tokens,
                                 model.trained_tokens));
}

void add_flag(ServePlan& plan, const ServerFlags& server, const char* flag,
              const std::string& value) {
  if (server.has(flag)) plan.flags.insert(plan.flags.end(), {flag, value});
}

// Adds the flags that depend on neither the weights nor the window.
void add_common(ServePlan& plan, const Machine& machine, std::uint64_t device_bytes,
                const ServerFlags& server, const ServeWishes& wishes) {
  if (device_bytes == 0) plan.flags.insert(plan.flags.end(), {"-t", std::to_string(machine.cores)});
  if (server.has("--jinja")) plan.flags.emplace_back("--jinja");
  // Drafts from earlier text need no second model, and pay for edits that repeat a file.
  if (server.offers("--spec-type", "ngram-mod")) add_flag(plan, server, "--spec-type", "ngram-mod");
  if (!wishes.slot_folder.empty()) add_flag(plan, server, "--slot-save-path", wishes.slot_folder);
  if (!wishes.key_file.empty()) add_flag(plan, server, "--api-key-file", wishes.key_file);
  if (wishes.port == 0) {
    plan.flags.insert(plan.flags.end(), {"--host", wishes.socket});
    plan.url = "unix:" + wishes.socket;
    return;
  }
  plan.flags.insert(plan.flags.end(),
                    {"--host", "127.0.0.1", "--port", std::to_string(wishes.port)});
  plan.url = fmt::format("http://127.0.0.1:{}", wishes.port);
}

// Adds window and slots. `pool_tokens`: of all slots together.
void add_slots(ServePlan& plan, const ServerFlags& server, long long pool_tokens) {
  if (pool_tokens > 0) plan.flags.insert(plan.flags.end(), {"-c", std::to_string(pool_tokens)});
  plan.flags.insert(plan.flags.end(), {"-np", std::to_string(plan.slots)});
  if (plan.slots == 1 || !server.has("--kv-unified")) return;
  plan.flags.emplace_back("--kv-unified");
  if (pool_tokens == plan.context_tokens) return;
  add_flag(plan, server, "--kv-unified-per-slot", std::to_string(plan.context_tokens));
}

}  // namespace

std::size_t ServerFlags::find(std::string_view flag) const {
  return find_word(help_, flag, 0);
}

bool ServerFlags::offers(std::string_view flag, std::string_view value) const {
  const std::size_t at = find(flag);
  if (at == std::string::npos) return false;
  // The description ends where the next flag begins a line.
  const std::size_t end = help_.find("\n-", at);
  const std::string_view about = std::string_view(help_).substr(0, std::min(end, help_.size()));
  return find_word(about, value, at) != std::string_view::npos;
}

std::uint64_t free_bytes_of_devices(std::string_view listed) {
  constexpr std::string_view kFree = " MiB free)";
  constexpr std::uint64_t kMaxMiB = 1U << 24U;
  std::uint64_t sum = 0;
  for (const std::string_view line : split_lines(listed)) {
    const std::size_t end = line.rfind(kFree);
    const std::size_t comma = line.rfind(", ", end);
    if (end == line.npos || comma == line.npos) continue;
    std::uint64_t mib = 0;
    const auto read = std::from_chars(line.data() + comma + 2, line.data() + end, mib);
    if (read.ec == std::errc() && read.ptr == line.data() + end) sum += std::min(mib, kMaxMiB);
  }
  return sum << 20U;
}

Result<ServePlan> plan_server(const ModelFile& model, const Machine& machine,
                              std::uint64_t device_bytes, const ServerFlags& server,
                              const ServeWishes& wishes) {
  PEDRO_RETURN_IF_ERROR(check_wish(model, wishes.context_tokens));
  const std::uint64_t usable = usable_bytes(machine, device_bytes);
  const int windows = std::max(1, wishes.slots);  // that need a cache of their own
  std::optional<Cache> chosen;
  std::optional<Cache> smallest;
  for (Cache cache : caches_for(model, server, wishes.context_tokens)) {
    cache.tokens *= windows;
    if (!smallest || bytes_of(cache, model) < bytes_of(*smallest, model)) smallest = cache;
    if (chosen || (usable > 0 && needed_with(cache, model) > usable)) continue;
    chosen = cache;
  }
  if (!chosen) return too_large(model, *smallest, usable, device_bytes);

  ServePlan plan;
  plan.context_tokens = chosen->tokens / windows;
  const bool has_two = wishes.slots == 0 && server.has("--kv-unified") &&
                       plan.context_tokens >= kWindowForTwoSlots &&
                       (machine.cores >= kCoresForTwoSlots || device_bytes > 0);
  plan.slots = has_two ? 2 : windows;
  plan.flags = {"-m", model.path};
  add_slots(plan, server, chosen->tokens);
  if (chosen->type == kSmallCache) {
    add_flag(plan, server, "--cache-type-k", std::string(kSmallCache));
    add_flag(plan, server, "--cache-type-v", std::string(kSmallCache));
  }
  if (usable > 0) {
    const std::uint64_t left_MiB = (usable - needed_with(*chosen, model)) / 2 >> 20U;
    add_flag(plan, server, "--cache-ram", std::to_string(std::min(left_MiB, kMaxPromptCache_MiB)));
  }
  add_common(plan, machine, device_bytes, server, wishes);
  return plan;
}

Result<ServePlan> plan_download(const std::string& repository, const Machine& machine,
                                std::uint64_t device_bytes, const ServerFlags& server,
                                const ServeWishes& wishes) {
  const bool is_named = repository.find('/') != std::string::npos && repository.front() != '/' &&
                        repository.back() != '/' && repository.front() != '-';
  if (!is_named) {
    return usage_error(fmt::format("-hf {}: expected OWNER/REPO or OWNER/REPO:QUANT", repository));
  }
  ServePlan plan;
  plan.slots = std::max(1, wishes.slots);
  plan.context_tokens = wishes.context_tokens;
  // A server that fits its window to the memory does it only if no window is given.
  if (plan.context_tokens == 0 && !server.has("--fit")) plan.context_tokens = kComfortable;
  plan.flags = {"-hf", repository};
  add_slots(plan, server, plan.context_tokens * plan.slots);
  add_common(plan, machine, device_bytes, server, wishes);
  return plan;
}

}  // namespace pedro
