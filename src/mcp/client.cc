#include "mcp/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "mcp/header_parameters.h"
#include "mcp/protocol.h"

namespace pedro::mcp {
namespace {

constexpr double kProbe_s = 10;
constexpr std::size_t kMaxNameBytes = 128;  // as the specification recommends
constexpr std::size_t kMaxUriBytes = 2048;
constexpr std::size_t kMaxTitleBytes = 120;
constexpr std::size_t kMaxErrorBytes = 600;
constexpr std::size_t kMaxCursorBytes = 4096;
constexpr long long kMaxFresh_ms = 86'400'000;
constexpr const char* kMetaPrefix = "io.modelcontextprotocol/";

Json message_of(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

std::string shown(std::string_view text, std::size_t max_bytes) {
  return make_printable(truncate_utf8(trim(text), max_bytes));
}

Error took_too_long(std::string_view method, const Patience& patience) {
  return Error{ErrorKind::kModel,
               fmt::format("did not complete {} in {} s", method, patience.total_s)};
}

bool is_session_version(std::string_view version) {
  return std::find(kSessionVersions.begin(), kSessionVersions.end(), version) !=
         kSessionVersions.end();
}

// Returns true for a printable text on one line.
bool is_name(const std::string& text, std::size_t max_bytes) {
  return !text.empty() && text.size() <= max_bytes &&
         text.find_first_of("\t\n\r") == std::string::npos && text == make_printable(text);
}

std::string description_of(const Json& declared) {
  std::string description = text_of(declared, "description");
  return description.empty() ? text_of(declared, "title") : description;
}

std::optional<ToolDeclaration> declaration_of(const Json& tool) {
  ToolDeclaration made{text_of(tool, "name"), description_of(tool), member(tool, "inputSchema"),
                       member(tool, "outputSchema")};
  if (!is_name(made.name, kMaxNameBytes) || !made.input_schema.is_object()) return std::nullopt;
  return made;
}

void add_resource(std::vector<ResourceDeclaration>& resources, const Json& one, const char* key) {
  const std::string uri = text_of(one, key);
  if (!is_name(uri, kMaxUriBytes) || uri.find(' ') != uri.npos) return;
  resources.push_back({uri, text_of(one, "name"), description_of(one), text_of(one, "mimeType"),
                       key == std::string_view("uriTemplate")});
}

bool has_stateless(const Json& versions) {
  return versions.is_array() && std::ranges::any_of(versions, [](const Json& version) {
           return version == std::string(kStatelessVersion);
         });
}

// Returns true for the refusal of a version by a server that speaks ours.
bool offers_stateless(const Json& error) {
  return number_of(error, "code") == kUnsupportedVersion &&
         has_stateless(member(member(error, "data"), "supported"));
}

// Returns the answers that decline a server's questions to the user; nullopt if it wants others.
std::optional<Json> declined(const Json& questions) {
  Json answers = Json::object();
  if (!questions.is_object()) return answers;
  for (auto one = questions.begin(); one != questions.end(); ++one) {
    if (text_of(*one, "method") != "elicitation/create") return std::nullopt;
    answers[one.key()] = {{"action", "decline"}};
  }
  return answers;
}

}  // namespace

Json Client::meta(long long id) const {
  Json meta = {{"progressToken", id}};
  if (protocol_ != kStatelessVersion) return meta;
  const std::string prefix = kMetaPrefix;
  meta[prefix + "protocolVersion"] = protocol_;
  meta[prefix + "clientCapabilities"] = Json::object();
  meta[prefix + "clientInfo"] = {{"name", "pedrocli"}, {"version", own_version_}};
  return meta;
}

void Client::use(std::string_view protocol) {
  protocol_ = protocol;
  transport_->use_version(protocol);
}

void Client::introduce(const Json& server_info) {
  title_ =
      shown(text_of(server_info, "name") + " " + text_of(server_info, "version"), kMaxTitleBytes);
}

Heard Client::hear(const Json& message, long long id, Json& answer) {
  const std::string method = text_of(message, "method");
  const Json& their_id = member(message, "id");
  if (method.empty()) {
    if (their_id != id) return {};  // the late answer of an abandoned request
    answer = message;
    return {.is_done = true};
  }
  if (method == "notifications/tools/list_changed") tools_changed_ = true;
  if (their_id.is_null()) return {};
  Json reply = {{"jsonrpc", "2.0"}, {"id", their_id}};
  if (method == "ping") {
    reply["result"] = Json::object();
  } else {
    reply["error"] = {{"code", kMethodNotFound}, {"message", "not supported"}};
  }
  return {.reply = std::move(reply)};
}

Result<Json> Client::request_once(std::string_view method, Json params, const Patience& patience,
                                  const CancelToken& cancel) {
  const long long id = ++last_id_;
  params["_meta"] = meta(id);
  Json message = message_of(method, std::move(params));
  message["id"] = id;
  Json answer;
  int heard = 0;
  // Also limits the replies to the server's own requests, each of which it can delay.
  CancelToken limited(cancel, *clock_);
  limited.end_at(clock_->ticks_ms() + static_cast<long long>(patience.total_s * 1000));
  const Status sent = transport_->exchange(
      message, patience,
      [&](const Json& one) -> Result<Heard> {
        if (++heard <= kMaxMessages) return hear(one, id, answer);
        return Error{ErrorKind::kModel,
                     fmt::format("sent {} messages without an answer", kMaxMessages)};
      },
      limited);
  last_error_ = member(answer, "error");
  if (!sent) {
    if (method != "initialize" && method != "server/discover") {  // which end the connection
      (void)transport_->notify(message_of("notifications/cancelled",
                                          {{"requestId", id}, {"reason", "no longer needed"}}),
                               CancelToken());
    }
    const bool late = sent.error().kind == ErrorKind::kInterrupted && !cancel.cancelled();
    return late ? took_too_long(method, patience) : sent.error();
  }
  if (!last_error_.is_null()) {
    return refusal(fmt::format("{} (error {})",
                               shown(text_of(last_error_, "message"), kMaxErrorBytes),
                               number_of(last_error_, "code")));
  }
  const Json& result = member(answer, "result");
  if (!result.is_object()) {
    return Error{ErrorKind::kModel, fmt::format("answered {} without a result", method)};
  }
  return result;
}

// Sends a request, and once more with answers as long as the server wants input.
Result<Json> Client::request(std::string_view method, Json params, const Patience& patience,
                             const CancelToken& cancel) {
  for (int asked = 0; asked <= kMaxQuestions; ++asked) {
    PEDRO_TRY(Json result, request_once(method, params, patience, cancel));
    if (text_of(result, "resultType", "complete") == "complete") return result;
    const auto answers = declined(member(result, "inputRequests"));
    if (!answers) break;
    params["inputResponses"] = *answers;
    params.erase("requestState");
    if (result.contains("requestState")) params["requestState"] = result["requestState"];
  }
  return refusal("the server wants input from a person, which pedrocli does not give");
}

// Tries the stateless protocol. Any refusal of an older server means that it is older.
Status Client::discover(const CancelToken& cancel) {
  use(kStatelessVersion);
  const Patience brief{std::min(kProbe_s, patience_.idle_s), kProbe_s};
  const auto found = request("server/discover", Json::object(), brief, cancel);
  if (!found) return found.error();
  // Some older servers answer any method with an empty result.
  if (!has_stateless(member(*found, "supportedVersions"))) {
    return refusal("it does not speak " + std::string(kStatelessVersion));
  }
  capabilities_ = member(*found, "capabilities");
  introduce(member(member(*found, "_meta"), std::string(kMetaPrefix) + "serverInfo"));
  return {};
}

Status Client::initialize(const CancelToken& cancel) {
  use("");
  const Json params = {{"protocolVersion", kSessionVersions.front()},
                       {"capabilities", Json::object()},
                       {"clientInfo", {{"name", "pedrocli"}, {"version", own_version_}}}};
  PEDRO_TRY(const Json agreed, request("initialize", params, patience_, cancel));
  const std::string version = text_of(agreed, "protocolVersion");
  if (!is_session_version(version)) {
    return Error{ErrorKind::kModel,
                 fmt::format("speaks version '{}' of the protocol; pedrocli speaks {} and {}",
                             shown(version, kMaxTitleBytes), kStatelessVersion,
                             fmt::join(kSessionVersions, ", "))};
  }
  use(version);
  capabilities_ = member(agreed, "capabilities");
  introduce(member(agreed, "serverInfo"));
  return transport_->notify(message_of("notifications/initialized", Json::object()), cancel);
}

Status Client::open(const CancelToken& cancel) {
  const Status discovered = discover(cancel);
  if (discovered || discovered.error().kind == ErrorKind::kInterrupted) return discovered;
  if (offers_stateless(last_error_)) return discover(cancel);
  const Status initialized = initialize(cancel);
  // A server that starts slowly, or wants a sign-in first, does not answer the first request.
  const long long code = number_of(last_error_, "code");
  return code == kUnsupportedVersion || code == kHeaderMismatch ? discover(cancel) : initialized;
}

// Returns the elements of all pages, in the time of one exchange.
Result<Json> Client::list(const Listing& listing, const CancelToken& cancel) {
  CancelToken limited(cancel, *clock_);
  limited.end_at(clock_->ticks_ms() + static_cast<long long>(patience_.total_s * 1000));
  auto all = list_pages(listing, limited);
  const bool late = !all && all.error().kind == ErrorKind::kInterrupted && !cancel.cancelled();
  return late ? took_too_long(listing.method, patience_) : std::move(all);
}

Result<Json> Client::list_pages(const Listing& listing, const CancelToken& cancel) {
  Json all = Json::array();
  listed_for_ms_ = kMaxFresh_ms;
  if (!member(capabilities_, listing.feature).is_object()) return all;
  std::string cursor;
  std::set<std::string> cursors;
  for (int page = 0; page < kMaxPages; ++page) {
    Json params = Json::object();
    if (!cursor.empty()) params["cursor"] = cursor;
    PEDRO_TRY(Json listed, request(listing.method, std::move(params), patience_, cancel));
    listed_for_ms_ = std::min(listed_for_ms_, number_of(listed, "ttlMs"));
    for (Json& one : listed[listing.key]) {
      if (all.size() == kMaxTools) {
        return Error{ErrorKind::kModel,
                     fmt::format("declares more than {} {}", kMaxTools, listing.key)};
      }
      all.push_back(std::move(one));
    }
    cursor = text_of(listed, "nextCursor");
    if (cursor.empty()) return all;
    if (cursor.size() > kMaxCursorBytes || !cursors.insert(cursor).second) break;
  }
  return Error{ErrorKind::kModel, fmt::format("its list of {} never ends", listing.key)};
}

Result<std::vector<ToolDeclaration>> Client::list_tools(const CancelToken& cancel) {
  const bool changed = std::exchange(tools_changed_, false);
  const auto all = list({"tools/list", "tools", "tools"}, cancel);
  if (!all) {
    tools_changed_ = tools_changed_ || changed;  // the next call asks again
    return all.error();
  }
  tools_fresh_until_ms_ = clock_->ticks_ms() + std::max(listed_for_ms_, kMinFresh_ms);
  std::vector<ToolDeclaration> tools;
  for (const Json& tool : *all) {
    auto declaration = declaration_of(tool);
    if (!declaration) continue;
    if (transport_->repeats_parameters()) {
      auto parameters = header_parameters(declaration->input_schema);
      if (!parameters) declaration->problem = parameters.error().message;
      if (parameters) declaration->repeated = *std::move(parameters);
    }
    tools.push_back(*std::move(declaration));
  }
  return tools;
}

Result<std::vector<ResourceDeclaration>> Client::list_resources(const CancelToken& cancel) {
  std::vector<ResourceDeclaration> resources;
  PEDRO_TRY(const Json all, list({"resources/list", "resources", "resources"}, cancel));
  for (const Json& one : all) add_resource(resources, one, "uri");
  const auto templates =
      list({"resources/templates/list", "resourceTemplates", "resources"}, cancel);
  if (!templates && templates.error().kind == ErrorKind::kRefused) return resources;  // has none
  if (!templates) return templates.error();
  for (const Json& one : *templates) add_resource(resources, one, "uriTemplate");
  return resources;
}

Result<Json> Client::read_resource(const std::string& uri, const CancelToken& cancel) {
  return request("resources/read", {{"uri", uri}}, patience_, cancel);
}

Result<std::vector<PromptDeclaration>> Client::list_prompts(const CancelToken& cancel) {
  std::vector<PromptDeclaration> prompts;
  PEDRO_TRY(const Json all, list({"prompts/list", "prompts", "prompts"}, cancel));
  for (const Json& one : all) {
    const std::string name = text_of(one, "name");
    if (!is_name(name, kMaxNameBytes)) continue;
    prompts.push_back({name, description_of(one), member(one, "arguments")});
  }
  return prompts;
}

Result<Json> Client::get_prompt(const std::string& name, const Json& args,
                                const CancelToken& cancel) {
  return request("prompts/get", {{"name", name}, {"arguments", args}}, patience_, cancel);
}

Result<Json> Client::call_tool(const ToolDeclaration& tool, const Json& args,
                               const CancelToken& cancel) {
  if (!tool.problem.empty()) return refusal(tool.problem);
  transport_->use_headers(parameter_headers(tool.repeated, args));
  return request("tools/call", {{"name", tool.name}, {"arguments", args}}, patience_, cancel);
}

}  // namespace pedro::mcp
