#include "server_keeper.h"

#include <fmt/format.h>

#include <csignal>

#include "base/utf8.h"
#include "serve_state.h"
#include "sys/http.h"
#include "sys/url.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

constexpr int kPoll_ms = 200;
constexpr double kHealthTimeout_s = 1;
constexpr long long kEndGrace_ms = 10'000;
constexpr std::size_t kLastLines = 12;
constexpr std::size_t kMaxServerLineBytes = 500;
constexpr std::size_t kMaxHealthBytes = 64u << 10;

}  // namespace

std::string health_of(const std::string& url, const CancelToken& cancel) {
  CurlHttp http;
  const HttpRequest request{.url = url_of_route(url, "/health"),
                            .connect_timeout_s = kHealthTimeout_s,
                            .timeout_s = kHealthTimeout_s,
                            .max_response_bytes = kMaxHealthBytes};
  const Result<HttpResponse> answer = http.send(request, {}, cancel);
  if (!answer) return "";
  return answer->status == 200 ? "ready" : "loading";
}

ServerKeeper::ServerKeeper(CommandContext& context, std::string model, ServePlan plan)
    : context_(context),
      model_(make_printable(model)),
      plan_(std::move(plan)),
      line_(context.global),
      began_ms_(context.clock.ticks_ms()) {}

Result<int> ServerKeeper::keep(const std::vector<std::string>& argv) {
  PEDRO_TRY(server_, ChildProgram::start(
                         argv, [this](StandardStream, std::string_view line) { hear(line); }));
  RunningServe record{plan_.url,
                      model_,
                      plan_.context_tokens,
                      plan_.slots,
                      to_rfc3339(context_.clock.now_ms()),
                      this_process(),
                      server_->identity(),
                      argv};
  Status written = write_served(context_, record);
  line_.show("loading " + model_);
  while (written && !server_->exit_code() && !context_.cancel.cancelled()) {
    if (!is_ready_) look();
    ChildProgram::wait({server_.get()}, kPoll_ms);
  }
  line_.clear();
  const bool is_told = context_.cancel.cancelled();
  end();
  forget_served(context_);
  if (!written) return written.error();
  if (!is_told) return died();
  print_note(context_.global, "pedrocli: the server has ended");
  return kExitSignal + context_.cancel.signal();
}

void ServerKeeper::hear(std::string_view line) {
  std::string shown = make_printable(truncate_utf8(line, kMaxServerLineBytes));
  if (context_.global.verbose) {
    line_.clear();
    print_error(shown);
  }
  last_lines_.push_back(std::move(shown));
  if (last_lines_.size() > kLastLines) last_lines_.pop_front();
}

void ServerKeeper::look() {
  is_ready_ = health_of(plan_.url, context_.cancel) == "ready";
  if (!is_ready_) {
    const long long waited_s = (context_.clock.ticks_ms() - began_ms_) / 1000;
    return line_.tick(fmt::format("loading {}: {} s", model_, waited_s));
  }
  line_.clear();
  tell_ready();
}

void ServerKeeper::tell_ready() const {
  const long long window = plan_.context_tokens;
  if (context_.global.json) {
    print(to_line({{"state", "ready"},
                   {"url", plan_.url},
                   {"model", model_},
                   {"context", window},
                   {"slots", plan_.slots},
                   {"pid", server_->identity().pid}}) +
          "\n");
  } else {
    print(fmt::format("ready: {} at {}, {}{}; Ctrl-C ends it\n", model_, plan_.url,
                      window > 0 ? fmt::format("window {} tokens, ", window) : "",
                      count_of(static_cast<std::size_t>(plan_.slots), "slot")));
  }
  (void)flush_output(kExitDone);
}

void ServerKeeper::end() {
  while (!server_->exit_code()) {
    server_->stop(context_.clock, kEndGrace_ms);
    ChildProgram::wait({server_.get()}, kPoll_ms);
  }
}

Error ServerKeeper::died() const {
  for (const std::string& line : last_lines_) print_error("  " + line);
  const int code = *server_->exit_code();
  const std::string how = code > kExitSignal
                              ? fmt::format("was ended by signal {}", code - kExitSignal)
                              : fmt::format("ended with exit code {}", code);
  return {ErrorKind::kModel,
          fmt::format("the server {}{}; {}", how, is_ready_ ? "" : " before it was ready",
                      last_lines_.empty() ? "it wrote nothing" : "its last lines are above")};
}

}  // namespace pedro
