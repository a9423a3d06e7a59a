#include "llm/serve_plan.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::uint64_t kGiB = 1ULL << 30U;

const ServerFlags& new_server() {
  static const ServerFlags kFlags(
      "-ctk,  --cache-type-k TYPE   type\n-ctv,  --cache-type-v TYPE   type\n"
      "--spec-type none,draft-mtp,ngram-mod,ngram-cache\n   list of types\n"
      "-cram, --cache-ram N   size\n-kvu,  --kv-unified, -no-kvu   shared\n"
      "--kv-unified-per-slot N   limit\n--slot-save-path PATH   folder\n"
      "--jinja, --no-jinja   templates\n-fit,  --fit [on|off]   memory\n");
  return kFlags;
}

// 1.1 GB of weights, 28 KiB of cache for each token: Qwen2.5 1.5B.
ModelFile small_model() {
  return {.path = "/m/qwen.gguf",
          .name = "qwen",
          .bytes = 1'117'320'768,
          .trained_tokens = 32'768,
          .has_template = true,
          .cache_bytes_per_token = 28'672};
}

ServeWishes on_socket() {
  return {.socket = "/s/model.sock"};
}

std::string flags_of(const Result<ServePlan>& plan) {
  return plan ? as_shell_line(plan->flags) : plan.error().message;
}

}  // namespace

TEST_CASE("serve plan: flags for model, machine and server") {
  ServeWishes port = {.port = 9931, .slot_folder = "/s/slots", .key_file = "/s/key"};
  ModelFile large = small_model();
  large.trained_tokens = 131'072;
  struct Row {
    const char* name;
    ModelFile model;
    Machine machine;
    std::uint64_t device_bytes;
    ServeWishes wishes;
    const char* flags;
  };
  for (const Row& row : {
           Row{"two cores: one slot with the window of the training",
               small_model(),
               {2, 16 * kGiB},
               0,
               on_socket(),
               "-m /m/qwen.gguf -c 32768 -np 1 --cache-ram 4096 -t 2 --jinja --spec-type "
               "ngram-mod --host /s/model.sock"},
           Row{"eight cores: a second slot shares the cache",
               small_model(),
               {8, 16 * kGiB},
               0,
               port,
               "-m /m/qwen.gguf -c 32768 -np 2 --kv-unified --cache-ram 4096 -t 8 --jinja "
               "--spec-type ngram-mod --slot-save-path /s/slots --host 127.0.0.1 --port 9931"},
           Row{"a large window is limited",
               large,
               {2, 16 * kGiB},
               0,
               on_socket(),
               "-m /m/qwen.gguf -c 65536 -np 1 --cache-ram 4096 -t 2 --jinja --spec-type "
               "ngram-mod --host /s/model.sock"},
           Row{"slots that are asked for have a window each",
               small_model(),
               {8, 16 * kGiB},
               0,
               {.slots = 3, .socket = "/s/model.sock"},
               "-m /m/qwen.gguf -c 98304 -np 3 --kv-unified --kv-unified-per-slot 32768 "
               "--cache-ram 4096 -t 8 --jinja --spec-type ngram-mod --host /s/model.sock"},
           Row{"a window that is asked for",
               small_model(),
               {2, 16 * kGiB},
               0,
               {.context_tokens = 8192, .socket = "/s/model.sock"},
               "-m /m/qwen.gguf -c 8192 -np 1 --cache-ram 4096 -t 2 --jinja --spec-type ngram-mod "
               "--host /s/model.sock"},
           Row{"little memory: a smaller window, before a smaller cache",
               small_model(),
               {2, 2300ULL << 20U},
               0,
               on_socket(),
               "-m /m/qwen.gguf -c 16384 -np 1 --cache-ram 22 -t 2 --jinja --spec-type ngram-mod "
               "--host /s/model.sock"},
           Row{"less memory: a small cache keeps the window comfortable",
               small_model(),
               {2, 2200ULL << 20U},
               0,
               on_socket(),
               "-m /m/qwen.gguf -c 24576 -np 1 --cache-type-k q8_0 --cache-type-v q8_0 --cache-ram "
               "22 -t 2 --jinja --spec-type ngram-mod --host /s/model.sock"},
           Row{"a graphics device: its memory counts, and the server chooses the threads",
               small_model(),
               {2, 1 * kGiB},
               24 * kGiB,
               on_socket(),
               "-m /m/qwen.gguf -c 32768 -np 2 --kv-unified --cache-ram 4096 --jinja --spec-type "
               "ngram-mod --host /s/model.sock"},
       }) {
    CAPTURE(row.name);
    CHECK(flags_of(plan_server(row.model, row.machine, row.device_bytes, new_server(),
                               row.wishes)) == row.flags);
  }
}

TEST_CASE("serve plan: an old server gets no flag that it does not know") {
  const ServerFlags old("--spec-type none,ngram-simple\n--ctx-size N --jinja-file F\n");
  const ServeWishes wishes = {.slots = 2, .socket = "/s/model.sock", .slot_folder = "/s"};
  CHECK(flags_of(plan_server(small_model(), {4, 16 * kGiB}, 0, old, wishes)) ==
        "-m /m/qwen.gguf -c 65536 -np 2 -t 4 --host /s/model.sock");
}

TEST_CASE("serve plan: a model that does not fit is refused with figures") {
  const auto plan = plan_server(small_model(), {2, 1700ULL << 20U}, 0, new_server(), on_socket());
  REQUIRE_FALSE(plan.ok());
  CHECK(plan.error().kind == ErrorKind::kModel);
  CHECK(plan.error().message ==
        "/m/qwen.gguf: it needs 1.6 GiB: 1.0 GiB of weights, 0.1 GiB of cache for 4096 tokens and "
        "0.5 GiB of buffers; 1.5 GiB can be used; end other programs, or serve a smaller model");
  ServeWishes wishes = on_socket();
  wishes.context_tokens = 40'000;
  const auto wide = plan_server(small_model(), {2, 16 * kGiB}, 0, new_server(), wishes);
  CHECK(wide.error().message == "-context 40000: the model was trained on 32768 tokens");
  CHECK(wide.error().kind == ErrorKind::kUsage);
}

TEST_CASE("serve plan: without known memory, the largest window is tried") {
  const auto plan = plan_server(small_model(), {1, 0}, 0, new_server(), on_socket());
  REQUIRE(plan.ok());
  CHECK(plan->context_tokens == 32'768);
  CHECK(plan->url == "unix:/s/model.sock");
}

TEST_CASE("serve plan: for a download the server chooses the window") {
  const Machine machine{2, 16 * kGiB};
  CHECK(flags_of(plan_download("o/r:Q4_K_M", machine, 0, new_server(), on_socket())) ==
        "-hf o/r:Q4_K_M -np 1 -t 2 --jinja --spec-type ngram-mod --host /s/model.sock");
  CHECK(flags_of(plan_download("o/r", machine, 0, ServerFlags(""), on_socket())) ==
        "-hf o/r -c 16384 -np 1 -t 2 --host /s/model.sock");
  for (const char* name : {"r", "/r", "o/", "-m/x", ""}) {
    CAPTURE(name);
    CHECK(flags_of(plan_download(name, machine, 0, new_server(), on_socket())) ==
          "-hf " + std::string(name) + ": expected OWNER/REPO or OWNER/REPO:QUANT");
  }
}

TEST_CASE("server flags: whole words only, and the values of one flag") {
  CHECK(new_server().has("--kv-unified"));
  CHECK(new_server().has("-kvu"));
  CHECK_FALSE(new_server().has("--cache-type"));
  CHECK_FALSE(new_server().has("--kv"));
  CHECK(new_server().offers("--spec-type", "ngram-mod"));
  CHECK_FALSE(new_server().offers("--spec-type", "ngram"));
  CHECK_FALSE(new_server().offers("--spec-type", "folder"));
  CHECK_FALSE(new_server().offers("--none", "ngram-mod"));
}

TEST_CASE("server flags: the free memory of devices") {
  CHECK(free_bytes_of_devices("Available devices:\n"
                              "  CUDA0: NVIDIA RTX, 24 GB (24217 MiB, 23600 MiB free)\n"
                              "  Vulkan1: X (100 MiB, 50 MiB free)\n") == 23650ULL << 20U);
  CHECK(free_bytes_of_devices("Available devices:\n  (none)\n") == 0);
  CHECK(free_bytes_of_devices(" MiB free)\n, x MiB free)\n, -5 MiB free)\n") == 0);
}

}  // namespace pedro
