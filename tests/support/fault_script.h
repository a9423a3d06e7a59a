#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// The effect of a FaultProxy on requests and answers, as data:
///
///     {"rules": [
///       {"path": "/completion", "has": "phase_complete", "skip": 2, "times": 1,
///        "answer": {"status": 429, "headers": ["Retry-After: 1"], "body": {}}},
///       {"path": "/completion", "with": {"grammar": null}},
///       {"path": "/completion", "cut": 100, "then": "reset"}]}
///
/// The first matching rule handles a request; without one the server gets it unchanged. A rule
/// matches requests with its path and text. It leaves the first `skip` of them to the rules below.
/// It ends after `times` requests, or `for_s` seconds after its first one.
struct FaultRule {
  /// The event after the (cut) answer.
  enum class Then {
    kEnd,     ///< a regular end, with only the cut part missing
    kClose,   ///< the connection ends before the announced length
    kReset,   ///< the connection is reset
    kStall,   ///< no more bytes
    kRepeat,  ///< the same bytes again, without end
    kDown,    ///< no answer: the server dies, and its port is closed for `down_s`
  };
  /// An answer that replaces the server's.
  struct Answer {
    int status = 200;
    std::vector<std::string> headers;
    std::string body;  ///< a script may give an object, sent as JSON
    std::string fill;  ///< follows the body `fill_times` times, then comes `tail`
    std::size_t fill_times = 0;
    std::string tail;
  };

  std::string path;  ///< without the query; "" matches any path
  std::string has;   ///< text in the body of the request
  long long skip = 0;
  std::optional<long long> times;
  std::optional<double> for_s;
  Json with;  ///< an object: members to set in the request's JSON; null removes one
  std::optional<Answer> answer;
  std::string behind;              ///< `put` follows the first occurrence of this text in the body
  std::string put_hex;             ///< the bytes to insert, in hexadecimal; may be invalid UTF-8
  std::optional<std::size_t> cut;  ///< the number of bytes kept of the answer's body
  Then then = Then::kEnd;
  double down_s = 0;
};

/// Errors: kConfig for an invalid script or an unknown key, with its location.
Result<std::vector<FaultRule>> read_fault_script(std::string_view json);

}  // namespace pedro
