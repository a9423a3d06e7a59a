#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tokenizer/tiktoken_file.h"

namespace pedro {

/// A named vocabulary.
struct KnownVocabulary {
  std::string name;
  std::string file;     ///< file name in `scripts/fetch-vocab`: "cl100k_base.tiktoken"; or a path
  std::string sha256;   ///< of the published file; empty: any file is accepted
  RankFileRules rules;  ///< for a file of ranks
};

/// The properties of models whose name matches a pattern.
struct KnownModel {
  std::string pattern;     ///< '*' matches any text, '?' one byte; ignores case
  std::string provider;    ///< "openai", "anthropic", "local", …
  int window = 0;          ///< tokens of prompt and reply together
  std::string vocabulary;  ///< a name of the table; empty: only in the model's own file
  double estimate = 0;  ///< above 0: `vocabulary` is another model's; counts are multiplied by this
  std::string family;   ///< format of turns and tool calls
  std::optional<double> price_in;       ///< US dollars per million prompt tokens
  std::optional<double> price_cached;   ///< of prompt tokens read from a cache; like price_in
  std::optional<double> price_written;  ///< of prompt tokens written to a cache; like price_in
  std::optional<double> price_out;      ///< of reply tokens; like price_in
  /// Sampling settings of the model's authors, with llama-server's names; an object or null.
  Json sampling = nullptr;
  bool is_builtin = false;  ///< not a row of the user's configuration
};

/// Describes the row for the user: "the built-in row 'gpt-4o*'".
std::string source_of(const KnownModel& row);

/// The best measured way to request whole answers from models of a size (docs/eval.md).
struct AnswerHabits {
  std::string pattern;             ///< like KnownModel::pattern
  int tries = 0;                   ///< answers to request; 0: only the phases work
  std::vector<std::string> forms;  ///< of the tries, in turn; see AnswerForm
  double temperature = 0.8;        ///< for later tries of a form
  bool phases = true;              ///< the phases with tools run if no try passes
};

/// The vocabulary for estimates of models with an unknown vocabulary.
struct Fallback {
  std::string vocabulary;
  double estimate = 0;  ///< like KnownModel::estimate
};

/// The table of models.json, preceded by a user's rows. A value type. docs/tokens.md documents the
/// rows and the sources of the figures.
class ModelRegistry {
 public:
  /// The built-in table.
  static const ModelRegistry& builtin();
  /// Puts the rows of `document` before those of builtin(). `document` is an object in the format
  /// of models.json. An Error (kConfig) names the JSON pointer of the invalid value.
  static Result<ModelRegistry> with(const Json& document);

  /// Returns the first row that matches the name or the part after its last '/', or null. A
  /// fine-tuned model without its own row ("ft:MODEL:…", "MODEL:ft-…") has that of its base.
  const KnownModel* model(std::string_view name) const;
  const KnownVocabulary* vocabulary(std::string_view name) const;
  /// Likewise. The built-in table matches every name.
  const AnswerHabits* answers(std::string_view name) const;
  const Fallback& fallback() const { return fallback_; }
  const std::vector<KnownModel>& models() const { return models_; }
  const std::vector<KnownVocabulary>& vocabularies() const { return vocabularies_; }

  /// An Error (kUsage) for an unknown name with close matches and advice.
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

/// Returns true if `name` matches a pattern of KnownModel. Takes linear time in the name for each
/// '*'.
bool fits_pattern(std::string_view pattern, std::string_view name);

}  // namespace pedro
