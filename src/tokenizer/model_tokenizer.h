#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// The very tokens of a model by its name. Error (kUsage) where the model is not known, what is
/// known of it is an estimate, or its vocabulary is not here; it says what to do.
Result<std::unique_ptr<VocabularyTokenizer>> exact_tokenizer(std::string_view model,
                                                             const ModelRegistry& registry,
                                                             VocabularyStore& vocabularies);

/// The same, or where another vocabulary's counts are known to come near, those times what is known
/// (EstimateTokenizer): for counting.
Result<std::unique_ptr<Tokenizer>> counting_tokenizer(std::string_view model,
                                                      const ModelRegistry& registry,
                                                      VocabularyStore& vocabularies);

}  // namespace pedro
