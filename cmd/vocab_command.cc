#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "command.h"
#include "sys/mapped_file.h"
#include "tokenizer/vocabulary_file.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

struct AddOptions {
  std::vector<std::string> files;
  std::string name;
  std::string folder;
  bool all = false;
};

/// A file and its new name.
struct Wanted {
  std::string file;
  std::string name;
};

std::string stem_of(const std::string& file) {
  const std::string name(base_name(file));
  return name.substr(0, name.rfind('.'));
}

// `fetched` contains the files of scripts/fetch-vocab.
Result<std::vector<Wanted>> wanted_by(const AddOptions& options, const VocabularyStore& fetched,
                                      const CommandContext& context) {
  std::vector<Wanted> wanted;
  if (options.all != options.files.empty()) return usage_error("name a file, or give -all");
  if (!options.name.empty() && options.files.size() != 1)
    return usage_error("-name needs exactly one file");
  for (const std::string& file : options.files) {
    const bool is_file = context.files.info(file).kind != FileKind::kMissing;
    const auto known = is_file ? std::nullopt : fetched.find(file);
    const std::string& path = known ? known->path : file;
    if (options.name.empty()) {
      wanted.push_back({path, known ? known->name : stem_of(file)});
    } else {
      wanted.push_back({path, options.name});
    }
  }
  if (!options.all) return wanted;
  for (const StoredVocabulary& stored : fetched.list()) {
    if (!stored.path.empty() && !stored.compiled) wanted.push_back({stored.path, stored.name});
  }
  if (wanted.empty()) {
    return usage_error("there are no vocabulary files in " + fetched_vocabularies(context) +
                       ": scripts/fetch-vocab of the source tree downloads them");
  }
  return wanted;
}

Result<int> add_vocabulary(CommandContext& context, const AddOptions& options) {
  PEDRO_TRY(const ModelRegistry registry, load_registry(context));
  VocabularyStore store(context.files, {"", {fetched_vocabularies(context)}}, registry);
  PEDRO_TRY(const auto wanted, wanted_by(options, store, context));
  PEDRO_TRY(const std::string folder, options.folder.empty() ? added_vocabularies(context)
                                                             : Result<std::string>(options.folder));
  int code = kExitDone;
  for (const Wanted& one : wanted) {
    if (context.cancel.cancelled()) return exit_code_of({}, context.cancel);
    const Result<Vocabulary> added = store.add(one.file, one.name, folder);
    if (!added) {
      code = report_error(added.error(), context.cancel);
      continue;
    }
    if (context.global.json) {
      print_json({{"name", one.name},
                  {"tokens", added->size()},
                  {"path", folder + "/" + one.name + ".pvoc"}});
    } else {
      print(make_printable(fmt::format("{}: {} tokens, in {}\n", one.name, added->size(), folder)));
    }
  }
  return code;
}

CommandFunction add_vocab_add(CLI::App& command) {
  auto options = std::make_shared<AddOptions>();
  command.add_option("files", options->files,
                     "Files (GGUF, tokenizer.json, tekken.json, .tiktoken, .model, tiktoken's "
                     "JSON), or names from `pedrocli vocab list` whose files were fetched");
  command.add_option("--name", options->name,
                     "Its name (default: the file's name without extension)");
  command.add_option("--to", options->folder,
                     "The folder for it (default: the user's own, where it is found by name)");
  command.add_flag("--all", options->all, "Add all vocabularies whose files were fetched");
  command.footer("The file is not needed afterwards: the compiled vocabulary is sufficient.\n");
  return running(add_vocabulary, options);
}

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
    for (const Listed& one : all) print_json(to_json(one));
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

CommandFunction add_vocab_list(CLI::App& command) {
  command.footer(
      "Each line has the name, the number of tokens, the format and the file. \"-\": unknown\n"
      "until the first use, which compiles the vocabulary.\n");
  return running(list_vocabularies);
}

class Verifying {
 public:
  Verifying(CommandContext& context, VocabularyStore& store) : context_(context), store_(store) {}

  int run(const std::vector<std::string>& names) {
    for (const StoredVocabulary& stored : wanted(names)) {
      if (context_.cancel.cancelled()) return exit_code_of({}, context_.cancel);
      const Status status = store_.verify(stored);
      tell(stored, status ? "" : status.error().message);
    }
    if (names.empty()) {
      for (const std::string& why : store_.sweep_cache()) tell_swept(why);
    }
    if (told_ == 0) print_note(context_.global, "found no vocabularies");
    return wrong_ == 0 ? kExitDone : kExitNo;
  }

 private:
  // Returns the named vocabularies, or all existing ones.
  std::vector<StoredVocabulary> wanted(const std::vector<std::string>& names) const {
    std::vector<StoredVocabulary> all;
    for (const std::string& name : names) {
      all.push_back(store_.find(name).value_or(StoredVocabulary{name, "", false}));
    }
    if (!names.empty()) return all;
    all = store_.list();
    std::erase_if(all, [](const StoredVocabulary& one) { return one.path.empty(); });
    return all;
  }

  void tell(const StoredVocabulary& stored, const std::string& error) {
    ++told_;
    if (!error.empty()) ++wrong_;
    if (context_.global.json) {
      print_json({{"name", stored.name},
                  {"ok", error.empty()},
                  {"path", stored.path.empty() ? Json() : Json(stored.path)},
                  {"error", error.empty() ? Json() : Json(error)}});
      return;
    }
    const std::string line = error.empty() ? fmt::format("ok     {}  {}", stored.name, stored.path)
                                           : fmt::format("wrong  {}: {}", stored.name, error);
    print(make_printable(line) + "\n");
  }

  void tell_swept(const std::string& why) {
    ++told_;
    if (context_.global.json) {
      print_json({{"name", "cache"}, {"ok", true}, {"path", Json()}, {"swept", why}});
    } else {
      print(make_printable(fmt::format("swept  cache: {}; it is recreated when needed\n", why)));
    }
  }

  CommandContext& context_;
  VocabularyStore& store_;
  std::size_t told_ = 0;
  std::size_t wrong_ = 0;
};

Result<int> verify_vocabularies(CommandContext& context, const std::vector<std::string>& names) {
  PEDRO_TRY(const ModelRegistry registry, load_registry(context));
  VocabularyStore store(context.files, vocabulary_folders(context), registry);
  return Verifying(context, store).run(names);
}

CommandFunction add_vocab_verify(CLI::App& command) {
  auto names = std::make_shared<std::vector<std::string>>();
  command.add_option("names", *names, "Vocabularies (default: all that exist, and the cache)");
  command.footer(
      "A file is read again and must match its published hash, if that is known. A compiled\n"
      "vocabulary must be complete, give the same ids as its file, and decode a text that it\n"
      "encodes. Files in the cache that cannot be opened are removed.\n"
      "Exit codes: 0 all are correct, 1 some are not.\n");
  return running(verify_vocabularies, names);
}

}  // namespace

CommandFunction add_vocab_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"list", "List the vocabularies that are known by name, and their places", add_vocab_list},
      {"add", "Compile a vocabulary file and store it under a name", add_vocab_add},
      {"verify", "Find damaged or wrong vocabularies", add_vocab_verify},
  };
  return add_commands_below(command, kCommands,
                            "Exit codes: 0 done, 1 of verify: something is wrong, 2 usage, 3 "
                            "configuration or a file that\n"
                            "cannot be read. How models find their vocabulary: docs/tokens.md.\n");
}

}  // namespace pedro
