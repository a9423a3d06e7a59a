#include "tokenizer/pre_tokenizer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "tokenizer/quoted_token.h"

namespace pedro {
namespace {

constexpr unsigned kIgnoreMerges = 1;
constexpr unsigned kAddBos = 2;
constexpr unsigned kAlwaysBos = 4;
constexpr unsigned kNoDefaultBos = 8;
constexpr unsigned kRawCharacters = 16;
constexpr unsigned kEscapeSpaces = 32;

struct GgufRow {
  std::string_view names;  // space-separated
  std::string_view scanner;
  std::string_view patterns;  // one per line, verbatim from llama.cpp
  unsigned flags;
};

// clang-format off
constexpr GgufRow kGgufRows[] = {
    {"llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
     "llama3",
     "",
     kIgnoreMerges | kAddBos},
    {"jais-2",
     "",
     R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|)"
     R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)|)"
     R"(\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|)"
     R"(\s{1,2}(?!\S)|\s{1})",
     0},
    {"dbrx smaug-bpe",
     "llama3",
     "",
     0},
    {"deepseek-llm",
     "",
     R"([\r\n])" "\n"
     R"(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-Ჺ)"
     R"(Ჽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝ)"
     R"(ℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+)" "\n"
     R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)" "\n"
     R"(\s+$)" "\n"
     R"([一-龥ࠀ-一가-퟿]+)" "\n"
     R"(\p{N}+)",
     0},
    {"deepseek-v3 hunyuan-dense joyai-llm hy_v4",
     "deepseek3",
     "",
     0},
    {"spark2_5",
     "",
     R"(\p{N}{1,3})" "\n"
     R"([一-龥぀-ゟ゠-ヿ]+)" "\n"
     R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
     R"( ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+)" "\n"
     R"(\p{N})",
     0},
    {"youtu",
     "",
     R"([가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+)" "\n"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sS]|)"
     R"('[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sS]|)"
     R"('[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)"
     R"(\s*[\r\n]+|\s+(?!\S)|\s+)",
     kIgnoreMerges},
    {"deepseek-coder",
     "",
     R"([\r\n])" "\n"
     R"(\s?\p{L}+)" "\n"
     R"(\s?\p{P}+)" "\n"
     R"([一-龥ࠀ-一가-퟿]+)" "\n"
     R"(\p{N})",
     0},
    {"falcon",
     "",
     R"([\p{P}\$\+<=>\^~\|`]+)" "\n"
     R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))" "\n"
     R"([0-9][0-9][0-9])",
     0},
    {"starcoder refact command-r smollm codeshell exaone minerva-7b mellum2",
     "starcoder",
     "",
     0},
    {"gpt-2 phi-2 jina-es jina-de gigachat jina-v2-es jina-v2-de a.x-4.0 mellum "
     "modern-bert jina-v1-en jina-v2-code roberta-bpe exaone4 mpt olmo jais trillion "
     "granite-docling",
     "gpt2",
     "",
     0},
    {"stablelm2 qwen2 deepseek-r1-qwen kormo f2llmv2 megrez hunyuan solar-open",
     "qwen2",
     "",
     0},
    {"qwen35",
     "qwen35",
     "",
     0},
    {"poro-chat bloom gpt3-finnish",
     "",
     R"( ?[^(\s|.,!?…。，、।۔،)]+)",
     0},
    {"glm4 chatglm-bpe",
     "llama3",
     "",
     kNoDefaultBos},
    {"viking",
     "",
     R"( ?[^(\s|.,!?…。，、।۔،)]+)" "\n"
     R"(\p{N})",
     0},
    {"tekken",
     "tekken",
     "",
     kIgnoreMerges | kAddBos},
    {"chameleon",
     "",
     R"(<sentinel:[0-9]+>)" "\n"
     R"((IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z)" "\n"
     R"(([\t\n]|    |  ))" "\n"
     R"(\p{N})" "\n"
     R"([\p{P}!-/:-@\[-`{-~])" "\n"
     R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))",
     kAddBos},
    {"gpt-4o llama4 kanana2 talkie minimax-m2",
     "o200k",
     "",
     0},
    {"granite-embed-multi-97m",
     "",
     R"([^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])([^a-z]))*((?=[\p{L}\p{M}])([^A-Z]))+(?:'[sS]|'[tT]|)"
     R"('[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|)"
     R"([^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])([^a-z]))+((?=[\p{L}\p{M}])([^A-Z]))*(?:'[sS]|'[tT]|)"
     R"('[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)"
     R"(\s*[\r\n]+|\s+(?!\S)|\s+)",
     kIgnoreMerges},
    {"tiny_aya cohere2moe",
     "",
     R"(\d{1,3}(?=(?:\d{3})*\b))" "\n"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sS]|)"
     R"('[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sS]|)"
     R"('[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)"
     R"(\s*[\r\n]+|\s+(?!\S)|\s+)",
     0},
    {"kimi-k2",
     "",
     R"(\p{Han}+)",
     0},
    {"superbpe",
     "",
     R"(\p{N}+)" "\n"
     R"((?=(\d{3})+(?!\d)))",
     0},
    {"bailingmoe bailingmoe2 llada-moe",
     "",
     R"('(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
     R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     0},
    {"seed-coder",
     "",
     R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|)"
     R"(\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)",
     0},
    {"ufakzeka",
     "",
     R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     0},
    {"grok-2",
     "qwen2",
     "",
     0},
    {"afmoe",
     "",
     R"(\p{AFMoE_digits})" "\n"
     R"([一-鿿㐀-䶿豈-﫿぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+)" "\n"
     R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
     R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     0},
    {"laguna",
     "",
     R"([^\n]+|[\n]+)" "\n"
     R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
     R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     0},
    {"exaone-moe",
     "",
     R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|)"
     R"([^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|)"
     R"(\s*[\r\n]|\s+(?!\S)|\s+)",
     0},
    {"gemma4 granite-embed-multi-311m",
     "newlines",
     "",
     kRawCharacters | kEscapeSpaces | kAlwaysBos},
    {"sarvam-moe",
     "newlines",
     "",
     kRawCharacters | kEscapeSpaces},
    {"minicpm5",
     "",
     R"(\p{N}{1,3})" "\n"
     R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|)"
     R"(\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     kIgnoreMerges},
    {"whitespace",
     "",
     R"(\S+)",
     kRawCharacters},
    {"default",
     "",
     R"([\p{P}\$\+<=>\^~\|]+)" "\n"
     R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))" "\n"
     R"(\p{N}+)" "\n"
     R"([0-9][0-9][0-9])",
     0},
};
// clang-format on

struct Rewritten {
  std::string_view pattern;
  std::string_view patterns;
};

// llama.cpp's special handling of these patterns, rewritten for a subject of one piece. Digits are
// grouped by three from their end. Kimi's Han characters are those of these blocks. llama.cpp maps
// blanks outside ASCII to a vertical tab, so only \s matches them, and no other character class.
constexpr std::string_view kDigitsByThrees =
    "\\p{N}+\n"
    R"(^\p{N}{1,2}(?=(?:\p{N}{3})+$)|\p{N}{3})";
constexpr Rewritten kRewritten[] = {
    {R"(\p{AFMoE_digits})", kDigitsByThrees},
    {R"(\d{1,3}(?=(?:\d{3})*\b))", kDigitsByThrees},
    {R"((?=(\d{3})+(?!\d)))", R"((?=([0-9]{3})+(?![0-9])))"},
    {R"([一-龥ࠀ-一가-퟿]+)", R"((?:(?!\s)[一-龥ࠀ-一가-퟿])+)"},
    {R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)", R"(\s?[!-/:-~！-／：-～‘-‟\x{3001}-。]+)"},
    {R"(\p{Han}+)",
     R"([\x{3400}-\x{4DBF}\x{4E00}-\x{9FFF}\x{F900}-\x{FAFF}\x{20000}-\x{2A6DF})"
     R"(\x{2A700}-\x{2EBEF}\x{2F800}-\x{2FA1F}]+|)"
     R"([^\r\n\p{L}\p{N}]?(?:(?![\x{3400}-\x{4DBF}\x{4E00}-\x{9FFF}\x{F900}-\x{FAFF}\x{20000}-\x{2A6DF})"
     R"(\x{2A700}-\x{2EBEF}\x{2F800}-\x{2FA1F}])\p{L})+)"
     R"((?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
     R"(\s*[\r\n]+|\s+(?!\S)|\s+)"},
};

struct KnownPatterns {
  std::string_view scanner;
  std::string_view patterns;  // one per line; newlines inside as \r and \n
};

// clang-format off
constexpr KnownPatterns kKnownPatterns[] = {
    // The ByteLevel pre-tokenizer of Hugging Face; r50k_base and p50k_base, old and new.
    {"gpt2", R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {"gpt2", R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {"gpt2", R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s)"},
    {"cl100k",
     R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|)"
     R"(\s++$|\s*[\r\n]|\s+(?!\S)|\s)"},
    {"llama3",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
     R"(\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"qwen2",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
     R"(\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"qwen35",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|)"
     R"( ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"o200k",
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"tekken",
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
     R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"deepseek3",
     "\\p{N}{1,3}\n"
     "[一-龥぀-ゟ゠-ヿ]+\n"
     R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
     R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {"starcoder",
     "\\p{N}\n"
     R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {"newlines", R"([^\n]+|[\n]+)"},
};
// clang-format on

constexpr std::pair<std::string_view, std::string_view> kRankFiles[] = {
    {"r50k_base", "gpt2"},     {"p50k_base", "gpt2"},   {"p50k_edit", "gpt2"},
    {"cl100k_base", "cl100k"}, {"o200k_base", "o200k"}, {"o200k_harmony", "o200k"},
};

std::vector<std::string> names_of(const GgufRow& row) {
  std::vector<std::string> names;
  for (const std::string_view name : split(row.names, ' ')) names.emplace_back(name);
  return names;
}

// llama.cpp does not distinguish kinds of letters: its case classes contain all letters.
std::string with_one_kind_of_letter(std::string pattern) {
  for (const std::string_view letters : {"\\p{Lu}", "\\p{Ll}", "\\p{Lt}", "\\p{Lm}", "\\p{Lo}"}) {
    pattern = replace_all(pattern, letters, "\\p{L}");
  }
  return pattern;
}

std::string_view rewritten(std::string_view pattern) {
  for (const Rewritten& known : kRewritten) {
    if (known.pattern == pattern) return known.patterns;
  }
  return pattern;
}

std::vector<std::string> patterns_of(const GgufRow& row) {
  std::vector<std::string> patterns;
  if (row.patterns.empty()) return patterns;
  for (const std::string_view pattern : split(row.patterns, '\n')) {
    for (const std::string_view one : split(rewritten(pattern), '\n')) {
      patterns.push_back(with_one_kind_of_letter(std::string(one)));
    }
  }
  return patterns;
}

GgufPreTokenizer made_of(const GgufRow& row) {
  GgufPreTokenizer made;
  made.pre_tokenizer = {std::string(row.scanner), patterns_of(row)};
  if ((row.flags & kRawCharacters) != 0) made.symbols = Symbols::kCharacters;
  made.escape_spaces = (row.flags & kEscapeSpaces) != 0;
  made.ignore_merges = (row.flags & kIgnoreMerges) != 0;
  made.add_bos = (row.flags & kAddBos) != 0;
  made.always_bos = (row.flags & kAlwaysBos) != 0;
  made.has_default_bos = (row.flags & kNoDefaultBos) == 0;
  return made;
}

// Returns " (close names: 'a', 'b')" with the names nearest to `pre`, or "".
std::string close_names(std::string_view pre) {
  constexpr std::size_t kMaxNames = 3;
  std::vector<std::pair<std::size_t, std::string>> close;
  for (const GgufRow& row : kGgufRows) {
    for (const std::string& name : names_of(row)) {
      const std::size_t distance = edit_distance(pre, name);
      const bool is_part = pre.size() > 2 && (name.starts_with(pre) || pre.starts_with(name));
      if (is_part || distance <= 1 + name.size() / 4) close.emplace_back(distance, name);
    }
  }
  std::sort(close.begin(), close.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(close.size(), kMaxNames); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", close[i].second);
  }
  return text.empty() ? "" : " (close names: " + text + ")";
}

}  // namespace

Result<GgufPreTokenizer> gguf_pre_tokenizer(std::string_view pre) {
  const std::string_view wanted = pre.empty() ? "default" : pre;
  for (const GgufRow& row : kGgufRows) {
    const std::vector<std::string> names = names_of(row);
    if (std::find(names.begin(), names.end(), wanted) != names.end()) return made_of(row);
  }
  return Error{ErrorKind::kConfig,
               fmt::format("unknown pre-tokenizer {}{}", quoted_token(pre), close_names(pre))};
}

std::string_view scanner_of(const std::vector<std::string>& patterns) {
  std::vector<std::string> written;
  for (const std::string& pattern : patterns) {
    written.push_back(replace_all(replace_all(pattern, "\r", "\\r"), "\n", "\\n"));
  }
  const std::string wanted = join(written, "\n");
  for (const KnownPatterns& known : kKnownPatterns) {
    if (known.patterns == wanted) return known.scanner;
  }
  return "";
}

std::string_view scanner_of_ranks(std::string_view stem) {
  for (const auto& [name, scanner] : kRankFiles) {
    if (name == stem) return scanner;
  }
  return "";
}

}  // namespace pedro
