#include "agent/answers.h"

#include "base/utf8.h"

namespace pedro {
namespace {

Json to_json(const Usage& usage) {
  Json json = {{"prompt", usage.prompt_tokens},
               {"cached", usage.cached_tokens},
               {"generated", usage.generated_tokens},
               {"prompt_ms", usage.prompt_ms},
               {"generate_ms", usage.generate_ms}};
  if (usage.cache_written_tokens > 0) json["cache_written"] = usage.cache_written_tokens;
  if (usage.estimated_tokens > 0) json["estimated"] = usage.estimated_tokens;
  return json;
}

Usage usage_from(const Json& json) {
  return {number_of(json, "prompt"),    number_of(json, "cached"),
          number_of(json, "generated"), real_of(json, "prompt_ms"),
          real_of(json, "generate_ms"), number_of(json, "cache_written"),
          number_of(json, "estimated")};
}

Json to_json(const ByteRange& range) {
  return {range.begin, range.end};
}

ByteRange range_from(const Json& json) {
  const auto bound = [&](std::size_t index) {
    const bool is_there = json.is_array() && json.size() == 2 && json[index].is_number_unsigned();
    return is_there ? json[index].get<std::size_t>() : 0;
  };
  return {bound(0), bound(1)};
}

Json to_json(const CallPart& part) {
  if (const auto* call = std::get_if<ParsedCall>(&part)) {
    return {{"id", call->id},
            {"tool", call->tool},
            {"args", call->args},
            {"bytes", to_json(call->where)}};
  }
  const auto& [where, problem] = std::get<RejectedText>(part);
  return {{"problem", static_cast<int>(problem.kind)},
          {"place", problem.place},
          {"expected", problem.expected},
          {"found", problem.found},
          {"bytes", to_json(where)}};
}

CallPart part_from(const Json& json) {
  const ByteRange where = range_from(member(json, "bytes"));
  if (json.contains("tool")) {
    return ParsedCall{where, text_of(json, "id"), text_of(json, "tool"), member(json, "args")};
  }
  const auto kind = static_cast<CallProblem::Kind>(number_of(json, "problem"));
  return RejectedText{
      where, {kind, text_of(json, "place"), text_of(json, "expected"), text_of(json, "found")}};
}

Json to_json(const ReplyTokens& tokens) {
  return {{"ids", tokens.ids}, {"cached", tokens.cached}, {"end", static_cast<int>(tokens.end)}};
}

ReplyTokens tokens_from(const Json& json) {
  ReplyTokens tokens;
  for (const Json& id : member(json, "ids")) {
    if (id.is_number_integer()) tokens.ids.push_back(id.get<TokenId>());
  }
  tokens.cached = number_of(json, "cached");
  tokens.end = static_cast<ReplyEnd>(number_of(json, "end"));
  return tokens;
}

Json to_json(const CacheMiss& miss) {
  return {{"position", miss.position}, {"token", miss.token}, {"text", bytes_json(miss.text)}};
}

CacheMiss miss_from(const Json& json) {
  return {number_of(json, "position"), number_of(json, "token"), bytes_from(member(json, "text"))};
}

}  // namespace

Json to_json(const Reply& reply) {
  Json json = {{"text", reply.text},
               {"thinking", reply.thinking},
               {"parts", Json::array()},
               {"stop", static_cast<int>(reply.stop)},
               {"usage", to_json(reply.usage)},
               {"expected_cached", reply.expected_cached_tokens}};
  for (const CallPart& part : reply.parts) json["parts"].push_back(to_json(part));
  if (reply.miss) json["miss"] = to_json(*reply.miss);
  if (reply.tokens) json["tokens"] = to_json(*reply.tokens);
  return json;
}

Reply reply_from(const Json& json) {
  Reply reply;
  reply.text = text_of(json, "text");
  reply.thinking = text_of(json, "thinking");
  for (const Json& part : member(json, "parts")) reply.parts.push_back(part_from(part));
  reply.stop = static_cast<StopReason>(number_of(json, "stop"));
  reply.usage = usage_from(member(json, "usage"));
  reply.expected_cached_tokens = number_of(json, "expected_cached", -1);
  if (json.contains("miss")) reply.miss = miss_from(member(json, "miss"));
  if (json.contains("tokens")) reply.tokens = tokens_from(member(json, "tokens"));
  return reply;
}

Json to_json(const ToolResult& result, const std::vector<NoteStore::Kept>& kept) {
  Json json = {{"ok", result.ok}, {"text", result.text}, {"kept_as", result.kept_as}};
  if (!result.ended.empty()) json["ended"] = result.ended;
  if (result.may_repeat) json["may_repeat"] = true;
  if (result.pinned) json["pinned"] = true;
  if (!result.repaired.empty()) json["repaired"] = result.repaired;
  if (!result.found.empty()) json["found"] = result.found;
  json["changed"] = Json::array();
  for (const std::string& path : result.changed) json["changed"].push_back(bytes_json(path));
  json["kept"] = Json::array();
  for (const NoteStore::Kept& one : kept) {
    json["kept"].push_back({{"id", one.id}, {"text", one.text}});
  }
  return json;
}

ToolResult tool_result_from(const Json& json) {
  ToolResult result{truth_of(json, "ok"), text_of(json, "text"), {}};
  result.ended = text_of(json, "ended");
  result.may_repeat = truth_of(json, "may_repeat");
  result.pinned = truth_of(json, "pinned");
  result.kept_as = text_of(json, "kept_as");
  result.repaired = texts_of(member(json, "repaired"));
  result.found = texts_of(member(json, "found"));
  for (const Json& path : member(json, "changed")) result.changed.push_back(bytes_from(path));
  return result;
}

std::vector<NoteStore::Kept> kept_from(const Json& json) {
  std::vector<NoteStore::Kept> kept;
  for (const Json& one : member(json, "kept")) {
    kept.push_back({text_of(one, "id"), text_of(one, "text")});
  }
  return kept;
}

Json to_json(const CheckOutcome& outcome) {
  return {{"name", outcome.check.name},
          {"command", outcome.check.command},
          {"source", outcome.check.source},
          {"passed", outcome.passed},
          {"exit_code", outcome.exit_code},
          {"timed_out", outcome.timed_out},
          {"duration_s", outcome.duration_s},
          {"stalled_s", outcome.stalled_s},
          {"output", outcome.output},
          {"notes", outcome.notes},
          {"tests_nothing", outcome.tests_nothing},
          {"failed", outcome.tests.failed},
          {"ran_tests", outcome.tests.ran},
          {"test_failures", outcome.tests.failures}};
}

CheckOutcome check_outcome_from(const Json& json) {
  return {{text_of(json, "name"), text_of(json, "command"), text_of(json, "source")},
          truth_of(json, "passed"),
          static_cast<int>(number_of(json, "exit_code")),
          truth_of(json, "timed_out"),
          real_of(json, "duration_s"),
          real_of(json, "stalled_s"),
          text_of(json, "output"),
          texts_of(member(json, "notes")),
          text_of(json, "tests_nothing"),
          {texts_of(member(json, "failed")), number_of(json, "ran_tests"),
           number_of(json, "test_failures")}};
}

Result<std::optional<std::string>> logged_refusal(
    AnswerLog& log, Question question,
    const std::function<Result<std::optional<std::string>>()>& ask) {
  PEDRO_TRY(const std::optional<Json> earlier, log.next(question));
  std::optional<std::string> refusal;
  if (earlier) {
    if (earlier->contains("why")) refusal = text_of(*earlier, "why");
    return refusal;
  }
  Result<std::optional<std::string>> asked = ask();
  if (!asked) return asked;
  Json answer = Json::object();
  if (*asked) answer["why"] = **asked;
  const Status added = log.add(question, std::move(answer));
  return added ? std::move(asked) : added.error();
}

Json bytes_json(const std::string& bytes) {
  if (is_valid_utf8(bytes)) return bytes;
  Json values = Json::array();
  for (const char byte : bytes) values.push_back(static_cast<unsigned char>(byte));
  return values;
}

std::string bytes_from(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  std::string bytes;
  for (const Json& value : json) {
    if (value.is_number_integer()) bytes += static_cast<char>(value.get<int>());
  }
  return bytes;
}

}  // namespace pedro
