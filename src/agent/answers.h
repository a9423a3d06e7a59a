#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/answer_log.h"
#include "llm/model.h"
#include "tools/checks.h"
#include "tools/note_store.h"

namespace pedro {

// Answers as a job's log has them (job/answer_log.h), and back. What is missing in a line that was
// written by this version is a default.

/// With its calls and its tokens.
Json to_json(const Reply& reply);
Reply reply_from(const Json& json);

/// With what it set aside.
Json to_json(const ToolResult& result, const std::vector<NoteStore::Kept>& kept);
ToolResult tool_result_from(const Json& json);
std::vector<NoteStore::Kept> kept_from(const Json& json);

Json to_json(const CheckOutcome& outcome);
CheckOutcome check_outcome_from(const Json& json);

/// Returns the refusal of an earlier run of the job from its log, or asks for it and logs it.
Result<std::optional<std::string>> logged_refusal(
    AnswerLog& log, Question question,
    const std::function<Result<std::optional<std::string>>()>& ask);

/// A text of any bytes: itself, or where it is no UTF-8 the values of its bytes.
Json bytes_json(const std::string& bytes);
std::string bytes_from(const Json& json);

}  // namespace pedro
