#pragma once

#include <string>

#include "base/json.h"
#include "monitor/job_figures.h"

namespace pedro {

/// A journal of two phases, with a compaction before the third inference. Contains failed and
/// refused calls, a check, and event types and fields of later versions.
inline std::string small_journal() {
  return R"({"ts":"2026-11-21T10:00:00.000Z","type":"thread.started","thread_id":"20261121-100000-build-7f3a","agent":"build","task":"Mend <b>\"it\"</b>","workdir":"/w","model":"gpt-4.1-mini","backend":"openai","format":"openai","version":"1.2"}
{"ts":"2026-11-21T10:00:01.000Z","type":"phase.started","phase":"plan","number":1,"total":2}
{"ts":"2026-11-21T10:00:01.000Z","type":"context.appended","tokens":1000,"messages":[{"id":1,"role":"system","parts":[{"kind":"system","tokens":300,"bytes":900}]},{"id":2,"role":"user","parts":[{"kind":"task","tokens":100,"bytes":1},{"kind":"opening","tokens":200,"bytes":1}]}]}
{"ts":"2026-11-21T10:00:03.000Z","type":"turn.completed","phase":"plan","round":1,"usage":{"input_tokens":1000,"cached_input_tokens":0,"output_tokens":50},"timings":{"prompt_ms":1000.0,"generate_ms":500.0},"tokens":{"window":4096,"window_used":1050}}
{"ts":"2026-11-21T10:00:03.000Z","type":"item.completed","item":{"id":"c1","type":"tool_call","tool":"file","status":"completed","ok":true,"valid":true}}
{"ts":"2026-11-21T10:00:04.000Z","type":"context.appended","tokens":1700,"messages":[{"id":3,"role":"assistant","parts":[{"kind":"reply","tokens":50,"bytes":1}]},{"id":4,"role":"tool","parts":[{"kind":"result","tokens":600,"bytes":1}]}]}
{"ts":"2026-11-21T10:00:06.000Z","type":"turn.completed","phase":"plan","round":2,"usage":{"input_tokens":1700,"cached_input_tokens":900,"output_tokens":40},"timings":{"prompt_ms":800.0,"generate_ms":400.0},"cache":{"expected_tokens":1049,"cached_tokens":900,"missed_tokens":149},"tokens":{"window":4096,"window_used":1740}}
{"ts":"2026-11-21T10:00:06.000Z","type":"item.completed","item":{"id":"c2","type":"tool_call","tool":"file","status":"failed","ok":false,"valid":true}}
{"ts":"2026-11-21T10:00:07.000Z","type":"phase.completed","phase":"plan","end":"completed","output":{}}
{"ts":"2026-11-21T10:00:07.000Z","type":"phase.started","phase":"work","number":2,"total":2}
{"ts":"2026-11-21T10:00:07.500Z","type":"context.appended","tokens":2400,"messages":[{"id":5,"role":"assistant","parts":[{"kind":"reply","tokens":40,"bytes":1}]},{"id":6,"role":"user","parts":[{"kind":"result","tokens":500,"bytes":1},{"kind":"opening","tokens":160,"bytes":1}]}]}
{"ts":"2026-11-21T10:00:07.600Z","type":"context.compacted","before":2400,"after":1800,"limit":3000,"left":[{"first":3,"last":4,"what":"file read","why":"oldest","tokens":700,"score":1.0,"cleared":false}],"stayed":[{"first":1,"last":2,"tokens":1000,"why":"head"},{"first":7,"last":8,"tokens":120,"why":"error"},{"first":9,"last":9,"tokens":30,"why":"error"}],"estimated":true,"note":"digest","note_tokens":100,"kept_as":"out-1"}
{"ts":"2026-11-21T10:00:10.000Z","type":"turn.completed","phase":"work","round":1,"usage":{"input_tokens":1800,"cached_input_tokens":1000,"output_tokens":10},"timings":{"prompt_ms":900.0,"generate_ms":100.0},"tokens":{"window":4096,"window_used":1810},"more":true}
{"ts":"2026-11-21T10:00:10.000Z","type":"item.completed","item":{"id":"c3","type":"tool_call","tool":"git","status":"failed","ok":false,"valid":false}}
{"ts":"2026-11-21T10:00:11.000Z","type":"something.newer","phase":"x"}
{"ts":"2026-11-21T10:00:11.500Z","type":"item.completed","item":{"id":"i7","type":"error","message":"busy; trying again","retry":true}}
{"ts":"2026-11-21T10:00:12.000Z","type":"item.completed","item":{"id":"i8","type":"error","message":"something to know"}}
{"ts":"2026-11-21T10:00:12.500Z","type":"turn.failed","error":{"message":"gone","server":true}}
{"ts":"2026-11-21T10:00:12.500Z","type":"turn.failed","error":{"message":"interrupted"}}
{"ts":"2026-11-21T10:00:16.000Z","type":"item.completed","item":{"id":"i9","type":"command_execution","command":"make test","status":"failed","exit_code":2,"timed_out":false,"duration_s":5.0}}
{"ts":"2026-11-21T10:00:17.000Z","type":"phase.completed","phase":"work","end":"rounds","output":{}}
{"ts":"2026-11-21T10:00:20.000Z","type":"thread.completed","outcome":"not_verified","exit_code":5,"rounds":3}
)";
}

inline JobFigures figures_in(const std::string& journal) {
  FakeFileSystem files;
  files.files["/j"] = journal;
  const Result<JobFigures> figures = read_figures(files, "/j");
  REQUIRE(figures.ok());
  return *figures;
}

}  // namespace pedro
