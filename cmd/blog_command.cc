#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "agent/build_report.h"
#include "agent_flags.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "blog/blog_run.h"
#include "command.h"
#include "find_server.h"
#include "llm/json_client.h"
#include "markdown/markdown.h"
#include "model_factory.h"
#include "read_job.h"
#include "sys/terminal.h"
#include "sys/url.h"
#include "task_reader.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNotes = "notes";  // key in the job's stored inputs
constexpr std::uint64_t kMaxNotesBytes = 4u << 20;
constexpr std::size_t kMaxWorkingTitleBytes = 100;
constexpr double kPublishTimeout_s = 600;

struct BlogOptions : ReadOptions {
  std::string title;
  std::string prompt;
  std::string content;
  std::string input;
  std::vector<std::string> research;
  std::string style;
  std::string out;
  int words = 900;
  std::string lang = "en";
  std::string publish;
  bool list = false;
};

bool has_notes(const BlogOptions& options) {
  return !options.content.empty() || !options.file.empty() || !options.input.empty();
}

// Reads the notes for the post.
Result<std::string> read_notes(const CommandContext& context, const BlogOptions& options) {
  const int given = static_cast<int>(!options.content.empty()) +
                    static_cast<int>(!options.file.empty()) +
                    static_cast<int>(!options.input.empty());
  if (given > 1) return usage_error("-content, -file and -: one text at a time");
  if (!options.input.empty() && options.input != "-") {
    return usage_error(
        fmt::format("unexpected '{}': give -content TEXT, -file F or -", options.input));
  }
  if (!options.content.empty()) return options.content;
  if (!has_notes(options)) return std::string();
  PEDRO_TRY(TextInput text,
            read_input(context, options.input.empty() ? options.file : "-", kMaxNotesBytes));
  return std::move(text.text);
}

// Returns the author's text without secrets. A resumed job returns its stored text: files may have
// changed, and piped input is no longer available.
Result<std::string> find_notes(const CommandContext& context, const BlogOptions& options,
                               const Secrets& secrets) {
  const std::string job = job_with_task(context, options, has_notes(options));
  if (!job.empty()) {
    PEDRO_TRY(const Json kept, kept_by_job(context, job));
    return text_of(kept, kNotes);
  }
  Result<std::string> notes = read_notes(context, options);
  if (!notes) return notes;
  if (!is_valid_utf8(*notes)) return usage_error("the text is not UTF-8");
  return secrets.hide(make_printable(*notes));
}

// Returns the first line with text, without '#'.
std::string first_line(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    std::string_view bare = trim(line);
    while (bare.starts_with('#')) bare = trim(bare.substr(1));
    if (!bare.empty()) return std::string(truncate_utf8(bare, kMaxWorkingTitleBytes));
  }
  return "";
}

// Returns a hash of all inputs of a post; -resume requires the same.
std::uint64_t identity_of(const Material& material, const BlogOptions& options) {
  std::uint64_t hash = hash_bytes(fmt::format("{} {}", options.words, options.lang), kHashSeed);
  for (const Source& source : material.sources()) {
    hash = hash_bytes(source.text, hash_bytes(source.name, hash));
  }
  return hash;
}

// Returns the cache file for the style guide of earlier posts; "" for none.
std::string style_path(const CommandContext& context, const std::string& posts) {
  const std::string cache = context.environment.cache_folder();
  if (cache.empty() || posts.empty()) return "";
  return join_path(cache, fmt::format("style/{}.md", to_hex(hash_bytes(posts, kHashSeed))));
}

Result<int> list_models(CommandContext& context, const ReadSetup& setup,
                        ServerConnections& connections) {
  GenerateEvents events;
  LoadedConfig config = setup.config;
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kAll));
  PEDRO_TRY(const ServerOptions server, client_options(context, config, setup.trace, events));
  std::string url = server.url;
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with("/v1")) url.resize(url.size() - 3);
  HttpRequest request{.url = url_of_route(url, "/v1/models")};
  if (!server.api_key.empty()) request.headers = {"Authorization: Bearer " + server.api_key};
  request.timeout_s = 30;
  PEDRO_TRY(const HttpResponse answer, connections.http.send(request, {}, context.cancel));
  if (answer.status != 200) {
    return Error{ErrorKind::kModel,
                 fmt::format("{}: HTTP {}", public_url(request.url), answer.status)};
  }
  const Result<Json> json = parse_json(answer.body);
  if (!json) return Error{ErrorKind::kModel, public_url(request.url) + ": " + json.error().message};
  for (const Json& model : member(*json, "data")) {
    const std::string id = text_of(model, "id");
    print(context.global.json ? to_line({{"id", id}}) + "\n" : make_printable(id) + "\n");
  }
  return kExitDone;
}

Status run_publish(CommandContext& context, const std::string& command, const std::string& root,
                   const std::string& post) {
  Command publish{.argv = {"/bin/sh", "-c", command + " \"$1\"", "sh", post}, .folder = root};
  publish.timeout_s = kPublishTimeout_s;
  PEDRO_TRY(const ProcessResult result, context.processes.run(publish, context.cancel));
  print_note(context.global, trim(result.out + result.err));
  if (result.ok()) return {};
  return usage_error(
      fmt::format("exit {}: {}", result.exit_code, trim(tail_utf8(result.err, 500))));
}

// Returns the absolute path of the post's folder: commands run in other folders. Checks before the
// model works that the folder exists or can be created.
Result<std::string> out_folder(const CommandContext& context, const BlogOptions& options,
                               const ReadSetup& setup, const std::string& title) {
  std::string folder = join_path(setup.tree.root(), "blog/" + post_slug(title));
  if (!options.out.empty()) {
    PEDRO_TRY(const std::string here, context.files.canonical("."));
    folder = options.out.starts_with('/') ? options.out : join_path(here, options.out);
  }
  std::string above = folder;
  while (context.files.info(above).kind == FileKind::kMissing && above.size() > 1) {
    above = folder_name(above);
  }
  if (context.files.info(above).kind != FileKind::kFolder) {
    return usage_error(fmt::format("-out {}: {} is not a folder", folder, above));
  }
  if (!context.files.can_write(above)) {
    return usage_error(fmt::format("-out {}: {} is not writable", folder, above));
  }
  return folder;
}

// Requires that the output files do not exist, unless the job is resumed.
Status require_no_post(const CommandContext& context, const BlogOptions& options,
                       const std::string& folder) {
  if (!options.resume.empty() || !context.global.resume.empty()) return {};
  for (const char* name : {"post.md", "post.html", "social.json", "outline.md"}) {
    if (context.files.link_info(join_path(folder, name)).kind == FileKind::kMissing) continue;
    return usage_error(
        fmt::format("{}: {} already exists; give another folder with -out", folder, name));
  }
  return {};
}

// Returns the link from a post in `folder` to a file of the project; "" for other files.
std::string link_to(const FileSystem& files, const std::string& name, const std::string& root,
                    const std::string& folder) {
  const Result<std::string> path = files.canonical(name);
  if (!path || *path == root || !is_below(*path, root)) return "";
  return fs::path(*path).lexically_relative(fs::path(folder).lexically_normal()).string();
}

// Returns true for a tag in BCP 47 form: letters and digits between hyphens. The first part is a
// language of two to eight letters.
bool is_language_tag(std::string_view tag) {
  bool first = true;
  for (const std::string_view part : split(tag, '-')) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool good = std::all_of(part.begin(), part.end(),
                                  [&](char c) { return letter(c) || (!first && is_digit(c)); });
    if (!good || part.size() < (first ? 2u : 1u) || part.size() > 8) return false;
    first = false;
  }
  return true;
}

std::string blog_report(const BlogPlace& place, const WorkflowResult& end,
                        const std::vector<std::string>& problems) {
  std::string text = fmt::format("# {}\n\n", place.post().title);
  if (end.end == WorkflowResult::End::kLimit) {
    text += fmt::format("Stopped at a limit: {}.\n", end.reason);
  } else {
    text += fmt::format("- post: {}\n- sections: {}\n- sources: {}\n", place.post_path(),
                        place.post().sections.size(), place.post().cited.size());
  }
  for (const std::string& problem : problems) text += fmt::format("- problem: {}\n", problem);
  return make_printable(text);
}

Json result_of(const BlogPlace& place, const std::vector<std::string>& problems) {
  return {{"post", place.post_path()},
          {"words", read_markdown(body_of(place.post())).words},
          {"sections", place.post().sections.size()},
          {"problems", problems}};
}

Result<int> write_post(CommandContext& context, BlogOptions options, ReadSetup& setup,
                       ServerConnections& connections) {
  for (std::string* given : {&options.title, &options.prompt}) {
    *given = setup.secrets->hide(std::move(*given));
  }
  if (!is_language_tag(options.lang)) {
    return usage_error(fmt::format("-lang: expected a language tag such as en or pt-BR, got '{}'",
                                   make_printable(options.lang)));
  }
  PEDRO_TRY(const std::string notes, find_notes(context, options, *setup.secrets));
  if (trim(notes).empty() && options.prompt.empty() && options.title.empty()) {
    return usage_error(
        "nothing to write about: give -title T, -prompt P, -content TEXT, -file F or -");
  }
  std::string title = options.title.empty() ? first_line(options.prompt) : options.title;
  if (title.empty()) title = first_line(notes);
  PEDRO_TRY(const std::string folder_of_post, out_folder(context, options, setup, title));
  const std::string& folder = folder_of_post;
  PEDRO_RETURN_IF_ERROR(require_no_post(context, options, folder));
  Material material;
  for (const std::string& wish : {options.title, options.prompt}) {
    if (!wish.empty()) material.add_wish(wish);
  }
  if (!trim(notes).empty()) material.add({.name = "notes", .text = notes, .is_cited = false});
  Material research;
  for (const std::string& place : options.research) {
    Status added = add_material(context, place, *setup.secrets, connections.http, research);
    if (!added) return added.error().at("-research");
  }
  for (Source source : research.sources()) {
    source.text = setup.secrets->hide(std::move(source.text));
    source.link = link_to(context.files, source.name, setup.tree.root(), folder);
    material.add(std::move(source));
  }
  Material earlier;
  if (!options.style.empty()) {
    Status added = add_material(context, options.style, *setup.secrets, connections.http, earlier);
    if (!added) return added.error().at("-style");
  }
  BlogWishes wishes;
  for (const Source& post : earlier.sources()) {
    wishes.style += setup.secrets->hide(post.text) + "\n\n";
  }
  const std::string guide_path = style_path(context, wishes.style);
  if (!guide_path.empty()) {
    const Result<std::string> guide = context.files.read(guide_path, 64 * 1024);
    if (guide) wishes.style_guide = *guide;
  }
  wishes.title = options.title;
  wishes.notes = notes;
  wishes.words = options.words;
  wishes.language = options.lang;
  wishes.date = to_rfc3339(context.clock.now_ms()).substr(0, 10);
  std::string asked;
  if (!options.title.empty()) asked += "Title: " + options.title + "\n\n";
  asked += options.prompt;
  const WorkflowTask task{title, std::string(trim(asked)), to_hex(identity_of(material, options))};
  BlogPlace place(std::move(wishes), std::move(material), folder, context.files,
                  setup.kit.feedback);
  const auto conclude = [&](const WorkflowResult& end, const PhaseOutputs&,
                            const Executor& executor) -> Result<JobOutcome> {
    if (!guide_path.empty() && !place.style_guide().empty()) {  // a cache: failures are ignored
      (void)context.files.make_folders(std::string(folder_name(guide_path)), 0755);
      (void)context.files.write_atomic(guide_path, place.style_guide(), 0600);
    }
    const bool done = end.end == WorkflowResult::End::kDone;
    const std::vector<std::string> problems = done ? place.problems() : std::vector<std::string>();
    if (done) {
      PEDRO_RETURN_IF_ERROR(place.publish());
    }
    JobOutcome outcome{.outcome = !done              ? "limit"
                                  : problems.empty() ? "done"
                                                     : "not_verified",
                       .exit_code = !done              ? kExitLimit
                                    : problems.empty() ? kExitDone
                                                       : kExitNotVerified,
                       .report = blog_report(place, end, problems) + cost_lines(executor),
                       .result = done ? result_of(place, problems) : Json()};
    if (outcome.exit_code == kExitDone && !options.publish.empty()) {
      const std::string post = place.post_path();
      outcome.outside.push_back({"-publish",
                                 [&context, &options, &setup, post] {
                                   return run_publish(context, options.publish, setup.tree.root(),
                                                      post);
                                 },
                                 options.publish + " " + quoted_for_shell(post), true});
    }
    return outcome;
  };
  return run_read_job(context, setup, options, task, place, connections, conclude,
                      Json{{kNotes, notes}});
}

Result<int> run_blog(CommandContext& context, const BlogOptions& options) {
  PEDRO_TRY(ReadSetup setup, prepare_reading(context, options));
  PEDRO_TRY(ModelRegistry registry, registry_of(setup.config));
  ServerConnections connections(context, std::move(registry));
  return options.list ? list_models(context, setup, connections)
                      : write_post(context, options, setup, connections);
}

}  // namespace

Result<int> write_post_from(CommandContext& context, const ReadOptions& options,
                            std::string notes) {
  BlogOptions post;
  static_cast<ReadOptions&>(post) = options;
  post.agent = "blog";
  post.content = std::move(notes);
  return run_agent(context, post, [&] { return run_blog(context, post); });
}

CommandFunction add_blog_command(CLI::App& command) {
  auto options = std::make_shared<BlogOptions>();
  options->agent = "blog";
  command.add_option("--title", options->title, "The post's title (default: chosen by the model)");
  command.add_option("--prompt", options->prompt, "What to write");
  command.add_option("--content", options->content,
                     "Notes, thoughts or a transcript to write from");
  command.add_option("--file", options->file, "A file with such text, or -");
  command.add_option("input", options->input, "- reads such text from standard input");
  command
      .add_option("--research", options->research,
                  "A file, folder or http(s) address to write from; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--style", options->style, "Earlier posts to write like: a file or a folder");
  command.add_option("--out", options->out, "Folder of the post (default: blog/TITLE/)");
  command.add_option("--words", options->words, "About how long (default: 900)")
      ->check(CLI::Range(100, 20000));
  command.add_option("--lang", options->lang, "Language of the post (default: en)");
  command.add_option("--publish", options->publish,
                     "Run this command with the path of the complete post");
  command.add_flag("--list", options->list, "List the server's models");
  add_read_flags(command, *options);
  return [options](CommandContext& context) {
    return run_agent(context, *options, [&] { return run_blog(context, *options); });
  };
}

}  // namespace pedro
