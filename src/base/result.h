#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace pedro {

/// Who has to act on an error; `cmd` maps each kind to its documented exit code.
enum class ErrorKind {
  kInternal,     ///< a broken invariant of ours, or the disk failed: exit 1
  kUsage,        ///< the command line, the issue or the repository is not usable: exit 2
  kConfig,       ///< a configuration, prompt or manifest file is wrong, or a server does not
                 ///< take what it says (address, key, model): exit 3
  kModel,        ///< the server or the model cannot be used: exit 4
  kLimit,        ///< a round, token, time or context limit was reached: exit 6
  kRefused,      ///< what a model asked for: tools make a ToolResult of it, nobody else sees it
  kInterrupted,  ///< a signal asked us to stop: exit 130 or 143
};

/// A conversation that does not fit a model's window, in tokens; 0: not known.
struct Overflow {
  long long tokens = 0;  ///< of the conversation
  long long window = 0;

  bool operator==(const Overflow&) const = default;
};

/// The user's or the world's fault, as one message that says what to do. Never the model's:
/// that is a ToolResult. A value; safe to copy and to keep.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
  /// Of a kLimit: it is the model's window that was reached, so that less would fit.
  std::optional<Overflow> overflow = {};

  /// The same error with `place` in front: "place: message".
  [[nodiscard]] Error at(std::string_view place) const {
    return Error{kind, std::string(place) + ": " + message, overflow};
  }
};

/// The command line, the issue, the repository or an input is not usable, and why.
inline Error usage_error(std::string message) {
  return Error{ErrorKind::kUsage, std::move(message)};
}

/// A configuration, prompt, manifest, grammar or vocabulary file is wrong, and how.
inline Error config_error(std::string message) {
  return Error{ErrorKind::kConfig, std::move(message)};
}

/// The same with the place in the file: "place: message".
inline Error config_error(std::string_view place, std::string_view message) {
  return config_error(std::string(message)).at(place);
}

/// What a model asked for is not done, and why.
inline Error refusal(std::string message) {
  return Error{ErrorKind::kRefused, std::move(message)};
}

/// A T or an Error. Reading the value of a failed Result is a bug of the caller (asserts).
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& { return *checked(); }
  T& value() & { return *checked(); }
  T&& value() && { return std::move(*checked()); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*checked()); }
  const T* operator->() const { return checked(); }
  T* operator->() { return checked(); }

  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  const T* checked() const {
    assert(ok());
    return std::get_if<0>(&state_);
  }
  T* checked() {
    assert(ok());
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    assert(error_);
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace pedro
