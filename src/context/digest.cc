#include "context/digest.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEntries = 32;
constexpr std::size_t kMaxEntryBytes = 600;
constexpr std::size_t kMaxDecisionBytes = 2000;  // the size of a plan
constexpr std::size_t kMaxNameBytes = 160;
constexpr std::string_view kNothing = "-";

std::string cut(std::string_view text, std::size_t max_bytes) {
  return cut_middle(trim(text), max_bytes, "");
}

}  // namespace

void Digest::put(std::vector<Entry>& list, std::string name, std::string text) {
  name = truncate_utf8(name, kMaxNameBytes);
  std::erase_if(list, [&](const Entry& entry) { return entry.name == name; });
  if (list.size() >= kMaxEntries) list.erase(list.begin());
  list.push_back({std::move(name), std::move(text)});
}

void Digest::add_failure(const CallFacts& facts, std::string_view result) {
  put(failed_, facts.call, cut(result, kMaxEntryBytes));
}

void Digest::add(const CallFacts& facts, std::string_view result, bool mended) {
  for (const std::string& path : facts.changed) put(changed_, path, "");
  switch (facts.kind) {
    case CallKind::kLook:
      if (facts.ok && facts.changed.empty()) put(read_, facts.call, "");
      break;
    case CallKind::kCommand:
      put(commands_, facts.call, facts.outcome);
      break;
    case CallKind::kNote:
      if (facts.ok) put(notes_, facts.target, cut(facts.outcome, kMaxEntryBytes));
      break;
    case CallKind::kDecision:
      if (facts.ok) put(decisions_, facts.target, cut(facts.outcome, kMaxDecisionBytes));
      break;
  }
  const std::string_view name = truncate_utf8(facts.call, kMaxNameBytes);
  std::erase_if(failed_, [&](const Entry& entry) { return entry.name == name; });
  if (!facts.ok && !mended) add_failure(facts, result);
}

std::map<std::string, std::string> Digest::sections(
    std::size_t max_bytes,
    const std::function<std::string(const std::string& path)>& state_of) const {
  struct Section {
    const char* name;
    const std::vector<Entry>& entries;
    std::string_view between;
    std::size_t share;  // tenths of `max_bytes`
  };
  const Section all[] = {{"changed", changed_, ", ", 2},   {"read", read_, ", ", 1},
                         {"commands", commands_, "; ", 2}, {"failed", failed_, "\n", 2},
                         {"notes", notes_, "\n", 2},       {"decisions", decisions_, "\n", 1}};
  std::map<std::string, std::string> sections;
  std::size_t unused = 0;  // bytes that earlier sections did not use
  for (const Section& section : all) {
    const std::size_t room = max_bytes * section.share / 10 + unused;
    std::vector<std::string> pieces;
    std::size_t bytes = 0;
    for (auto entry = section.entries.rbegin(); entry != section.entries.rend(); ++entry) {
      const bool is_path = &section.entries == &changed_;
      const std::string text = is_path ? state_of(entry->name) : entry->text;
      pieces.push_back(text.empty()
                           ? entry->name
                           : fmt::format("{}{}{}", entry->name, is_path ? " " : ": ", text));
      bytes += pieces.back().size() + section.between.size();
      if (bytes <= room) continue;
      bytes -= pieces.back().size() + section.between.size();
      pieces.pop_back();
      break;
    }
    std::reverse(pieces.begin(), pieces.end());
    unused = room - bytes;
    sections[section.name] = pieces.empty() ? std::string(kNothing) : join(pieces, section.between);
  }
  return sections;
}

}  // namespace pedro
