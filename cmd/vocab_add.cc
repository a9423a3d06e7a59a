#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "vocab_command.h"
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
      print(to_line({{"name", one.name},
                     {"tokens", added->size()},
                     {"path", folder + "/" + one.name + ".pvoc"}}) +
            "\n");
    } else {
      print(make_printable(fmt::format("{}: {} tokens, in {}\n", one.name, added->size(), folder)));
    }
  }
  return code;
}

}  // namespace

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

}  // namespace pedro
