#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace pedro {

/// The party that must act on an error. `cmd` maps each kind to its documented exit code.
enum class ErrorKind {
  kInternal,  ///< a broken invariant or a disk failure: exit 1
  kUsage,     ///< the command line, the issue or the repository is unusable: exit 2
  kConfig,    ///< an invalid configuration, prompt or manifest file, or a server that rejects its
              ///< settings (address, key, model): exit 3
  kModel,     ///< the server or the model is unusable: exit 4
  kLimit,     ///< a round, token, time or context limit was reached: exit 6
  kRefused,   ///< a rejected request of the model; tools convert it to a ToolResult
  kInterrupted,  ///< a signal stopped the program: exit 130 or 143
};

/// A conversation that exceeds the model's context window, in tokens; 0: unknown.
struct Overflow {
  long long tokens = 0;  ///< of the conversation
  long long window = 0;

  bool operator==(const Overflow&) const = default;
};

/// A failure caused by the user or the environment, as one message with advice. Failures of the
/// model are ToolResults instead. A value type.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
  /// The sizes, if a kLimit error is about the context window.
  std::optional<Overflow> overflow = {};

  /// The same error with a prefix: "place: message".
  [[nodiscard]] Error at(std::string_view place) const {
    return Error{kind, std::string(place) + ": " + message, overflow};
  }
};

/// An error about an unusable command line, issue, repository or input.
inline Error usage_error(std::string message) {
  return Error{ErrorKind::kUsage, std::move(message)};
}

/// An error about an invalid configuration, prompt, manifest, grammar or vocabulary file.
inline Error config_error(std::string message) {
  return Error{ErrorKind::kConfig, std::move(message)};
}

/// An error with its position in the file: "place: message".
inline Error config_error(std::string_view place, std::string_view message) {
  return config_error(std::string(message)).at(place);
}

/// A rejected request of a model.
inline Error refusal(std::string message) {
  return Error{ErrorKind::kRefused, std::move(message)};
}

/// A T or an Error. Precondition of value access: ok() (asserts).
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

/// Success or an Error.
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

#define PEDRO_JOINED_(a, b) a##b
#define PEDRO_JOINED(a, b) PEDRO_JOINED_(a, b)

/// Evaluates an expression of type Result<T>. Returns its error from the function, or declares a
/// variable with its value. A declaration whose type has a comma needs `auto`.
///
///     PEDRO_TRY(const std::string text, files.read(path));
#define PEDRO_TRY(declaration, ...) \
  PEDRO_TRY_AS(PEDRO_JOINED(pedro_result_, __LINE__), declaration, __VA_ARGS__)
#define PEDRO_TRY_AS(result, declaration, ...) \
  auto result = (__VA_ARGS__);                 \
  if (!result.ok()) return result.error();     \
  declaration = *std::move(result)

/// Returns the error of a Status or a Result from the function; else continues.
#define PEDRO_RETURN_IF_ERROR(...) \
  if (const auto pedro_status = (__VA_ARGS__); !pedro_status.ok()) return pedro_status.error()
