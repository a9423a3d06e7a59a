#include "agent/failing_texts.h"

#include <algorithm>

#include "agent/canary.h"
#include "agent/failing_end.h"
#include "agent/failing_start.h"
#include "agent/other_literals.h"
#include "agent/task_files.h"
#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

// Returns true if another text names the file: it may be a part of another test.
bool is_named_elsewhere(const TestTexts& texts, const std::string& path) {
  const std::string_view name = base_name(path);
  const std::string_view stem = name.substr(0, name.find('.'));
  return std::ranges::any_of(texts, [&](const auto& other) {
    return other.first != path && has_whole_words(other.second, stem);
  });
}

}  // namespace

TestTexts failing_texts(const TestTexts& texts, bool has_canary) {
  TestTexts plain = texts;
  if (has_canary && !canary_texts(texts).empty()) {
    std::erase_if(plain, [](const auto& file) { return is_test_path(file.first); });
  }
  TestTexts others = other_literals(plain);
  for (const auto& [path, text] : plain) {
    if (others.contains(path) || is_named_elsewhere(texts, path)) continue;
    std::string ended = failing_end(path, text);
    if (!ended.empty()) others[path] = std::move(ended);
  }
  return others;
}

TestTexts stopped_texts(const TestTexts& texts) {
  TestTexts stopped;
  for (const auto& [path, text] : texts) {
    const std::string failing = failing_start(path, text);
    stopped[path] = failing.empty() ? "@@@ no program of any language ((\n" : failing;
  }
  return stopped;
}

}  // namespace pedro
