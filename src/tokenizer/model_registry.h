#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tokenizer/tiktoken_file.h"

namespace pedro {

/// A vocabulary that goes by a name.
struct KnownVocabulary {
  std::string name;
  std::string file;     ///< as `scripts/fetch-vocab` names it: "cl100k_base.tiktoken"; or a path
  std::string sha256;   ///< of that file, as it was published; "": any will do
  RankFileRules rules;  ///< of a file of ranks
};

/// What is known of models whose name fits a pattern.
struct KnownModel {
  std::string pattern;     ///< '*' is any text, '?' one byte; case is ignored
  std::string provider;    ///< "openai", "anthropic", "local", …
  int window = 0;          ///< tokens that a prompt and its reply may have together
  std::string vocabulary;  ///< a name of the table; "": only the model's own file has it
  double estimate = 0;     ///< above 0: the vocabulary is another one's, and its counts times this
                           /// < are what is known of this model's
  std::string family;      ///< how it writes turns and tool calls
  std::optional<double> price_in;       ///< US dollars for a million tokens of prompts
  std::optional<double> price_cached;   ///< of those of them that came from a cache; as price_in
  std::optional<double> price_written;  ///< and of those that were put into one; as price_in
  std::optional<double> price_out;      ///< and of replies
};

/// The measured best way to ask models of a size for whole answers (docs/eval.md).
struct AnswerHabits {
  std::string pattern;             ///< as KnownModel::pattern
  int tries = 0;                   ///< answers to ask for; 0: the phases do all the work
  std::vector<std::string> forms;  ///< of the tries, in turn: see AnswerForm
  double temperature = 0.8;        ///< of a form's later tries
  bool phases = true;              ///< where no try passes, the phases with tools go on
};

/// What to count with where a model's vocabulary is not known and an estimate is asked for.
struct Fallback {
  std::string vocabulary;
  double estimate = 0;  ///< as in KnownModel
};

/// The table of models.json, with a user's rows before it. A value. docs/tokens.md says what a row
/// may have, and where the figures come from.
class ModelRegistry {
 public:
  /// The table that comes with the program.
  static const ModelRegistry& builtin();
  /// The rows of `document`, an object as models.json has it, before those of builtin(). An Error
  /// (kConfig) names the place by its JSON pointer.
  static Result<ModelRegistry> with(const Json& document);

  /// The first row that fits; null where none does.
  const KnownModel* model(std::string_view name) const;
  const KnownVocabulary* vocabulary(std::string_view name) const;
  /// Returns the first matching row. The built-in table has a row for every name.
  const AnswerHabits* answers(std::string_view name) const;
  const Fallback& fallback() const { return fallback_; }
  const std::vector<KnownModel>& models() const { return models_; }
  const std::vector<KnownVocabulary>& vocabularies() const { return vocabularies_; }

  /// What to tell of a name that is not known: close ones and where to look.
  Error unknown_model(std::string_view name) const;
  Error unknown_vocabulary(std::string_view name) const;

 private:
  Status add(const Json& document);
  Status add_fallback(const Json& value);

  std::vector<KnownModel> models_;
  std::vector<KnownVocabulary> vocabularies_;
  std::vector<AnswerHabits> answers_;
  Fallback fallback_;
};

/// Whether `name` fits a pattern of KnownModel. Linear in the name for each '*'.
bool fits_pattern(std::string_view pattern, std::string_view name);

}  // namespace pedro
