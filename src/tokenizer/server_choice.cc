#include "tokenizer/server_choice.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tokenizer/token_probe.h"

namespace pedro {
namespace {

/// A vocabulary that may match the server's.
struct Candidate {
  std::unique_ptr<VocabularyTokenizer> tokenizer;
  std::string name;
};

Result<std::unique_ptr<VocabularyTokenizer>> tokenizer_of(Result<Vocabulary> vocabulary) {
  if (!vocabulary) return vocabulary.error();
  return VocabularyTokenizer::create(*std::move(vocabulary));
}

// The model's own file. Sets `problem` if it is unavailable.
std::optional<Candidate> from_model_file(const ServedModel& model, VocabularyStore& store,
                                         std::string& problem) {
  if (model.path.empty() || model.path == "none") {
    problem = "it does not report its model's path";
    return std::nullopt;
  }
  // A name without a folder would be looked up as a vocabulary name.
  const std::string path =
      model.path.find('/') == std::string::npos ? "./" + model.path : model.path;
  if (!store.is_file(path)) {
    problem = fmt::format("there is no file {} here", model.path);
    return std::nullopt;
  }
  auto tokenizer = tokenizer_of(store.open(path));
  if (tokenizer) return Candidate{*std::move(tokenizer), "the model's file " + model.path};
  problem = tokenizer.error().message;
  return std::nullopt;
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// An installed vocabulary for the name of the model or of its file.
std::optional<Candidate> from_name(const ServedModel& model, VocabularyStore& store,
                                   std::string& problem) {
  const ModelRegistry& registry = store.registry();
  for (const std::string_view name : {std::string_view(model.name), file_name(model.path)}) {
    const KnownModel* known = name.empty() ? nullptr : registry.model(name);
    if (known == nullptr || known->vocabulary.empty() || known->estimate > 0) continue;
    auto tokenizer = tokenizer_of(store.open(known->vocabulary, Fidelity::kLlamaCpp));
    if (tokenizer) {
      return Candidate{*std::move(tokenizer), fmt::format("the vocabulary '{}' of models like '{}'",
                                                          known->vocabulary, known->pattern)};
    }
    problem += "; " + tokenizer.error().message;
    return std::nullopt;
  }
  problem += fmt::format("; no vocabulary is known for a model '{}'",
                         model.name.empty() ? file_name(model.path) : std::string_view(model.name));
  return std::nullopt;
}

}  // namespace

ServedModel served_model(const Json& props) {
  return {text_of(props, "model_path"), text_of(props, "model_alias"),
          text_of(props, "chat_template")};
}

Result<ServerChoice> choose_tokenizer(const ServedModel& model, VocabularyStore& store,
                                      std::unique_ptr<ServerTokenizer> server,
                                      const std::function<bool()>& lacks_route) {
  std::string problem;
  std::optional<Candidate> candidate = from_model_file(model, store, problem);
  if (!candidate) candidate = from_name(model, store, problem);
  ServerChoice choice;
  if (!candidate) {
    const bool is_missing = lacks_route && !server->encode("a", Specials::kNone) && lacks_route();
    choice.why =
        (is_missing ? "none: the server has no /tokenize, and " : "the server itself: ") + problem;
    if (!is_missing) choice.tokenizer = std::move(server);
    return choice;
  }
  const Result<ProbeResult> probe =
      probe_vocabulary(*candidate->tokenizer, *server, model.chat_template);
  if (!probe && lacks_route && lacks_route()) {
    choice.why = candidate->name + ", unchecked: the server has no /tokenize";
    choice.is_unchecked = true;
    choice.local = candidate->tokenizer.get();
    choice.tokenizer = std::move(candidate->tokenizer);
    return choice;
  }
  if (!probe) return probe.error();
  if (probe->mismatch) {
    choice.why = fmt::format("the server itself: {} has different ids: {}", candidate->name,
                             probe->mismatch->to_text("it"));
    choice.mismatch = true;
    choice.tokenizer = std::move(server);
    return choice;
  }
  choice.why = fmt::format("{}, checked: the server has the same ids for {} texts", candidate->name,
                           probe->texts);
  choice.local = candidate->tokenizer.get();
  choice.tokenizer = std::move(candidate->tokenizer);
  return choice;
}

}  // namespace pedro
