#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Opens the exact tokenizer of a model by its name. Error (kUsage, with advice): the model is
/// unknown, only an estimate exists for it, or its vocabulary is not installed.
Result<std::unique_ptr<VocabularyTokenizer>> exact_tokenizer(std::string_view model,
                                                             const ModelRegistry& registry,
                                                             VocabularyStore& vocabularies);

/// Opens a tokenizer for counting: the exact one, or an EstimateTokenizer if the model has a known
/// factor. Errors are those of exact_tokenizer().
Result<std::unique_ptr<Tokenizer>> counting_tokenizer(std::string_view model,
                                                      const ModelRegistry& registry,
                                                      VocabularyStore& vocabularies);

}  // namespace pedro
