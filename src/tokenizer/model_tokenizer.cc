#include "tokenizer/model_tokenizer.h"

#include <fmt/format.h>

#include "tokenizer/estimate_tokenizer.h"

namespace pedro {
namespace {

Result<std::unique_ptr<VocabularyTokenizer>> tokenizer_named(const std::string& vocabulary,
                                                             VocabularyStore& vocabularies) {
  PEDRO_TRY(Vocabulary opened, vocabularies.open(vocabulary));
  return VocabularyTokenizer::create(std::move(opened));
}

}  // namespace

Result<std::unique_ptr<VocabularyTokenizer>> exact_tokenizer(std::string_view model,
                                                             const ModelRegistry& registry,
                                                             VocabularyStore& vocabularies) {
  const KnownModel* known = registry.model(model);
  if (known == nullptr) return registry.unknown_model(model);
  if (known->vocabulary.empty() || known->estimate > 0) {
    return Error{ErrorKind::kUsage,
                 fmt::format("the tokens of {} are not published; if you have its vocabulary, name "
                             "it in `models` of the configuration",
                             model)};
  }
  return tokenizer_named(known->vocabulary, vocabularies);
}

Result<std::unique_ptr<Tokenizer>> counting_tokenizer(std::string_view model,
                                                      const ModelRegistry& registry,
                                                      VocabularyStore& vocabularies) {
  const KnownModel* known = registry.model(model);
  const bool estimates = known != nullptr && !known->vocabulary.empty() && known->estimate > 0;
  PEDRO_TRY(auto tokenizer, estimates ? tokenizer_named(known->vocabulary, vocabularies)
                                      : exact_tokenizer(model, registry, vocabularies));
  if (!estimates) return std::unique_ptr<Tokenizer>(std::move(tokenizer));
  return std::unique_ptr<Tokenizer>(
      std::make_unique<EstimateTokenizer>(std::move(tokenizer), known->estimate));
}

}  // namespace pedro
