#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "agent/build_report.h"
#include "agent/phase.h"
#include "agent/read_run.h"
#include "agent_flags.h"
#include "base/text.h"
#include "base/utf8.h"
#include "build_start.h"
#include "command.h"
#include "job/inbox.h"
#include "json_schema/schema_keywords.h"
#include "read_job.h"
#include "sys/terminal.h"
#include "take_up_job.h"
#include "task_reader.h"
#include "tools/gh_command.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

// A user's JSON Schema of the answer of `pedrocli ask`.
class AnswerSchema {
 public:
  // Reads the file (- is standard input). Errors: kUsage, kConfig or kLimit, with the place.
  static Result<AnswerSchema> read(const CommandContext& context, const std::string& path);

  // Makes the schema that of the phase's output.
  void use_for(Phase& phase) const;
  // Returns the value for the user from an output of that phase.
  const Json& value_of(const Json& output) const;
  const std::string& text() const { return text_; }

 private:
  bool wraps_ = false;  // outputs are objects: any other value is their member "answer"
  std::string text_;
  Json json_;
  Schema schema_;
};

constexpr std::uint64_t kMaxAnswerSchemaBytes = 1024 * 1024;
constexpr const char* kAnswer = "answer";

bool is_object_schema(const Json& schema) {
  return text_of(schema, "type") == "object";
}

Json wrapped(Json schema) {
  const std::string draft = text_of(schema, "$schema");
  Json outer = {{"type", "object"},
                {"properties", {{kAnswer, moved_schema(std::move(schema), "/properties/answer")}}},
                {"required", {kAnswer}},
                {"additionalProperties", false}};
  if (!draft.empty()) outer["$schema"] = draft;  // it decides how "$ref" is read
  return outer;
}

Result<AnswerSchema> AnswerSchema::read(const CommandContext& context, const std::string& path) {
  PEDRO_TRY(TextInput input, read_input(context, path, kMaxAnswerSchemaBytes));
  Result<Json> json = parse_json(input.text, {.max_bytes = kMaxAnswerSchemaBytes});
  if (!json) return config_error(input.name + ":" + json.error().message);
  AnswerSchema out;
  out.wraps_ = !is_object_schema(*json);
  out.json_ = out.wraps_ ? wrapped(*std::move(json)) : *std::move(json);
  Result<Schema> schema = parse_schema(out.json_);
  if (!schema) return schema.error().at(input.name);
  out.schema_ = *std::move(schema);
  out.text_ = std::move(input.text);
  return out;
}

void AnswerSchema::use_for(Phase& phase) const {
  phase.output_schema_json = json_;
  phase.output_schema = schema_;
}

const Json& AnswerSchema::value_of(const Json& output) const {
  return wraps_ ? member(output, kAnswer) : output;
}

Status check_label(const CommandContext& context, const ReadOptions& options) {
  if (!options.label) return {};
  if (options.issue.empty()) return usage_error("-label puts labels on an issue: give -issue N");
  if (context.processes.find("gh").empty())
    return usage_error("-label needs gh, which is not in PATH");
  return {};
}

// Quotes a field for gh, which reads a list in CSV: a comma would split a label.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return '"' + replace_all(text, "\"", "\"\"") + '"';
}

// Adds the labels to the issue. gh rejects labels that the repository does not have.
std::vector<OutsideStep> put_labels(CommandContext& context, const std::string& root, int issue,
                                    const Json& found) {
  std::vector<std::string> arguments = {"issue", "edit", std::to_string(issue)};
  for (const std::string& label : texts_of(member(found, "labels"))) {
    arguments.push_back("--add-label=" + csv_field(label));
  }
  if (arguments.size() == 3) return {};
  std::string command = "gh";
  for (const std::string& argument : arguments) command += " " + quoted_for_shell(argument);
  const auto put = [&context, root, arguments]() -> Status {
    const auto done = run_gh(root, arguments, context.processes, context.cancel);
    return done ? Status() : Status(done.error());
  };
  return {{"-label", put, command}};
}

// Prints the answer alone on stdout: text, or JSON that fits the schema. A job at a limit has none.
void print_answer(const CommandContext& context, const Secrets& secrets, const AnswerSchema& schema,
                  JobOutcome& outcome) {
  outcome.print_report = false;
  if (!outcome.result.is_null()) outcome.result = Json(schema.value_of(outcome.result));
  if (context.global.json) return;
  if (outcome.result.is_null()) {
    print_error(secrets.hide(outcome.report));
    return;
  }
  const std::string text = schema.text().empty()
                               ? std::string(trim(text_of(outcome.result, "answer")))
                               : to_line(outcome.result);
  print(make_printable(secrets.hide(text)) + "\n");
}

// Adds piped input to a question. With the backend "manual", the replies come from there.
void add_piped_input(const CommandContext& context, ReadOptions& options) {
  const bool is_free = options.file.empty() && options.schema != "-" &&
                       context.global.backend != "manual" && context.global.resume.empty() &&
                       !context.global.live;
  if (is_free && !is_terminal(StandardStream::kIn)) options.file = "-";
}

bool names_task(const ReadOptions& options) {
  return !options.issue.empty() || !options.description.empty() || !options.file.empty() ||
         !options.logs.empty();
}

// Returns the task. A resumed job returns its stored task: issues and logs may have changed, and
// piped input is no longer available.
Result<BuildTask> find_task(CommandContext& context, const ReadOptions& options,
                            const ReadSetup& setup, Http& http) {
  const std::string job = job_with_task(context, options, names_task(options));
  if (!job.empty()) {
    PEDRO_TRY(const Json kept, kept_by_job(context, job));
    return build_task_from(member(kept, "task"));
  }
  Result<BuildTask> task =
      read_task(context, options, setup.tree.root(), setup.config.config.git.remote, http);
  if (!task) return task;
  task->title = setup.secrets->hide(std::move(task->title));
  task->text = setup.secrets->hide(std::move(task->text));
  return task;
}

Result<int> run_reading(CommandContext& context, ReadOptions options) {
  PEDRO_RETURN_IF_ERROR(check_label(context, options));
  PEDRO_TRY(ReadSetup setup, prepare_reading(context, options));
  if (options.agent == kAskAgent) add_piped_input(context, options);
  PEDRO_TRY(ModelRegistry registry, registry_of(setup.config));
  ServerConnections connections(context, std::move(registry));
  PEDRO_TRY(const BuildTask task, find_task(context, options, setup, connections.http));
  if (options.label && !task.at_github) {
    return usage_error(
        "-label: the issue was not read from GitHub, where its number may belong to another issue");
  }
  AnswerSchema schema;
  if (!options.schema.empty()) {
    PEDRO_TRY(schema, AnswerSchema::read(context, options.schema));
    schema.use_for(setup.kit.workflow.phases.back());
  }
  ReadPlace place(setup.tree, setup.checks, setup.kit.feedback, task.text,
                  setup.config.config.context.files_share);
  const auto conclude = [&](const WorkflowResult& result, const PhaseOutputs& outputs,
                            const Executor& executor) -> Result<JobOutcome> {
    const bool done = result.end == WorkflowResult::End::kDone;
    const Json& found = outputs.at(setup.kit.workflow.phases.back().name);
    JobOutcome outcome{.outcome = done ? "done" : "limit",
                       .exit_code = done ? kExitDone : kExitLimit,
                       .report = read_report(setup.kit.workflow, task.title, result, outputs) +
                                 cost_lines(executor),
                       .result = done ? found : Json(),
                       .reason = result.reason};
    if (options.agent == kAskAgent) print_answer(context, *setup.secrets, schema, outcome);
    if (done && options.label) {
      outcome.outside = put_labels(context, setup.tree.root(), task.issue_number, found);
    }
    return outcome;
  };
  return run_read_job(context, setup, options, {task.title, task.text, schema.text()}, place,
                      connections, conclude, Json{{"task", to_json(task)}});
}

// Adds piped input to a message of a conversation.
Result<std::string> message_with_input(CommandContext& context, const ReadOptions& options) {
  const bool is_free = context.global.backend != "manual" && !context.global.live;
  if (!is_free || is_terminal(StandardStream::kIn)) return options.description;
  PEDRO_TRY(const TextInput input, read_input(context, "-", Inbox::kMaxTextBytes));
  if (trim(input.text).empty()) return options.description;
  return options.description + "\n\n" + input.text;
}

Result<int> continue_conversation(CommandContext& context, const ReadOptions& options) {
  if (!options.images.empty()) return usage_error("-image begins a conversation: omit -after");
  PEDRO_TRY(const std::string message, message_with_input(context, options));
  return take_up_conversation(context, options.after, kAskAgent, message);
}

}  // namespace

int run_read_command(CommandContext& context, const ReadOptions& options) {
  if (!options.after.empty()) {
    return exit_code(continue_conversation(context, options), context.cancel);
  }
  return run_agent(context, options, [&] { return run_reading(context, options); });
}

CommandFunction add_ask_command(CLI::App& command) {
  auto options = std::make_shared<ReadOptions>();
  options->agent = "ask";
  command.add_option("question", options->description, "The question")->required();
  command.add_option("--file", options->file,
                     "A file that belongs to the question, or - (default: piped input)");
  command
      .add_option("--logs", options->logs,
                  "A related log: its last 24 KB are read; may be repeated")
      ->allow_extra_args(false);
  add_image_flag(command, *options);
  command.add_option("--schema", options->schema,
                     "Answer with JSON that fits the JSON Schema in this file");
  command.add_option("--after", options->after,
                     "Continue the conversation of this job, which is done");
  add_read_flags(command, *options);
  command.footer(
      "The answer is on stdout, everything else on stderr. Nothing in the project changes.\n"
      "The model reads files where the question needs it; files that the question names are\n"
      "in the first prompt, so that one round may be enough.\n"
      "With -after, the model still has the earlier questions, files and answers, and the server\n"
      "has them in its cache.");
  return [options](CommandContext& context) { return run_read_command(context, *options); };
}

CommandFunction add_triage_command(CLI::App& command) {
  auto options = std::make_shared<ReadOptions>();
  options->agent = "triage";
  options->logs_flag = "-error-logs";
  command.add_option("--description", options->description, "What was reported");
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--file", options->file, "A file with the report, or -");
  command
      .add_option("--error-logs", options->logs,
                  "A related log: its last 24 KB are read; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--label", options->label, "Put the labels on the issue, with gh");
  add_read_flags(command, *options);
  return [options](CommandContext& context) { return run_read_command(context, *options); };
}

}  // namespace pedro
