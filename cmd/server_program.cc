#include "server_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/machine.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxListedModels = 20;

// Returns the newest program of scripts/fetch-server; "" if there is none.
std::string fetched_server(const CommandContext& context) {
  const std::string folder = join_path(cache_folder(context), "llama-server");
  const Result<std::vector<FolderEntry>> versions = context.files.list(folder);
  if (!versions) return "";
  std::string newest;
  for (const FolderEntry& version : *versions) {
    const std::string path = join_path(join_path(folder, version.name), "llama-server");
    const FileInfo info = context.files.info(path);
    if (info.kind != FileKind::kFile) continue;
    if (newest.empty() || info.modified_ns > context.files.info(newest).modified_ns) newest = path;
  }
  return newest;
}

std::string names_of_models(const std::vector<ModelFile>& models) {
  std::vector<std::string> names;
  for (const ModelFile& model : models) {
    if (names.size() == kMaxListedModels) break;
    names.push_back(make_printable(model.name));
  }
  const std::size_t more = models.size() - names.size();
  return join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

Error no_such_model(const std::string& given, const std::vector<ModelFile>& models) {
  std::vector<std::string> names;
  for (const ModelFile& model : models) names.push_back(model.name);
  const std::string there = models.empty() ? "the cache has no model; `pedrocli models get` and "
                                             "`pedrocli serve -hf OWNER/REPO` download one"
                                           : "the cache has " + names_of_models(models);
  return usage_error(fmt::format("{}: no such file, and no model of the cache{}; {}", given,
                                 did_you_mean(given, names), there));
}

// Returns the largest model that leaves room for a window, else the smallest.
const ModelFile& best_model(const CommandContext& context, const std::vector<ModelFile>& models) {
  const std::uint64_t room = this_machine(context.files).available_bytes / 4 * 3;
  const auto fits = [&](const ModelFile& model) { return model.bytes < room; };
  const auto best = std::find_if(models.begin(), models.end(), fits);
  return best == models.end() ? models.back() : *best;
}

}  // namespace

std::vector<std::string> find_server_program(const CommandContext& context) {
  if (std::string path = context.processes.find("llama-server"); !path.empty()) return {path};
  if (std::string path = fetched_server(context); !path.empty()) return {path};
  if (std::string path = context.processes.find("llama"); !path.empty()) return {path, "serve"};
  return {};
}

std::vector<ModelFile> cached_models(const CommandContext& context) {
  const std::string folder = join_path(cache_folder(context), "models");
  const Result<std::vector<FolderEntry>> entries = context.files.list(folder);
  std::vector<ModelFile> models;
  if (!entries) return models;
  for (const FolderEntry& entry : *entries) {
    if (!entry.name.ends_with(".gguf")) continue;
    Result<ModelFile> model = read_model_file(context.files, join_path(folder, entry.name));
    if (model) models.push_back(*std::move(model));
  }
  std::stable_sort(models.begin(), models.end(),
                   [](const ModelFile& a, const ModelFile& b) { return a.bytes > b.bytes; });
  return models;
}

Result<ModelFile> find_model_file(const CommandContext& context, const std::string& given) {
  if (!given.empty() && context.files.info(given).kind != FileKind::kMissing) {
    PEDRO_TRY(const std::string here, context.files.canonical("."));
    // Keeps a link, whose name is the model's: caches of downloads name files by their hash.
    return read_model_file(context.files, normal_path(join_path(here, given)));
  }
  const std::vector<ModelFile> models = cached_models(context);
  if (given.empty() && models.size() == 1) return models.front();
  for (const ModelFile& model : models) {
    if (model.name == given || model.name + ".gguf" == given) return model;
  }
  if (!given.empty()) return no_such_model(given, models);
  return usage_error(
      models.empty() ? "name a model: a GGUF file, or -hf OWNER/REPO to download one"
                     : "name a model: a GGUF file, -hf OWNER/REPO to download one, or one of the "
                       "cache: " +
                           names_of_models(models));
}

ServeAdvice serve_advice(const CommandContext& context) {
  if (find_server_program(context).empty()) {
    return {"install llama-server of llama.cpp, or get one for the source tree",
            "scripts/fetch-server"};
  }
  const std::vector<ModelFile> models = cached_models(context);
  if (models.empty()) {
    return {"download a model and start a server",
            "pedrocli serve -hf Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF:Q4_K_M"};
  }
  return {"start a server", as_shell_line({"pedrocli", "serve", best_model(context, models).name})};
}

}  // namespace pedro
