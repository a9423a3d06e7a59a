#include "tokenizer/model_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <limits>
#include <unordered_set>

#include "base/embedded_file.h"
#include "base/text.h"

namespace pedro {

extern const EmbeddedFile kModelTable[];
extern const std::size_t kModelTableCount;

namespace {

constexpr TokenId kMaxReserved = 1 << 20;

/// A row of a table with its JSON pointer in the document.
struct RegistryRow {
  const Json& json;
  std::string pointer;

  Result<std::string> text(const char* key, bool required) const {
    const Json& value = member(json, key);
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null() && !required) return std::string();
    return config_error(pointer + "/" + key, "expected a string");
  }
  Result<std::optional<double>> number(const char* key) const {
    const Json& value = member(json, key);
    if (value.is_null()) return std::optional<double>();
    if (value.is_number() && value >= Json(0)) return std::optional(value.get<double>());
    return config_error(pointer + "/" + key, "expected a number of at least 0");
  }
  Status only(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : json.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        return config_error(pointer + "/" + key, "unknown key");
      }
    }
    return {};
  }
};

Status add_reserved(const RegistryRow& row, std::vector<NamedToken>& specials) {
  const Json& reserved = member(row.json, "reserved");
  if (reserved.is_null()) return {};
  const std::string name = text_of(reserved, "name");
  const long long from = number_of(reserved, "from", -1);
  const long long to = number_of(reserved, "to", -1);
  const std::size_t place = name.find('N');
  if (place == std::string::npos || from < 0 || to < from || to - from > kMaxReserved ||
      to > std::numeric_limits<TokenId>::max()) {
    return config_error(row.pointer + "/reserved", "expected a name with an N, from and to");
  }
  std::unordered_set<long long> named;
  for (const NamedToken& token : specials) named.insert(token.id);
  for (long long id = from; id <= to; ++id) {
    if (named.contains(id)) continue;
    std::string one = name;
    one.replace(place, 1, std::to_string(id));
    specials.push_back({std::move(one), static_cast<TokenId>(id)});
  }
  return {};
}

Result<KnownVocabulary> vocabulary_of(const RegistryRow& row) {
  PEDRO_RETURN_IF_ERROR(row.only({"name", "file", "sha256", "scanner", "specials", "reserved"}));
  KnownVocabulary out;
  const auto name = row.text("name", true);
  const auto file = row.text("file", true);
  const auto scanner = row.text("scanner", false);
  const auto sha256 = row.text("sha256", false);
  for (const auto* text : {&name, &file, &scanner, &sha256}) {
    if (!*text) return text->error();
  }
  out.name = *name;
  out.file = *file;
  out.sha256 = *sha256;
  out.rules.pre_tokenizer.scanner = *scanner;
  const Json& specials = member(row.json, "specials");
  if (!specials.is_null() && !specials.is_object()) {
    return config_error(row.pointer + "/specials", "expected an object");
  }
  for (const auto& [token, id] : specials.items()) {
    const bool fits =
        id.is_number_integer() && id >= Json(0) && id <= Json(std::numeric_limits<TokenId>::max());
    if (!fits) return config_error(row.pointer + "/specials/" + token, "expected a token's id");
    out.rules.specials.push_back({token, id.get<TokenId>()});
  }
  PEDRO_RETURN_IF_ERROR(add_reserved(row, out.rules.specials));
  return out;
}

struct SamplingKey {
  std::string_view name;
  double least;
  double most;
};

// Checks the sampling settings of a model.
Status check_sampling(const RegistryRow& row) {
  static constexpr SamplingKey kKeys[] = {{"temperature", 0, 2},       {"top_p", 0, 1},
                                          {"top_k", 0, 1000},          {"min_p", 0, 1},
                                          {"presence_penalty", -2, 2}, {"repeat_penalty", 0.5, 2}};
  const Json& sampling = member(row.json, "sampling");
  if (sampling.is_null()) return {};
  const std::string place = row.pointer + "/sampling";
  if (!sampling.is_object()) return config_error(place, "expected an object");
  for (const auto& [name, value] : sampling.items()) {
    const auto* key = std::find_if(std::begin(kKeys), std::end(kKeys),
                                   [&](const SamplingKey& one) { return one.name == name; });
    if (key == std::end(kKeys)) return config_error(place + "/" + name, "unknown key");
    const bool fits = value.is_number() && value >= Json(key->least) && value <= Json(key->most);
    if (!fits) {
      return config_error(place + "/" + name,
                          fmt::format("expected a number from {} to {}", key->least, key->most));
    }
  }
  return {};
}

Result<KnownModel> model_of(const RegistryRow& row) {
  PEDRO_RETURN_IF_ERROR(
      row.only({"pattern", "provider", "window", "vocabulary", "estimate", "family", "price_in",
                "price_cached", "price_written", "price_out", "sampling"}));
  PEDRO_RETURN_IF_ERROR(check_sampling(row));
  const auto pattern = row.text("pattern", true);
  const auto provider = row.text("provider", true);
  const auto vocabulary = row.text("vocabulary", false);
  const auto family = row.text("family", false);
  for (const auto* text : {&pattern, &provider, &vocabulary, &family}) {
    if (!*text) return text->error();
  }
  const auto window = row.number("window");
  const auto estimate = row.number("estimate");
  const auto price_in = row.number("price_in");
  const auto price_cached = row.number("price_cached");
  const auto price_written = row.number("price_written");
  const auto price_out = row.number("price_out");
  for (const auto* number :
       {&window, &estimate, &price_in, &price_cached, &price_written, &price_out}) {
    if (!*number) return number->error();
  }
  if (window->value_or(0) > 1e9)
    return config_error(row.pointer + "/window", "expected a smaller number");
  return KnownModel{*pattern,
                    *provider,
                    static_cast<int>(window->value_or(0)),
                    *vocabulary,
                    estimate->value_or(0),
                    *family,
                    *price_in,
                    *price_cached,
                    *price_written,
                    *price_out,
                    member(row.json, "sampling")};
}

Result<AnswerHabits> answers_of(const RegistryRow& row) {
  if (Status keys = row.only({"pattern", "tries", "forms", "temperature", "phases"}); !keys) {
    return keys.error();
  }
  static constexpr std::string_view kForms[] = {"edit", "file",     "plain",
                                                "line", "function", "mutant"};
  const auto pattern = row.text("pattern", true);
  const auto tries = row.number("tries");
  const auto temperature = row.number("temperature");
  if (!pattern) return pattern.error();
  for (const auto* number : {&tries, &temperature}) {
    if (!*number) return number->error();
  }
  AnswerHabits out{*pattern, 0, {}, temperature->value_or(0.8)};
  if (tries->value_or(0) > 1000)
    return config_error(row.pointer + "/tries", "expected a smaller number");
  out.tries = static_cast<int>(tries->value_or(0));
  for (const Json& form : member(row.json, "forms")) {
    const auto known = form.is_string() ? std::find(std::begin(kForms), std::end(kForms),
                                                    form.get_ref<const std::string&>())
                                        : std::end(kForms);
    if (known == std::end(kForms)) {
      return config_error(row.pointer + "/forms",
                          "expected some of edit, file, plain, line, function, mutant");
    }
    out.forms.emplace_back(*known);
  }
  const Json& phases = member(row.json, "phases");
  if (!phases.is_null() && !phases.is_boolean()) {
    return config_error(row.pointer + "/phases", "expected true or false");
  }
  out.phases = !phases.is_boolean() || phases.get<bool>();
  if (out.tries > 0 && out.forms.empty()) {
    return config_error(row.pointer + "/forms", "expected at least one form");
  }
  return out;
}

char lowered(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Returns the name of the model that was fine-tuned: "gpt-4o" of "ft:gpt-4o:house::id" and of
// "gpt-4o:ft-house-2023". Returns "" for other names.
std::string_view tuned_base(std::string_view name) {
  if (name.starts_with("ft:")) return name.substr(3, name.find(':', 3) - 3);
  const std::size_t mark = name.find(":ft-");
  return mark == std::string_view::npos ? std::string_view() : name.substr(0, mark);
}

// Returns the first row that matches the name or its last path component ("publisher/name",
// "folder/name.gguf"), or null. Also matches Ollama's "name:1.5b" as "name-1.5b".
template <typename Row>
const Row* first_that_fits(const std::vector<Row>& rows, std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  const std::string dashed = replace_all(last, ":", "-");
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) {
    return fits_pattern(one.pattern, name) || fits_pattern(one.pattern, last) ||
           fits_pattern(one.pattern, dashed);
  });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last '*' in the pattern
  std::size_t behind = 0;                     // end of its match in the name
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind = n;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || lowered(pattern[p]) == lowered(name[n]))) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++behind;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

const ModelRegistry& ModelRegistry::builtin() {
  static const ModelRegistry table = [] {
    assert(kModelTableCount == 1);
    const Result<Json> document = parse_json(kModelTable[0].bytes);
    assert(document.ok());
    ModelRegistry out;
    [[maybe_unused]] const Status status = out.add(*document);
    assert(status.ok());
    for (KnownModel& model : out.models_) model.is_builtin = true;
    return out;
  }();
  return table;
}

Result<ModelRegistry> ModelRegistry::with(const Json& document) {
  ModelRegistry out;
  PEDRO_RETURN_IF_ERROR(out.add(document));
  const ModelRegistry& rest = builtin();
  out.models_.insert(out.models_.end(), rest.models_.begin(), rest.models_.end());
  out.answers_.insert(out.answers_.end(), rest.answers_.begin(), rest.answers_.end());
  out.vocabularies_.insert(out.vocabularies_.end(), rest.vocabularies_.begin(),
                           rest.vocabularies_.end());
  if (out.fallback_.vocabulary.empty()) out.fallback_ = rest.fallback_;
  return out;
}

Status ModelRegistry::add(const Json& document) {
  const RegistryRow whole{document, ""};
  if (!document.is_object()) return config_error("/", "expected an object");
  PEDRO_RETURN_IF_ERROR(whole.only({"vocabularies", "models", "answers", "fallback"}));
  PEDRO_RETURN_IF_ERROR(add_fallback(member(document, "fallback")));
  for (const char* key : {"vocabularies", "models", "answers"}) {
    const Json& rows = member(document, key);
    if (!rows.is_null() && !rows.is_array())
      return config_error(fmt::format("/{}", key), "expected an array");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RegistryRow row{rows[i], fmt::format("/{}/{}", key, i)};
      if (!row.json.is_object()) return config_error(row.pointer, "expected an object");
      if (key == std::string_view("models")) {
        PEDRO_TRY(KnownModel model, model_of(row));
        models_.push_back(std::move(model));
      } else if (key == std::string_view("answers")) {
        PEDRO_TRY(AnswerHabits answers, answers_of(row));
        answers_.push_back(std::move(answers));
      } else {
        PEDRO_TRY(KnownVocabulary vocabulary, vocabulary_of(row));
        vocabularies_.push_back(std::move(vocabulary));
      }
    }
  }
  return {};
}

Status ModelRegistry::add_fallback(const Json& value) {
  if (value.is_null()) return {};
  const RegistryRow row{value, "/fallback"};
  if (!value.is_object()) return config_error(row.pointer, "expected an object");
  PEDRO_RETURN_IF_ERROR(row.only({"vocabulary", "estimate"}));
  PEDRO_TRY(const auto vocabulary, row.text("vocabulary", true));
  PEDRO_TRY(const auto estimate, row.number("estimate"));
  fallback_ = {vocabulary, estimate.value_or(1)};
  return {};
}

std::string source_of(const KnownModel& row) {
  return fmt::format("the {} row '{}'", row.is_builtin ? "built-in" : "configured", row.pattern);
}

const KnownModel* ModelRegistry::model(std::string_view name) const {
  const KnownModel* row = first_that_fits(models_, name);
  const std::string_view base = row == nullptr ? tuned_base(name) : std::string_view();
  return base.empty() ? row : first_that_fits(models_, base);
}

const AnswerHabits* ModelRegistry::answers(std::string_view name) const {
  return first_that_fits(answers_, name);
}

const KnownVocabulary* ModelRegistry::vocabulary(std::string_view name) const {
  const auto row = std::find_if(vocabularies_.begin(), vocabularies_.end(),
                                [&](const KnownVocabulary& one) { return one.name == name; });
  return row == vocabularies_.end() ? nullptr : &*row;
}

Error ModelRegistry::unknown_model(std::string_view name) const {
  std::vector<std::string> patterns;
  for (const KnownModel& model : models_) {
    patterns.push_back(model.pattern);
    std::erase(patterns.back(), '*');
    std::replace(patterns.back().begin(), patterns.back().end(), '?', '-');
  }
  return Error{ErrorKind::kUsage,
               fmt::format("unknown model '{}'{}; name its vocabulary or a vocabulary file with "
                           "-vocab, or use an estimate with -estimate",
                           name, did_you_mean(name, patterns))};
}

Error ModelRegistry::unknown_vocabulary(std::string_view name) const {
  std::vector<std::string> names;
  for (const KnownVocabulary& vocabulary : vocabularies_) names.push_back(vocabulary.name);
  return Error{ErrorKind::kUsage, fmt::format("unknown vocabulary '{}'{}; there are: {}", name,
                                              did_you_mean(name, names), join(names, ", "))};
}

}  // namespace pedro
