#include "batch_file.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "agent/phase.h"
#include "agent_setup.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_cursor.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxFileBytes = 64u << 20;
constexpr std::size_t kMaxLineBytes = 1u << 20;
constexpr std::size_t kMaxTasks = 10'000;
constexpr std::size_t kMaxProblems = 20;
constexpr std::size_t kMaxValueBytes = 100u << 10;  // Linux allows 128 KiB per argument
constexpr std::size_t kMaxTitleBytes = 60;

/// A command for a line. Requires at least one of the flags in `tasks`.
struct BatchAgent {
  const char* name;
  CommandFunction (*add)(CLI::App& command);
  std::vector<std::string> tasks;
  bool own_tree;  ///< the command supports -worktree
};

const std::vector<BatchAgent>& agents() {
  static const std::vector<BatchAgent> kAgents = {
      {"build", add_build_command, {"issue", "description", "file"}, true},
      {"debug", add_debug_command, {"issue", "symptoms", "file"}, true},
      {"triage", add_triage_command, {"issue", "description", "file"}, false},
      {"review", add_review_command, {}, false},
      {"blog", add_blog_command, {"title", "prompt", "content", "file"}, false},
      {"run", add_run_command, {"issue", "description", "file"}, true},  // agents in .pedro/agents
  };
  return kAgents;
}

const BatchAgent* find_agent(const std::string& name) {
  const auto found = std::find_if(agents().begin(), agents().end() - 1,
                                  [&](const BatchAgent& agent) { return agent.name == name; });
  return found == agents().end() - 1 ? nullptr : &*found;
}

/// The project's agents, and those that only read.
struct OwnAgents {
  std::vector<std::string> names;
  std::set<std::string> readers;
};

/// Returns the reason why a flag is invalid in a batch; "" if it is valid.
std::string_view not_for_batches(std::string_view key) {
  if (key == "worktree") return "batch jobs always have their own work trees";
  if (key == "resume") return "running the batch again resumes stopped jobs";
  if (key == "allow-dirty") return "batch jobs start from the committed files";
  if (key == "dry-run" || key == "list") return "it does no work";
  return "";
}

/// Converts one line to a task.
class LineReader {
 public:
  explicit LineReader(const OwnAgents& own_agents) : own_agents_(own_agents) {}

  Result<BatchTask> read(std::string_view text) {
    const Result<Json> line = parse_json(text, {.max_bytes = kMaxLineBytes});
    if (!line) return usage_error(line.error().message);
    if (!line->is_object()) return usage_error("expected an object, such as {\"issue\": 32}");
    PEDRO_RETURN_IF_ERROR(check_names(text));
    PEDRO_RETURN_IF_ERROR(choose_agent(*line));
    const CommandFunction declared = agent_->add(app_);  // owns the storage of the flags
    std::map<std::string, Json> sorted;
    for (const auto& [key, value] : line->items()) {
      if (key != "agent") sorted[key] = value;
    }
    for (const auto& [key, value] : sorted) {
      if (Status added = add(key, value); !added)
        return added.error().at(fmt::format("\"{}\"", key));
    }
    PEDRO_RETURN_IF_ERROR(check());
    return task();
  }

 private:
  // Rejects duplicate names: parse_json() keeps only the last value.
  static Status check_names(std::string_view text) {
    std::set<std::string, std::less<>> names;
    JsonCursor json(text);
    json.enter_object();
    while (const auto name = json.next_member()) {
      if (!names.emplace(*name).second) {
        return usage_error(fmt::format("\"{}\": is given twice", make_printable(*name)));
      }
      json.skip();
    }
    return {};
  }

  Status choose_agent(const Json& line) {
    const Json& name = member(line, "agent");
    if (!name.is_null() && !name.is_string()) return usage_error("\"agent\": expected a string");
    name_ = text_of(line, "agent", "build");
    agent_ = find_agent(name_);
    if (agent_ != nullptr) return {};
    std::vector<std::string> names = own_agents_.names;
    if (std::find(names.begin(), names.end(), name_) != names.end()) {
      agent_ = &agents().back();
      return {};
    }
    for (std::size_t i = 0; i + 1 < agents().size(); ++i) names.emplace_back(agents()[i].name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return usage_error(fmt::format("no agent '{}'{}; there are: {}", make_printable(name_),
                                   did_you_mean(name_, names), join(names, ", ")));
  }

  Status unknown(const std::string& key) const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        if (name != "help" && not_for_batches(name).empty()) names.push_back(name);
      }
    }
    return usage_error(fmt::format("{} has no such flag{}", name_, did_you_mean(key, names)));
  }

  Status add(const std::string& key, const Json& value) {
    if (key == "model-url") return set_server(value);
    const std::string_view why = not_for_batches(key);
    if (!why.empty()) return usage_error(std::string(why));
    const CLI::Option* option = app_.get_option_no_throw("--" + key);
    if (option == nullptr || key == "help" || option->get_lnames().empty()) return unknown(key);
    const bool takes_value = option->get_items_expected_max() > 0;
    if (!takes_value) {
      if (!value.is_boolean()) return usage_error("expected true or false");
      if (value.get<bool>()) flags_.push_back("--" + key);
      return {};
    }
    // An option that may be repeated accepts a list.
    const bool many = option->get_items_expected_max() > 1 ||
                      option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (!value.is_array()) return add_value(key, value);
    if (!many) return usage_error("expected one value");
    for (const Json& one : value) {
      PEDRO_RETURN_IF_ERROR(add_value(key, one));
    }
    return {};
  }

  Status set_server(const Json& value) {
    if (!value.is_string()) return usage_error("expected a string");
    server_ = value.get<std::string>();
    const Status good = check_url(server_);
    return good ? good : usage_error(good.error().message);
  }

  Status add_value(const std::string& key, const Json& value) {
    if (!value.is_string() && !value.is_number())
      return usage_error("expected a string or a number");
    const bool is_task =
        std::find(agent_->tasks.begin(), agent_->tasks.end(), key) != agent_->tasks.end();
    if (is_task && key != "issue" && !value.is_string()) return usage_error("expected a string");
    std::string text = value.is_string() ? value.get<std::string>() : to_line(value);
    if (trim(text).empty()) return usage_error("is empty");
    if (text == "-" && (key == "issue" || key == "file")) {
      return usage_error("a batch has no standard input");
    }
    if (text.find('\0') != std::string::npos) return usage_error("contains a NUL byte");
    if (text.size() > kMaxValueBytes) {
      return usage_error(
          fmt::format("longer than the {} KiB that a command line can hold; put it in a file, and "
                      "give \"file\"",
                      kMaxValueBytes >> 10));
    }
    if (title_.empty() && is_task) title_ = (key == "issue" ? "issue " : "") + text;
    flags_.push_back(fmt::format("--{}={}", key, text));
    return {};
  }

  /// Validates the flags with the command's own parser.
  Status check() {
    const auto given = [this](const std::string& key) {
      return std::any_of(flags_.begin(), flags_.end(), [&](const std::string& flag) {
        return flag.starts_with("--" + key + "=");
      });
    };
    const std::vector<std::string>& tasks = agent_->tasks;
    if (!tasks.empty() && std::none_of(tasks.begin(), tasks.end(), given)) {
      return usage_error(
          fmt::format("{} has no task: give \"{}\"", name_, join(tasks, "\" or \"")));
    }
    std::vector<std::string> reversed(flags_.rbegin(), flags_.rend());  // for CLI11
    if (is_run()) reversed.push_back(name_);
    try {
      app_.parse(reversed);
    } catch (const CLI::ParseError& error) {
      return usage_error(replace_all(error.what(), "--", "-"));
    }
    return {};
  }

  bool is_run() const { return agent_ == &agents().back(); }

  BatchTask task() const {
    BatchTask made;
    made.agent = name_;
    const auto lines = split_lines(trim(title_));
    made.title = lines.empty() ? "" : make_printable(truncate_utf8(lines[0], kMaxTitleBytes));
    made.arguments.emplace_back(agent_->name);
    if (is_run()) made.arguments.push_back(name_);
    made.arguments.insert(made.arguments.end(), flags_.begin(), flags_.end());
    const bool reads = is_run() && own_agents_.readers.contains(name_);
    if (agent_->own_tree && !reads) made.arguments.emplace_back("--worktree");
    std::uint64_t hash = kHashSeed;
    for (const std::string& argument : made.arguments) hash = hash_bytes(argument + '\0', hash);
    if (!server_.empty()) hash = hash_bytes("--model-url=" + server_ + '\0', hash);
    made.key = to_hex(hash);
    made.server = server_;
    return made;
  }

  const OwnAgents& own_agents_;
  CLI::App app_;
  const BatchAgent* agent_ = nullptr;
  std::string name_;
  std::string title_;
  std::string server_;
  std::vector<std::string> flags_;
};

// Counts an agent with invalid files as a writer: its own job reports the error.
Result<OwnAgents> read_own_agents(CommandContext& context) {
  PEDRO_TRY(const std::string root, find_project(context, ""));
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, root));
  OwnAgents own{agent_names(library), {}};
  const Result<Registry> registry = open_tools(context, root);
  if (!registry) return own;
  for (const std::string& name : own.names) {
    const Result<Workflow> workflow = load_workflow(library, *registry, name);
    if (workflow && !writes(*workflow)) own.readers.insert(name);
  }
  return own;
}

}  // namespace

Result<std::vector<BatchTask>> read_batch(CommandContext& context, const std::string& path) {
  const Result<std::string> text = context.files.read(path, kMaxFileBytes);
  if (!text) return usage_error(text.error().message);
  PEDRO_TRY(const OwnAgents own, read_own_agents(context));
  std::vector<BatchTask> tasks;
  std::vector<std::string> problems;
  std::map<std::string, int> seen;
  int number = 0;
  for (const std::string_view line : split_lines(*text)) {
    ++number;
    if (trim(line).empty()) continue;
    Result<BatchTask> task = LineReader(own).read(line);
    if (!task) {
      problems.push_back(fmt::format("{}:{}: {}", path, number, task.error().message));
      if (problems.size() == kMaxProblems) break;
      continue;
    }
    task->line = number;
    const int same = ++seen[task->key];
    if (same > 1) task->key += fmt::format("-{}", same);
    tasks.push_back(*std::move(task));
    if (tasks.size() > kMaxTasks) {
      return usage_error(fmt::format("{}: more than {} tasks", path, kMaxTasks));
    }
  }
  if (!problems.empty()) return usage_error(join(problems, "\n"));
  if (tasks.empty()) return usage_error(path + ": has no tasks");
  return tasks;
}

}  // namespace pedro
