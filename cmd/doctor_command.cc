#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/format_tokens.h"
#include "command.h"
#include "find_server.h"
#include "git/repository.h"
#include "model_factory.h"
#include "model_facts.h"
#include "sandbox/sandbox_proof.h"
#include "sandbox_setup.h"
#include "sys/interrupted.h"
#include "sys/terminal.h"
#include "sys/url.h"
#include "tools/checks.h"
#include "tools/count_of.h"
#include "tools/gh_command.h"
#include "tools/project_checks.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr long long kComfortableContext = 16384;
constexpr double kCheckSeconds = 60;  // of each check

enum class Health { kGood, kWeak, kBad };

// Examines one subject after another. Prints a line for each: the result, and advice if it is not
// good.
class Doctor {
 public:
  explicit Doctor(CommandContext& context) : context_(context) {
    colour_ = is_terminal(StandardStream::kOut) && context.environment.get("NO_COLOR").empty();
  }

  Result<int> run() {
    PEDRO_TRY(LoadedConfig config, load_project_config(context_));
    PEDRO_RETURN_IF_ERROR(check_settings(context_, config));
    tell(Health::kGood, "config",
         config.files.empty() ? "defaults; no file was read" : join(config.files, ", "));
    examine_tools(config.project_folder);
    PEDRO_TRY(const std::string work, work_folder(context_, config, ""));
    examine_repository(work);
    examine_sandbox(work, config);
    examine_state();
    const bool server_ok = examine_server(config);
    if (context_.cancel.cancelled()) return interrupted(context_.cancel);
    if (!server_ok) return kExitModel;
    return worst_ == Health::kBad ? kExitUsage : kExitDone;
  }

 private:
  void tell(Health finding, std::string_view what, std::string_view said) {
    const std::string text = make_printable(said);
    worst_ = std::max(worst_, finding);
    const char* word = finding == Health::kGood ? "ok" : finding == Health::kWeak ? "weak" : "BAD";
    const char* code = finding == Health::kGood ? "32" : finding == Health::kWeak ? "33" : "31";
    if (context_.global.json) {
      return print_json({{"finding", to_lower(word)}, {"what", what}, {"text", text}});
    }
    const std::string mark = fmt::format("{:<4}", word);
    print(fmt::format("{} {:<10} {}\n",
                      colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, mark) : mark, what, text));
  }

  bool fails(std::string_view what, const Error& error) {
    tell(Health::kBad, what, error.message);
    return false;
  }

  void examine_tools(const std::string& folder) {
    for (const char* name : {"rg", "ctags"}) {
      const bool found = !context_.processes.find(name).empty();
      tell(found ? Health::kGood : Health::kWeak, name,
           found ? "installed" : "not installed: search and outlines work, but less well");
    }
    const Result<std::string> gh =
        run_gh(folder, {"auth", "status"}, context_.processes, context_.cancel);
    tell(gh ? Health::kGood : Health::kWeak, "gh",
         gh ? "logged in" : gh.error().message + " (issues also come from files and the REST API)");
  }

  void examine_repository(const std::string& folder) {
    const Result<Repository> repository =
        Repository::open(context_.files, context_.processes, context_.cancel, folder);
    if (!repository) {
      tell(Health::kBad, "git", repository.error().message);
      return;
    }
    const Result<std::string> branch = repository->branch();
    const Result<std::vector<ChangedFile>> dirty = repository->uncommitted_files();
    if (branch && dirty) {
      const std::string where = branch->empty() ? "detached HEAD" : "branch " + *branch;
      if (dirty->empty()) {
        tell(Health::kGood, "git", where + ", clean");
      } else {
        tell(Health::kWeak, "git",
             fmt::format("{}, {} uncommitted files: build will refuse; commit or stash them", where,
                         dirty->size()));
      }
    }
    examine_prompts(repository->root());
  }

  void examine_sandbox(const std::string& folder, const LoadedConfig& config) {
    Result<Sandbox> sandbox = open_sandbox(context_, config.config, folder);
    if (!sandbox) return tell(Health::kBad, "sandbox", sandbox.error().message);
    if (sandbox->level() == SandboxLevel::kOff) {
      return tell(Health::kBad, "sandbox", sandbox->description());
    }
    tell(Health::kGood, "sandbox", sandbox->description());
    for (const std::string& gap : sandbox->gaps()) tell(Health::kWeak, "sandbox", "but " + gap);
    const auto proofs =
        prove_sandbox(*sandbox, folder, context_.environment.get("HOME"), context_.cancel);
    if (!proofs) return tell(Health::kBad, "sandbox", proofs.error().message);
    std::vector<std::string> held;
    for (const SandboxProof& proof : *proofs) {
      if (proof.held) held.push_back(proof.what);
    }
    tell(Health::kGood, "sandbox", "tried and refused: " + join(held, ", "));
    for (const SandboxProof& proof : *proofs) {
      if (!proof.held) tell(Health::kWeak, "sandbox", "tried and possible: " + proof.what);
    }
    examine_checks(*sandbox, folder, config.config);
  }

  void examine_state() {
    const Result<JobStore> store = open_job_store(context_);
    if (!store) return tell(Health::kBad, "jobs", store.error().message);
    const std::string folder = context_.environment.state_folder();
    const std::string probe = join_path(folder, "doctor");
    Status written = context_.files.make_folders(folder, 0700);
    if (written) written = context_.files.write_atomic(probe, "ok", 0600);
    if (!written) return tell(Health::kBad, "jobs", written.error().message);
    (void)context_.files.remove(probe);
    tell(Health::kGood, "jobs", folder + " is writable");
  }

  // Runs the checks in the same way as a job before its work, but each for a minute at most.
  void examine_checks(Sandbox& sandbox, const std::string& folder, const Config& config) {
    const Result<WorkTree> tree = WorkTree::open(context_.files, folder);
    if (!tree) return tell(Health::kBad, "checks", tree.error().message);
    std::vector<Check> checks;
    for (const std::string& command : config.checks) checks.push_back({"", command, "settings"});
    if (checks.empty()) checks = detect_checks(*tree);
    SandboxRunner confined(sandbox);
    Result<NetworkCommands> runner = commands_in(confined, config);
    if (!runner) return tell(Health::kBad, "checks", runner.error().message);
    bool tested = false;
    for (std::optional<Check> check : checks) {
      for (; check; check = next_candidate(*check)) {
        const double job_limit_s = config.limits.check_timeout_seconds;
        const double limit_s = std::min(job_limit_s, kCheckSeconds);
        print_note(context_.global,
                   fmt::format("running `{}`, at most {} s", check->command, limit_s));
        const auto outcome =
            run_check(*check, *tree, *runner, {.timeout_s = limit_s}, context_.cancel);
        if (!outcome) return;  // interrupted
        if (outcome->timed_out && limit_s < job_limit_s) {
          tested = true;
          tell(Health::kGood, "checks",
               fmt::format("`{}` (from {}): runs longer than {} s; a job allows {} s",
                           check->command, check->source, limit_s, job_limit_s));
          break;
        }
        const bool tests = outcome->tests_nothing.empty();
        tested = tested || tests;
        tell(tests ? Health::kGood : Health::kWeak, "checks",
             tests ? baseline_text(*outcome)
                   : fmt::format("`{}` (from {}) is not a check here: {}", check->command,
                                 check->source, outcome->tests_nothing));
        if (tests) break;
      }
    }
    if (!tested) {
      tell(Health::kWeak, "checks",
           "none found: results cannot be verified; name them in 'checks' or with -test-cmd");
    }
  }

  void examine_prompts(const std::string& root) {
    const Result<Registry> registry = open_tools(context_, root);
    if (!registry) return tell(Health::kBad, "tools", registry.error().message);
    const Result<PromptLibrary> library = open_prompts(context_, root);
    if (!library) return tell(Health::kBad, "prompts", library.error().message);
    const Result<Feedback> feedback = Feedback::load(*library);
    if (!feedback) return tell(Health::kBad, "prompts", feedback.error().message);
    std::vector<std::string> agents;
    for (const std::string& agent : agent_names(*library)) {
      const Result<Workflow> workflow = load_workflow(*library, *registry, agent);
      if (!workflow) {
        tell(Health::kBad, "prompts", workflow.error().message);
        continue;
      }
      agents.push_back(fmt::format("{} has {}", agent, count_of(workflow->phases.size(), "phase")));
    }
    tell(Health::kGood, "prompts",
         fmt::format("{}; {} tools", join(agents, ", "), registry->names().size()));
  }

  bool examine_server(LoadedConfig& config) {
    if (Status found = find_server(context_, config, ServerKinds::kAll); !found)
      return fails("server", found.error());
    Result<ModelRegistry> registry = registry_of(config);
    if (!registry) return fails("models", registry.error());
    ServerConnections connections(context_, *std::move(registry));
    const Result<Trace> trace = make_trace(context_.global);
    if (!trace) return fails("debug", trace.error());
    GenerateEvents events;
    Result<ServerOptions> options = client_options(context_, config, *trace, events);
    if (!options) return fails("server", options.error());
    options->retry.max_attempts = 1;
    const std::unique_ptr<Model> model =
        make_message_model(context_.cancel, config.config.model, *options, events, connections);
    if (model) {
      return examine_messages(*model, config.config.model.server_url, connections.registry);
    }
    LlamaServer::Settings settings = llama_settings(config.config, connections);
    settings.tries_capabilities = true;
    LlamaServer server(connections.http, std::move(*options), settings, connections.vocabularies,
                       events, context_.clock, context_.cancel);
    const Result<ModelInfo> info = server.open();
    if (!info) return fails("server", info.error());
    const ServerDetails& details = server.details();
    tell(Health::kGood, "server",
         fmt::format("{} (build {}), model {}", config.config.model.server_url, details.build,
                     info->name));
    tell_row(info->name, connections.registry);
    const bool roomy = info->context_tokens >= kComfortableContext;
    tell(roomy ? Health::kGood : Health::kWeak, "context",
         fmt::format("{} tokens in each of {} slots: {}{}", info->context_tokens, details.slots,
                     info->context_source,
                     roomy ? "" : "; start the server with -np 1 or a larger -c"));
    if (!examine_tokenizer(server)) return false;
    const std::string spelled =
        details.spelled_tags.empty()
            ? ""
            : "; not tokens of the model, so written as text: " + some_of(details.spelled_tags);
    tell(spelled.empty() ? Health::kGood : Health::kWeak, "format",
         fmt::format("{}{}; {} control tokens are kept out of calls{}", info->format,
                     details.format_why.empty() ? "" : " (" + details.format_why + ")",
                     details.control_tokens, spelled));
    examine_capabilities(info->can);
    return measure_cache(server);
  }

  void tell_row(const std::string& model, const ModelRegistry& registry) {
    const KnownModel* row = registry.model(model);
    tell(Health::kGood, "model",
         row == nullptr ? fmt::format("the table has no row for '{}'", model)
                        : fmt::format("{}: {}", source_of(*row), in_one_line(facts_of(*row))));
  }

  void examine_capabilities(const Capabilities& can) {
    tell(can.grammar ? Health::kGood : Health::kBad, "grammar",
         can.grammar ? "obeyed" : "ignored: calls cannot be constrained; update the server");
    tell(can.json_schema ? Health::kGood : Health::kWeak, "schema",
         can.json_schema ? "obeyed" : "ignored: model.mode schema cannot be used");
    tell(can.logit_bias ? Health::kGood : Health::kWeak, "bias",
         can.logit_bias ? "obeyed" : "ignored: model.logit_bias and tool_bias have no effect");
    tell(can.token_ids ? Health::kGood : Health::kBad, "ids",
         can.token_ids ? "prompts and replies are token ids"
                       : "replies have no token ids; update the server");
    if (!can.reports_cache) {
      tell(Health::kWeak, "cache", "the server does not report how much of a prompt was cached");
    } else {
      tell(Health::kGood, "cache",
           can.shifts_cache ? "kept, and moved when messages are removed"
                            : "kept; text after removed messages is evaluated again");
    }
  }

  // Servers with message APIs report few properties.
  bool examine_messages(Model& model, std::string_view url, const ModelRegistry& registry) {
    const Result<ModelInfo> info = model.open();
    if (!info) return fails("server", info.error());
    tell(Health::kGood, "server",
         fmt::format("{} ({}), model {}", public_url(url), info->backend, info->name));
    tell_row(info->name, registry);
    const bool roomy = info->context_tokens >= kComfortableContext;
    tell(roomy ? Health::kGood : Health::kWeak, "context",
         fmt::format("{} tokens: {}{}", info->context_tokens, info->context_source,
                     roomy ? "" : "; give the server a larger one"));
    tell(info->has_tools ? Health::kGood : Health::kWeak, "tools", info->tools_why);
    tell(Health::kGood, "grammar",
         info->can.json_schema ? "none; a JSON Schema is obeyed"
                               : "none: calls are checked after the reply");
    const std::optional<Reply> reply = second_reply(model);
    if (!reply) return false;
    const long long cached = reply->usage.cached_tokens;
    tell(Health::kGood, "cache",
         cached > 0 ? fmt::format("{} of {} tokens of a prompt were reused", cached,
                                  reply->usage.prompt_tokens)
                    : fmt::format("the server reports none for a prompt of {} tokens",
                                  reply->usage.prompt_tokens));
    return true;
  }

  bool examine_tokenizer(LlamaServer& server) {
    const ServerDetails& details = server.details();
    tell(details.tokenizer_mismatch ? Health::kWeak : Health::kGood, "tokenizer",
         details.tokenizer_why);
    const auto tokens = server.check_tokens();
    if (!tokens) return fails("tokens", tokens.error());
    if (!*tokens) return true;
    const bool same = !(*tokens)->mismatch;
    tell(same ? Health::kGood : Health::kWeak, "tokens",
         same ? fmt::format("the server has the same ids for the texts of all {} tokens",
                            (*tokens)->texts)
              : fmt::format("{}; reload the model on the server",
                            (*tokens)->mismatch->to_text(details.tokenizer)));
    return true;
  }

  // Requires that the second of two growing prompts comes from the cache, except its new end.
  bool measure_cache(LlamaServer& server) {
    const std::optional<Reply> reply = second_reply(server);
    if (!reply) return false;
    const long long got = reply->usage.cached_tokens;
    const long long expected = reply->expected_cached_tokens;
    tell(got >= expected ? Health::kGood : Health::kWeak, "cache",
         fmt::format("{} of {} tokens of the earlier prompt were reused{}", got, expected,
                     got >= expected ? "" : "; is another client using this slot?"));
    return true;
  }

  // Returns the reply to the second of two growing prompts. Reports a failure and returns nullopt.
  std::optional<Reply> second_reply(Model& model) {
    ChatRequest chat;
    chat.messages = {text_message(Role::kSystem, "You answer in one word."),
                     text_message(Role::kUser, "Say yes.")};
    GenerateRequest request{.chat = chat};
    request.max_tokens = 8;
    for (int call = 1;; ++call) {
      Result<Reply> reply = model.generate(request);
      if (!reply) {
        tell(Health::kBad, "generate", reply.error().message);
        return std::nullopt;
      }
      if (call == 2) return *std::move(reply);
      chat.messages.push_back(text_message(Role::kAssistant, reply->text));
      chat.messages.push_back(text_message(Role::kUser, "Once more."));
    }
  }

  CommandContext& context_;
  bool colour_ = false;
  Health worst_ = Health::kGood;
};

}  // namespace

CommandFunction add_doctor_command(CLI::App& command) {
  auto format = std::make_shared<std::string>();
  command.add_option("--format", *format, "The model's format: a name from `pedrocli format list`");
  return [format](CommandContext& context) {
    context.global.format = *format;
    return exit_code(Doctor(context).run(), context.cancel);
  };
}

}  // namespace pedro
