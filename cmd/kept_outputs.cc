#include "kept_outputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxBytes = 64u << 20;
constexpr const char* kName = "outputs.json";

// Returns true if an output exists. A phase with `for_each` has null elements for pending items.
bool is_there(const Json& output) {
  if (!output.is_array()) return !output.is_null();
  return std::any_of(output.begin(), output.end(),
                     [](const Json& item) { return !item.is_null(); });
}

}  // namespace

std::string hash_of_task(const std::string& task) {
  return to_hex(hash_bytes(task, kHashSeed));
}

bool is_empty(const KeptOutputs& kept) {
  return std::none_of(kept.outputs.begin(), kept.outputs.end(),
                      [](const auto& phase) { return is_there(phase.second); });
}

Status keep_outputs(CommandContext& context, const std::string& folder, const std::string& agent,
                    const std::string& task, const KeptOutputs& outputs) {
  Json phases = Json::object();
  for (const auto& [phase, output] : outputs.outputs) phases[phase] = output;
  Json items = Json::object();
  for (const auto& [phase, hash] : outputs.items) items[phase] = hash;
  const Json kept = {
      {"agent", agent}, {"task", hash_of_task(task)}, {"outputs", phases}, {"items", items}};
  return context.files.write_atomic(join_path(folder, kName), to_line(kept) + "\n", 0600);
}

Result<KeptOutputs> kept_outputs(CommandContext& context, const std::string& job,
                                 const std::string& agent, const std::string& task) {
  const auto usage = [&](std::string_view what) {
    return Error{ErrorKind::kUsage, fmt::format("-resume {}: {}", job, what)};
  };
  PEDRO_TRY(const JobStore store, open_job_store(context));
  const Result<std::string> id = store.find(job);
  if (!id) return id.error().at("-resume");
  const std::string path = join_path(store.folder(*id), kName);
  if (context.files.info(path).kind == FileKind::kMissing) return KeptOutputs();
  const Result<std::string> text = context.files.read(path, kMaxBytes);
  if (!text) return usage(text.error().message);
  const Result<Json> kept = parse_json(*text);
  if (!kept) return usage("its outputs.json is broken: " + kept.error().message);
  if (text_of(*kept, "agent") != agent) {
    return usage(fmt::format("is a job of the agent '{}'", text_of(*kept, "agent")));
  }
  if (text_of(*kept, "task") != hash_of_task(task)) {
    return usage("its input has changed; give the same input as then");
  }
  KeptOutputs outputs;
  for (const auto& [phase, output] : member(*kept, "outputs").items()) {
    outputs.outputs[phase] = output;
  }
  for (const auto& [phase, hash] : member(*kept, "items").items()) {
    if (hash.is_string()) outputs.items[phase] = hash.get<std::string>();
  }
  return outputs;
}

}  // namespace pedro
