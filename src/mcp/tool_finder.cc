#include "mcp/tool_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/embedded_file.h"
#include "base/text.h"

namespace pedro {
extern const EmbeddedFile kToolFinder[];
}

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxFound = 5;
constexpr std::size_t kMaxFoundBytes = 12u << 10;  // of all descriptions in a result
constexpr std::size_t kMaxListed = 100;            // names in a result that found nothing
constexpr std::size_t kShortestWord = 2;           // bytes
constexpr int kExactName = 100'000;
constexpr int kNameWeight = 3;  // a word in a name, compared with a description

// Returns the words of a text in lower case. Names like `listOpenIssues` have several.
std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  char before = ' ';
  const auto end_word = [&] {
    if (word.size() >= kShortestWord) words.insert(word);
    word.clear();
  };
  for (const char c : text) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_ascii = is_upper || (c >= 'a' && c <= 'z') || is_digit(c);
    const bool begins = is_upper && before >= 'a' && before <= 'z';
    const bool is_other_letter = static_cast<unsigned char>(c) >= 0x80;
    if (begins || !(is_ascii || is_other_letter)) end_word();
    if (is_ascii || is_other_letter) word += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    before = c;
  }
  end_word();
  return words;
}

// Returns 2 for the same word, 1 for its plural and other endings, else 0.
int likeness(const std::string& asked, const std::string& word) {
  if (asked == word) return 2;
  const std::size_t shorter = std::min(asked.size(), word.size());
  const bool is_form = shorter >= 4 && asked.size() + word.size() - 2 * shorter <= 3 &&
                       asked.compare(0, shorter, word, 0, shorter) == 0;
  return is_form ? 1 : 0;
}

// Returns the sum of the best likeness of each word that was asked for.
int likeness(const std::set<std::string>& asked, const std::set<std::string>& words) {
  int sum = 0;
  for (const std::string& one : asked) {
    int best = 0;
    for (const std::string& word : words) best = std::max(best, likeness(one, word));
    sum += best;
  }
  return sum;
}

struct Entry {
  Manifest tool;
  std::set<std::string> name_words;
  std::set<std::string> other_words;
};

Entry entry_of(Manifest tool) {
  Entry entry;
  entry.name_words = words_of(tool.server_tool);
  entry.other_words = words_of(tool.description);
  for (const auto& [name, schema] :
       member(tool.actions.front().schema_json, "properties").items()) {
    entry.other_words.merge(words_of(name));
  }
  entry.tool = std::move(tool);
  return entry;
}

class ToolFinder : public Tool {
 public:
  explicit ToolFinder(std::vector<Manifest> tools) {
    for (Manifest& tool : tools) entries_.push_back(entry_of(std::move(tool)));
  }

  std::string_view name() const override { return kFinderName; }

  // The registry replaces the action `call` by a call of its target.
  Result<ToolResult> run(const ActionManifest&, const Json& args, ToolContext&) override {
    const std::vector<const Entry*> best = best_for(text_of(args, "query"));
    if (best.empty()) return refuse(names());
    ToolResult result;
    for (const Entry* entry : best) {
      const std::string text = describe(entry->tool);
      if (!result.found.empty() && result.text.size() + text.size() > kMaxFoundBytes) break;
      result.text += text;
      result.found.push_back(entry->tool.name);
    }
    result.pinned = true;
    return result;
  }

 private:
  std::vector<const Entry*> best_for(const std::string& query) const {
    const std::set<std::string> asked = words_of(query);
    std::vector<std::pair<int, const Entry*>> ranked;
    for (const Entry& entry : entries_) {
      int score =
          kNameWeight * likeness(asked, entry.name_words) + likeness(asked, entry.other_words);
      const bool is_name = query == entry.tool.name || query == entry.tool.server_tool;
      if (is_name) score += kExactName;
      if (score > 0) ranked.emplace_back(score, &entry);
    }
    std::ranges::stable_sort(ranked, std::ranges::greater(), &std::pair<int, const Entry*>::first);
    if (ranked.size() > kMaxFound) ranked.resize(kMaxFound);
    std::vector<const Entry*> best;
    for (const auto& [score, entry] : ranked) best.push_back(entry);
    return best;
  }

  std::string names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) {
      if (names.size() == kMaxListed) break;
      names.push_back(entry.tool.name);
    }
    return fmt::format("no tool fits these words. There are: {}{}", join(names, ", "),
                       names.size() < entries_.size() ? ", and others" : "");
  }

  std::vector<Entry> entries_;
};

}  // namespace

Manifest finder_manifest(const std::vector<Manifest>& tools, std::vector<std::string>& left_out) {
  std::map<std::string, int> servers;
  std::vector<CallTarget> targets;
  for (const Manifest& tool : tools) {
    auto target = target_for(tool.name, tool.actions.front().schema_json);
    if (!target) {
      left_out.push_back(tool.server_tool + ": " + target.error().message);
      continue;
    }
    targets.push_back(*std::move(target));
    ++servers[tool.server_tool.substr(0, tool.server_tool.find('.'))];
  }
  std::vector<std::string> counts;
  for (const auto& [server, count] : servers) {
    counts.push_back(fmt::format("{} ({} tools)", server, count));
  }
  const std::string description =
      fmt::format("More tools, which you must find before you can call them. They come from: {}",
                  join(counts, ", "));
  Manifest manifest = parse_manifest("tool_finder.json", kToolFinder[0].bytes, description).value();
  manifest.actions.back().targets = std::move(targets);
  return manifest;
}

std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools) {
  return std::make_unique<ToolFinder>(std::move(tools));
}

}  // namespace pedro::mcp
