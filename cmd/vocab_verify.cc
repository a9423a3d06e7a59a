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
      print(to_line({{"name", stored.name},
                     {"ok", error.empty()},
                     {"path", stored.path.empty() ? Json() : Json(stored.path)},
                     {"error", error.empty() ? Json() : Json(error)}}) +
            "\n");
      return;
    }
    const std::string line = error.empty() ? fmt::format("ok     {}  {}", stored.name, stored.path)
                                           : fmt::format("wrong  {}: {}", stored.name, error);
    print(make_printable(line) + "\n");
  }

  void tell_swept(const std::string& why) {
    ++told_;
    if (context_.global.json) {
      print(to_line({{"name", "cache"}, {"ok", true}, {"path", Json()}, {"swept", why}}) + "\n");
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

}  // namespace

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

}  // namespace pedro
