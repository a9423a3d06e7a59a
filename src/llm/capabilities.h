#pragma once

#include "base/json.h"

namespace pedro {

/// What a server was seen to do, which is not always what it says: one that does not know a field
/// of a request may answer 200 and ignore it.
struct Capabilities {
  bool grammar = false;        ///< a reply obeyed a grammar
  bool json_schema = false;    ///< a reply obeyed a JSON Schema
  bool logit_bias = false;     ///< a bias made a token come that else does not
  bool token_ids = false;      ///< prompts may be ids, and replies come as ids
  bool reports_cache = false;  ///< it says how much of a prompt it had cached
  bool shifts_cache = false;   ///< what leaves a prompt costs nothing (kept_by_shift())

  /// A reply can be held to a form.
  bool supports_constraints() const { return grammar || json_schema; }
  bool operator==(const Capabilities&) const = default;
};

inline Json to_json(const Capabilities& can) {
  return {{"grammar", can.grammar},
          {"json_schema", can.json_schema},
          {"logit_bias", can.logit_bias},
          {"token_ids", can.token_ids},
          {"reports_cache", can.reports_cache},
          {"shifts_cache", can.shifts_cache}};
}

/// What is missing is false.
inline Capabilities capabilities_of(const Json& json) {
  return {.grammar = truth_of(json, "grammar"),
          .json_schema = truth_of(json, "json_schema"),
          .logit_bias = truth_of(json, "logit_bias"),
          .token_ids = truth_of(json, "token_ids"),
          .reports_cache = truth_of(json, "reports_cache"),
          .shifts_cache = truth_of(json, "shifts_cache")};
}

}  // namespace pedro
