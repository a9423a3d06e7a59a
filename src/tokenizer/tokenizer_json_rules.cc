#include "tokenizer/tokenizer_json_rules.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <string_view>

#include "tokenizer/pre_tokenizer_table.h"
#include "tokenizer/quoted_token.h"

namespace pedro {
namespace {

constexpr std::string_view kSpaceSign = "\xE2\x96\x81";  // U+2581
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

Error unknown_type(const std::string& place, const Json& part) {
  return config_error(place + "/type", quoted_token(text_of(part, "type")) + " is not supported");
}

// A "pattern" as a regular expression.
struct Pattern {
  std::string regex;
  std::optional<std::string> literal;  // set if it is a plain text
};

std::string escaped(std::string_view text) {
  std::string regex;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::ispunct(byte) != 0) regex += '\\';
    regex += c;
  }
  return regex;
}

Result<Pattern> read_pattern(const Json& part, const std::string& place) {
  const Json& pattern = member(part, "pattern");
  const std::string regex = text_of(pattern, "Regex");
  if (!regex.empty()) return Pattern{regex, {}};
  const std::string literal = text_of(pattern, "String");
  if (!literal.empty()) return Pattern{escaped(literal), literal};
  return config_error(place + "/pattern", "expected {\"Regex\": ...} or {\"String\": ...}");
}

/// Reads the `normalizer` recursively; a Sequence contains further parts.
class NormalizerReader {
 public:
  explicit NormalizerReader(TextRules& rules) : rules_(rules) {}

  Status read(const Json& part, const std::string& place) {
    if (part.is_null()) return {};
    const std::string type = text_of(part, "type");
    if (type == "Sequence") return read_parts(member(part, "normalizers"), place + "/normalizers");
    if (type == "NFC") return read_nfc();
    if (type == "Prepend") return read_prepend(part, place);
    if (type == "Replace") return read_replace(part, place);
    return unknown_type(place, part);
  }

 private:
  Status read_parts(const Json& parts, const std::string& place) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!parts.is_array()) return config_error(place, "expected an array");
      PEDRO_RETURN_IF_ERROR(read(parts[i], fmt::format("{}/{}", place, i)));
    }
    return {};
  }

  Status read_nfc() {
    rules_.nfc = true;
    return {};
  }

  Status read_prepend(const Json& part, const std::string& place) {
    if (text_of(part, "prepend") != kSpaceSign) {
      return config_error(place + "/prepend", "only '\u2581' can be prepended");
    }
    rules_.space_prefix = true;
    return {};
  }

  Status read_replace(const Json& part, const std::string& place) {
    PEDRO_TRY(const auto pattern, read_pattern(part, place));
    if (pattern.literal != " " || text_of(part, "content") != kSpaceSign) {
      return config_error(place, "only ' ' can be replaced, by '\u2581'");
    }
    rules_.escape_spaces = true;
    return {};
  }

  TextRules& rules_;
};

class PreTokenizerReader {
 public:
  explicit PreTokenizerReader(TextRules& rules) : rules_(rules) {}

  Status read(const Json& part, const std::string& place) {
    if (part.is_null()) return {};
    if (rules_.byte_level) return config_error(place, "nothing may follow ByteLevel");
    const std::string type = text_of(part, "type");
    if (type == "Sequence")
      return read_parts(member(part, "pretokenizers"), place + "/pretokenizers");
    if (type == "Split") return read_split(part, place);
    if (type == "ByteLevel") return read_byte_level(part, place);
    if (type == "Digits") return add(truth_of(part, "individual_digits") ? "\\p{N}" : "\\p{N}+");
    if (type == "Punctuation") return read_punctuation(part, place);
    if (type == "Metaspace") return read_metaspace(part, place);
    return unknown_type(place, part);
  }

 private:
  Status read_parts(const Json& parts, const std::string& place) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!parts.is_array()) return config_error(place, "expected an array");
      PEDRO_RETURN_IF_ERROR(read(parts[i], fmt::format("{}/{}", place, i)));
    }
    return {};
  }

  Status add(std::string_view pattern) {
    rules_.patterns.emplace_back(pattern);
    return {};
  }

  Status read_split(const Json& part, const std::string& place) {
    PEDRO_TRY(const auto pattern, read_pattern(part, place));
    // The normalizer replaced all spaces, so this pattern never matches.
    if (pattern.literal == " " && rules_.escape_spaces) return {};
    const std::string behavior = text_of(part, "behavior");
    const bool inverted = truth_of(part, "invert");
    // The text between matches is removed; but these patterns match everything.
    const bool keeps_matches =
        behavior == "Removed" && inverted && !scanner_of({pattern.regex}).empty();
    if (behavior == "Isolated" || keeps_matches) return add(pattern.regex);
    return config_error(place + "/behavior",
                        fmt::format("{}{} is not supported, only 'Isolated'",
                                    quoted_token(behavior), inverted ? " with 'invert'" : ""));
  }

  Status read_byte_level(const Json& part, const std::string& place) {
    if (truth_of(part, "add_prefix_space", true)) {
      return config_error(place + "/add_prefix_space", "this is not supported");
    }
    if (truth_of(part, "use_regex", true)) rules_.patterns.emplace_back(kGpt2Pattern);
    rules_.byte_level = true;
    return {};
  }

  Status read_punctuation(const Json& part, const std::string& place) {
    const std::string behavior = text_of(part, "behavior", "Isolated");
    if (behavior == "Isolated") return add(R"([\p{P}!-/:-@\[-`{-~])");
    if (behavior == "Contiguous") return add(R"([\p{P}!-/:-@\[-`{-~]+)");
    return config_error(
        place + "/behavior",
        quoted_token(behavior) + " is not supported, only 'Isolated' or 'Contiguous'");
  }

  Status read_metaspace(const Json& part, const std::string& place) {
    if (text_of(part, "replacement", kSpaceSign) != kSpaceSign) {
      return config_error(place + "/replacement", "only '\u2581' can stand for a space");
    }
    const bool prefix = truth_of(part, "add_prefix_space", true);
    const std::string scheme = text_of(part, "prepend_scheme", prefix ? "always" : "never");
    if (scheme != "always" && scheme != "first" && scheme != "never") {
      return config_error(place + "/prepend_scheme", quoted_token(scheme) + " is unknown");
    }
    rules_.escape_spaces = true;
    rules_.space_prefix |= scheme != "never";
    // A piece begins at each space, replaced or not.
    if (truth_of(part, "split", true)) return add("[ \u2581][^ \u2581]*|[^ \u2581]+");
    return {};
  }

  TextRules& rules_;
};

bool has_byte_level(const Json& decoder) {
  if (text_of(decoder, "type") == "ByteLevel") return true;
  for (const Json& part : member(decoder, "decoders")) {
    if (text_of(part, "type") == "ByteLevel") return true;
  }
  return false;
}

// Reads the special tokens before and after the text in the template for a single text.
Result<PromptFrame> read_template(const Json& part, const std::string& place) {
  PromptFrame frame;
  bool before = true;
  for (const Json& piece : member(part, "single")) {
    if (!member(piece, "Sequence").is_null()) {
      before = false;
      continue;
    }
    std::string& slot = before ? frame.first : frame.last;
    if (!slot.empty()) {
      return config_error(place + "/single", "more than one token on a side of the text");
    }
    slot = text_of(member(piece, "SpecialToken"), "id");
  }
  return frame;
}

std::string first_text(const Json& pair) {
  return pair.is_array() && !pair.empty() && pair[0].is_string() ? pair[0].get<std::string>() : "";
}

Result<PromptFrame> read_frame(const Json& part, const std::string& place) {
  const std::string type = text_of(part, "type");
  if (part.is_null() || type == "ByteLevel") return PromptFrame{};
  if (type == "TemplateProcessing") return read_template(part, place);
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    return PromptFrame{first_text(member(part, "cls")), first_text(member(part, "sep"))};
  }
  if (type != "Sequence") return unknown_type(place, part);
  PromptFrame whole;
  const Json& parts = member(part, "processors");
  for (std::size_t i = 0; parts.is_array() && i < parts.size(); ++i) {
    const std::string inside = fmt::format("{}/processors/{}", place, i);
    PEDRO_TRY(const auto frame, read_frame(parts[i], inside));
    if (frame.first.empty() && frame.last.empty()) continue;
    if (!whole.first.empty() || !whole.last.empty()) {
      return config_error(inside, "a second template");
    }
    whole = frame;
  }
  return whole;
}

}  // namespace

Result<TextRules> read_text_rules(const Json& normalizer, const Json& pre_tokenizer,
                                  const Json& decoder) {
  TextRules rules;
  Status read = NormalizerReader(rules).read(normalizer, "/normalizer");
  if (read.ok()) read = PreTokenizerReader(rules).read(pre_tokenizer, "/pre_tokenizer");
  if (!read) return read.error();
  if (has_byte_level(decoder) && !rules.byte_level) {
    return config_error("/pre_tokenizer", "it has no ByteLevel, but the decoder has one");
  }
  if (rules.byte_level && rules.escape_spaces) {
    return config_error("/normalizer", "spaces are replaced, but tokens are bytes");
  }
  return rules;
}

PreTokenizer pre_tokenizer_of(const TextRules& rules) {
  if (rules.patterns.empty()) return {"none", {}};
  const std::string_view scanner = scanner_of(rules.patterns);
  if (!scanner.empty()) return {std::string(scanner), {}};
  return {"", rules.patterns};
}

Result<PromptFrame> read_prompt_frame(const Json& post_processor) {
  return read_frame(post_processor, "/post_processor");
}

}  // namespace pedro
