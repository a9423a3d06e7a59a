// Tests `pedrocli serve` with a fake llama-server: a script that sleeps, and a test server on its
// port.
#include <signal.h>

#include "base/text.h"
#include "cli/program.h"
#include "support/loopback_server.h"
#include "tokenizer/gguf_builder.h"

namespace pedro {
namespace {

constexpr const char* kHelp =
    "--jinja\n--cache-ram N\n--kv-unified\n--slot-save-path PATH\n--spec-type none,ngram-mod\n";

// A world with a llama-server in PATH and two models in the cache.
struct ServeBench : Program {
  ServeBench() {
    install_server("echo loading >&2\nexec sleep 60\n");
    extra_environment["PATH"] = folder.at("bin") + ":" + std::getenv("PATH");
    const std::string small = model_of(4096, 1);
    folder.write("cache/pedrocli/models/small.gguf", small);
    folder.write("cache/pedrocli/models/words.gguf",
                 GgufBuilder().text("general.architecture", "x").bytes());
  }

  static std::string model_of(std::uint32_t window, std::uint32_t layers) {
    return GgufBuilder()
        .tensors(1)
        .text("general.architecture", "x")
        .text("tokenizer.chat_template", "{{ messages }}")
        .number("x.context_length", window)
        .number("x.block_count", layers)
        .number("x.embedding_length", 64)
        .number("x.attention.head_count", 1)
        .bytes();
  }

  void install_server(const std::string& script) {
    folder.write("bin/help", kHelp);
    folder.write("bin/llama-server", "#!/bin/sh\nif [ \"$1\" = --help ]; then\n  cat " +
                                         folder.at("bin/help") + "\n  exit\nfi\necho \"$@\" >" +
                                         folder.at("args") + "\n" + script);
    std::filesystem::permissions(folder.at("bin/llama-server"), std::filesystem::perms::owner_all);
  }

  std::string port() const { return std::to_string(server.port()); }

  // Plays the port of the script, once that has started.
  LoopbackServer server{[this](const LoopbackRequest& request) -> LoopbackReply {
    if (!std::filesystem::exists(folder.at("args"))) return {.after = AfterReply::kReset};
    if (request.target == "/health") return {.body = R"({"status":"ok"})"};
    if (request.target == "/props") {
      return {.body = R"({"default_generation_settings":{"n_ctx":4096}})"};
    }
    if (request.target != "/v1/models") return {.status = 404};
    return {.body = R"({"data":[{"id":"small","owned_by":"llamacpp","meta":{"size":77}}]})"};
  }};
};

// Starts `serve` and waits for its line on stdout. `then` runs while it serves.
std::string script_of(const std::string& flags, const std::string& then) {
  return "export PATH=\"$HOME/bin:$PATH\"\n\"$0\" serve " + flags +
         " >../out 2>../err & serve=$!\n"
         "for i in $(seq 200); do grep -q ^ready ../out && break; sleep 0.05; done\n" +
         then + "\nwait $serve; echo \"exit $?\"\n";
}

}  // namespace

TEST_CASE("serve: starts the server, is found by other commands, and is stopped") {
  ServeBench bench;
  const ProcessResult result = bench.shell(
      script_of("-port " + bench.port(),
                "\"$0\" serve -status\n\"$0\" serve small || echo \"second $?\"\n\"$0\" models\n"
                "\"$0\" serve -stop"));
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.out.find("ready: small at http://127.0.0.1:" + bench.port() +
                        ", window 4096 tokens\n") != std::string::npos);
  CHECK(result.out.find("second 2\n") != std::string::npos);
  CHECK(result.err.find("small is already served at http://127.0.0.1:" + bench.port() +
                        "; end it with `pedrocli serve -stop`") != std::string::npos);
  CHECK(result.err.find("(llamacpp): no address is set, and `pedrocli serve` started it") !=
        std::string::npos);
  CHECK(result.out.find("  bytes          77              the server\n") != std::string::npos);
  CHECK(result.out.find("ended: small at ") != std::string::npos);
  CHECK(result.out.ends_with("exit 143\n"));
  CHECK(bench.folder.read("out") == "ready: small at http://127.0.0.1:" + bench.port() +
                                        ", window 4096 tokens, 1 slot; Ctrl-C ends it\n");
  const std::string args = bench.folder.read("args");
  CAPTURE(args);
  CHECK(args.starts_with("-m " + bench.folder.at("cache/pedrocli/models/small.gguf") +
                         " -c 4096 -np 1 --cache-ram "));
  CHECK(args.ends_with(" --jinja --spec-type ngram-mod --slot-save-path " +
                       bench.folder.at("state/pedrocli/serve/slots") + " --host 127.0.0.1 --port " +
                       bench.port() + "\n"));
  CHECK(bench.folder.read("err").find("running: " + bench.folder.at("bin/llama-server") + " -m ") !=
        std::string::npos);
  const ProcessResult after = bench.run({"serve", "-status"});
  CHECK(after.exit_code == 4);
  CHECK(after.err.ends_with("start a server with `pedrocli serve small`\n"));
  CHECK(bench.run({"serve", "-stop"}).exit_code == 0);
}

TEST_CASE("serve: the server ends with its keeper, however that ends") {
  for (const char* signal : {"INT", "TERM", "KILL"}) {
    CAPTURE(signal);
    ServeBench bench;
    // A killed keeper leaves a zombie to the test, which reaps it later.
    const std::string ends = R"(
pid=$("$0" serve -status -json | sed 's/.*"pid":\([0-9]*\).*/\1/')
alive() { grep -q '^State:.[^ZX]' /proc/$pid/status 2>/dev/null; }
alive || echo none
kill -SIGNAL $serve
for i in $(seq 100); do alive || break; sleep 0.05; done
alive || echo gone
)";
    const ProcessResult result = bench.shell(
        "set -m\n" + script_of("small -port " + bench.port(), replace_all(ends, "SIGNAL", signal)));
    CAPTURE(result.err);
    CHECK(result.out.starts_with("gone\n"));
    CHECK(bench.run({"serve", "-status"}).exit_code == 4);
  }
}

TEST_CASE("serve: a server that dies early is shown with its last lines") {
  ServeBench bench;
  bench.install_server("echo first\necho 'no such tensor' >&2\nexit 3\n");
  const ProcessResult result = bench.run({"serve"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 4);
  CHECK(result.err.find("\n  no such tensor\n") != std::string::npos);
  CHECK(
      result.err.ends_with("pedrocli: the server ended with exit code 3 before it was ready; its "
                           "last lines are above\n"));
}

TEST_CASE("serve: refusals name the next command") {
  struct Row {
    const char* name;
    std::vector<std::string> args;
    int exit_code;
    const char* message;
  };
  ServeBench bench;
  bench.folder.write("project/huge.gguf", ServeBench::model_of(65'536, 9000));
  bench.folder.write("cache/pedrocli/models/other.gguf", ServeBench::model_of(4096, 1));
  for (const Row& row : {
           Row{"several models", {}, 2, "or one of the cache: other, small\n"},
           Row{"an unknown name",
               {"smal"},
               2,
               "smal: no such file, and no model of the cache (did you mean 'small'?); the cache "
               "has other, small\n"},
           Row{"a vocabulary",
               {"../cache/pedrocli/models/words.gguf"},
               2,
               "words.gguf: it has a vocabulary, but no weights\n"},
           Row{"a folder", {"."}, 2, ": is a folder\n"},
           Row{"two models", {"small", "-hf", "o/r"}, 2, "not both\n"},
           Row{"no repository",
               {"-hf", "r"},
               2,
               "-hf r: expected OWNER/REPO or OWNER/REPO:QUANT\n"},
           Row{"a port of the system", {"small", "-port", "80"}, 2, "expected 1024 to 65535\n"},
           Row{"a window above the training",
               {"small", "-context", "9000"},
               2,
               "-context 9000: the model was trained on 4096 tokens\n"},
           Row{"a cache that does not fit",
               {"huge.gguf", "-context", "65536", "-slots", "64"},
               4,
               "end other programs, or serve a smaller model\n"},
       }) {
    CAPTURE(row.name);
    std::vector<std::string> args = {"serve"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = bench.run(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.err.ends_with(row.message));
  }
}

TEST_CASE("serve: a command without a server ends with the command that fixes it") {
  ServeBench bench;
  bench.folder.write("project/a.txt", "a");
  bench.commit_project();
  bench.extra_environment["PATH"] = "/usr/bin:/bin";
  const std::string begin =
      "pedrocli: no model server answers on port 9931, 8080, 11434, 1234, 8000 "
      "of 127.0.0.1; name its address with -model-url, or ";
  const auto error_of = [&bench](const std::vector<std::string>& args) {
    const ProcessResult result = bench.run(args);
    CHECK(result.exit_code == 4);
    const std::size_t at = result.err.find("pedrocli: no model server");
    return at == std::string::npos ? result.err : result.err.substr(at);
  };
  if (error_of({"models"}).find("no model server") == std::string::npos) {
    MESSAGE("skipped: a model server runs on this machine");
    return;
  }
  CHECK(error_of({"models"}) ==
        begin +
            "install llama-server of llama.cpp, or get one for the source tree with "
            "`scripts/fetch-server`\n");
  bench.extra_environment["PATH"] = bench.folder.at("bin") + ":/usr/bin:/bin";
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"models"}, {"ask", "Why?"}, {"build", "-description", "x"}}) {
    CAPTURE(args.front());
    CHECK(error_of(args) == begin + "start a server with `pedrocli serve small`\n");
  }
  std::filesystem::remove_all(bench.folder.at("cache"));
  CHECK(error_of({"models"})
            .ends_with("download a model and start a server with `pedrocli serve -hf "
                       "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF:Q4_K_M`\n"));
}

}  // namespace pedro
