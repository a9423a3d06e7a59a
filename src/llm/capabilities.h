#pragma once

#include "base/json.h"

namespace pedro {

/// The observed capabilities of a server. They can differ from the reported ones: a server that
/// does not support a field of a request may ignore it and answer 200.
struct Capabilities {
  bool grammar = false;        ///< a reply obeyed a grammar
  bool json_schema = false;    ///< a reply obeyed a JSON Schema
  bool logit_bias = false;     ///< a bias produced an otherwise improbable token
  bool token_ids = false;      ///< accepts prompts of ids, and returns ids
  bool reports_cache = false;  ///< reports the number of cached prompt tokens
  bool shifts_cache = false;   ///< removing ids from a prompt costs nothing (kept_by_shift())

  /// Returns true if the server can constrain replies.
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

/// Reads capabilities. Missing members are false.
inline Capabilities capabilities_of(const Json& json) {
  return {.grammar = truth_of(json, "grammar"),
          .json_schema = truth_of(json, "json_schema"),
          .logit_bias = truth_of(json, "logit_bias"),
          .token_ids = truth_of(json, "token_ids"),
          .reports_cache = truth_of(json, "reports_cache"),
          .shifts_cache = truth_of(json, "shifts_cache")};
}

}  // namespace pedro
