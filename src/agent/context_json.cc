#include "agent/context_json.h"

#include <string>

namespace pedro {
namespace {

constexpr std::size_t kMostPaths = 32;

Json part_json(const ContextPart& part) {
  Json json = {{"kind", to_string(part.kind)}, {"tokens", part.tokens}, {"bytes", part.bytes}};
  if (part.pinned) json["pinned"] = true;
  if (!part.kept_as.empty()) json["kept_as"] = part.kept_as;
  if (!part.facts) return json;
  const CallFacts& facts = *part.facts;
  Json changed = Json::array();
  for (const std::string& path : facts.changed) {
    if (changed.size() < kMostPaths) changed.push_back(path);
  }
  json["call"] = {{"kind", static_cast<int>(facts.kind)},
                  {"tool", facts.tool},
                  {"name", facts.call},
                  {"target", facts.target},
                  {"ok", facts.ok},
                  {"changed", std::move(changed)}};
  return json;
}

}  // namespace

Json appended_json(const Ledger& ledger, MessageId heard) {
  Json rows = Json::array();
  for (std::size_t i = ledger.first_behind(heard); i < ledger.messages().size(); ++i) {
    const ContextMessage& message = ledger.messages()[i];
    Json parts = Json::array();
    for (const ContextPart& part : ledger.parts(i)) parts.push_back(part_json(part));
    rows.push_back({{"id", message.id}, {"role", to_string(message.role)}, {"parts", parts}});
  }
  Json json = {{"tokens", ledger.total()}, {"messages", std::move(rows)}};
  if (!ledger.exact()) json["estimated"] = true;
  return json;
}

Json compacted_json(const CompactionReport& report) {
  Json left = Json::array();
  for (const CompactionReport::Left& one : report.left) {
    Json row = {{"first", one.first}, {"last", one.last},     {"what", one.what},
                {"why", one.why},     {"tokens", one.tokens}, {"cleared", one.cleared}};
    if (one.cleared) {
      row["kept_as"] = one.kept_as;
    } else {
      row["score"] = one.score;
    }
    left.push_back(std::move(row));
  }
  Json stayed = Json::array();
  for (const CompactionReport::Stayed& one : report.stayed) {
    stayed.push_back({{"first", one.first},
                      {"last", one.last},
                      {"tokens", one.tokens},
                      {"why", to_string(one.why)}});
  }
  Json json = {{"before", report.before},
               {"after", report.after},
               {"limit", report.limit},
               {"note", report.note},
               {"note_tokens", report.note_tokens},
               {"kept_as", report.kept_as},
               {"left", std::move(left)},
               {"stayed", std::move(stayed)}};
  if (report.estimated) json["estimated"] = true;
  if (!report.note_problem.empty()) json["note_problem"] = report.note_problem;
  const Usage& usage = report.note_usage;
  if (usage.prompt_tokens > 0) {
    json["note_usage"] = {{"prompt_tokens", usage.prompt_tokens},
                          {"cached_tokens", usage.cached_tokens},
                          {"generated_tokens", usage.generated_tokens},
                          {"prompt_ms", usage.prompt_ms},
                          {"generate_ms", usage.generate_ms}};
    if (usage.cache_written_tokens > 0)
      json["note_usage"]["cache_written_tokens"] = usage.cache_written_tokens;
  }
  return json;
}

}  // namespace pedro
