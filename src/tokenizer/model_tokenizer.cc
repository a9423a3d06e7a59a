#include "tokenizer/model_tokenizer.h"

#include <fmt/format.h>

namespace pedro {

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
  Result<Vocabulary> vocabulary = vocabularies.open(known->vocabulary);
  if (!vocabulary) return vocabulary.error();
  return VocabularyTokenizer::create(*std::move(vocabulary));
}

}  // namespace pedro
