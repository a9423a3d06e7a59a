#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// What a FaultProxy does to requests and answers, as data:
///
///     {"rules": [
///       {"path": "/completion", "has": "phase_complete", "skip": 2, "times": 1,
///        "answer": {"status": 429, "headers": ["Retry-After: 1"], "body": {}}},
///       {"path": "/completion", "with": {"grammar": null}},
///       {"path": "/completion", "cut": 100, "then": "reset"}]}
///
/// A request goes to the first rule that wants it, and to the server as it is where none does. A
/// rule wants what has its path and text, once `skip` of those that came to it are left to the
/// rules below, until it has had `times`, or until `for_s` have passed since its first.
struct FaultRule {
  /// What comes behind the (cut) answer.
  enum class Then {
    kEnd,     ///< its end: all is well, but for what is missing
    kClose,   ///< the end of the connection, before the length that was announced
    kReset,   ///< the connection breaks
    kStall,   ///< silence
    kRepeat,  ///< the same once more, without end
    kDown,    ///< no answer at all: the server dies, and nobody listens for `down_s`
  };
  /// An answer that is not the server's.
  struct Answer {
    int status = 200;
    std::vector<std::string> headers;
    std::string body;  ///< in a script also an object: it is sent as JSON
    std::string fill;  ///< follows the body `fill_times` times, `tail` behind it
    std::size_t fill_times = 0;
    std::string tail;
  };

  std::string path;  ///< without the query; "": any
  std::string has;   ///< in the body of the request
  long long skip = 0;
  std::optional<long long> times;
  std::optional<double> for_s;
  Json with;  ///< an object: members that the request's JSON gets; null takes one away
  std::optional<Answer> answer;
  std::string behind;   ///< where `put` goes in the answer's body: behind the first of these texts
  std::string put_hex;  ///< bytes, so that they may be no UTF-8
  std::optional<std::size_t> cut;  ///< bytes of the answer's body that are kept
  Then then = Then::kEnd;
  double down_s = 0;
};

/// Error (kConfig): what is no such script, with the place; a key that is not known is one.
Result<std::vector<FaultRule>> read_fault_script(std::string_view json);

}  // namespace pedro
