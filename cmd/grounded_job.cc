#include "grounded_job.h"

#include "job/read_journal.h"

namespace pedro {
namespace {

GroundedJob::Call call_of(const Json& item) {
  GroundedJob::Call call;
  call.call = {text_of(item, "id"), text_of(item, "tool"), member(item, "args")};
  call.result.ok = truth_of(item, "ok");
  for (const Json& path : member(item, "changed")) {
    if (path.is_string()) call.result.changed.push_back(path.get<std::string>());
  }
  return call;
}

}  // namespace

Result<GroundedJob> read_grounded_job(const FileSystem& files, const std::string& path) {
  GroundedJob job;
  const auto read = read_journal(files, path, [&](const Json& event) {
    const std::string type = text_of(event, "type");
    const Json& item = member(event, "item");
    if (type == "thread.started") {
      job.agent = text_of(event, "agent");
      job.workdir = text_of(event, "workdir");
    } else if (type == "phase.started") {
      job.events.emplace_back(text_of(event, "phase"));
    } else if (type == "turn.started") {
      job.events.emplace_back(GroundedJob::Round{static_cast<int>(number_of(event, "round"))});
    } else if (type == "item.completed" && text_of(item, "type") == "tool_call") {
      job.events.emplace_back(call_of(item));
    }
  });
  if (!read) return read.error();
  return job;
}

}  // namespace pedro
