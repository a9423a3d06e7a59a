#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "format/model_reply.h"
#include "format/reply_json.h"

namespace pedro {

/// What a server says instead of a reply, {"type": …, "message": …} or a mere text: `overloaded:
/// try again`. At most about 500 bytes, printable, never empty.
std::string read_server_error(ReplyJson& json);

/// A server's word for why a model stopped, printable and not too long.
std::string shown_stop_reason(std::string_view reason);

/// "20000000 bytes, more than the limit of 16777216"
Error too_long(std::size_t bytes, const ReplyLimits& limits);

/// A stream is at its end, after `events`, and none of them had `reason`, which ends a reply.
Error cut_error(std::size_t events, std::string_view reason);

}  // namespace pedro
