#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "sys/mapped_file.h"
#include "tokenizer/vocabulary_file.h"
#include "vocab_command.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

/// A row of the list.
struct Listed {
  std::string name;
  std::string format;      ///< "" if the file is missing or is not a vocabulary
  std::size_t tokens = 0;  ///< 0: not compiled yet
  std::string path;        ///< "": missing
};

std::string format_of(const StoredVocabulary& stored) {
  if (stored.compiled) return "compiled";
  const Result<MappedFile> file = MappedFile::open(stored.path);
  if (!file) return "";
  const auto format = vocabulary_format(file->bytes());
  return format ? std::string(name_of(*format)) : "";
}

std::vector<Listed> listed(const VocabularyStore& store) {
  std::vector<Listed> all;
  for (const StoredVocabulary& stored : store.list()) {
    Listed one{stored.name, "", 0, stored.path};
    if (!stored.path.empty()) one.format = format_of(stored);
    if (const auto vocabulary = store.compiled(stored)) one.tokens = vocabulary->size();
    all.push_back(std::move(one));
  }
  return all;
}

Json to_json(const Listed& one) {
  return {{"name", one.name},
          {"format", one.format.empty() ? Json() : Json(one.format)},
          {"tokens", one.tokens == 0 ? Json() : Json(one.tokens)},
          {"path", one.path.empty() ? Json() : Json(one.path)}};
}

std::string in_columns(const std::vector<Listed>& all) {
  std::size_t width = 0;
  for (const Listed& one : all) width = std::max(width, one.name.size());
  std::string out;
  for (const Listed& one : all) {
    const std::string tokens = one.tokens == 0 ? "-" : std::to_string(one.tokens);
    out += fmt::format("{:<{}}  {:>7}  {:<14}  {}\n", make_printable(one.name), width, tokens,
                       one.format.empty() ? "-" : one.format,
                       one.path.empty() ? "missing" : make_printable(one.path));
  }
  return out;
}

Result<int> list_vocabularies(CommandContext& context) {
  PEDRO_TRY(const ModelRegistry registry, load_registry(context));
  const VocabularyStore store(context.files, vocabulary_folders(context), registry);
  const std::vector<Listed> all = listed(store);
  if (context.global.json) {
    for (const Listed& one : all) print(to_line(to_json(one)) + "\n");
    return kExitDone;
  }
  print(in_columns(all));
  const auto missing =
      std::count_if(all.begin(), all.end(), [](const Listed& one) { return one.path.empty(); });
  if (missing > 0) {
    print_note(context.global, fmt::format("{} missing: get them with scripts/fetch-vocab of the "
                                           "source tree, or `pedrocli vocab add FILE -name NAME`",
                                           missing));
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_vocab_list(CLI::App& command) {
  command.footer(
      "Each line has the name, the number of tokens, the format and the file. \"-\": unknown\n"
      "until the first use, which compiles the vocabulary.\n");
  return running(list_vocabularies);
}

}  // namespace pedro
