#include "chat/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/base64.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::string_view kMarkBegin = "[image ";
constexpr std::size_t kIdLength = 16;
constexpr std::size_t kMaxMarkBytes = 80;
constexpr std::uint64_t kMaxDescriptionBytes = 64u << 10;

std::string id_of(const Image& image) {
  return sha256(image.bytes).substr(0, kIdLength);
}

bool is_image_id(std::string_view text) {
  return text.size() == kIdLength && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Returns the type of a file that begins like this; "" if it is no picture.
std::string media_type_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return "image/gif";
  if (bytes.starts_with("RIFF"sv) && bytes.substr(0, 12).ends_with("WEBP"sv)) return "image/webp";
  return "";
}

}  // namespace

Result<Image> image_of(std::string bytes) {
  if (bytes.size() > Image::kMaxBytes) {
    return Error{ErrorKind::kUsage, fmt::format("the image has {} bytes, but the limit is {}",
                                                bytes.size(), Image::kMaxBytes)};
  }
  std::string type = media_type_of(bytes);
  if (type.empty()) {
    return Error{ErrorKind::kUsage, "not an image: expected a PNG, JPEG, GIF or WebP file"};
  }
  return Image{std::move(type), std::move(bytes)};
}

Result<Image> read_image(const FileSystem& files, const std::string& path) {
  Result<std::string> bytes = files.read(path, Image::kMaxBytes);
  if (!bytes) return usage_error(bytes.error().message);  // names the path
  Result<Image> image = image_of(*std::move(bytes));
  return image ? std::move(image) : image.error().at(path);
}

std::string image_mark(const Image& image) {
  return fmt::format("{}{}, {}, {} bytes]", kMarkBegin, id_of(image), image.media_type,
                     image.bytes.size());
}

std::vector<FoundMark> image_marks(std::string_view text) {
  std::vector<FoundMark> marks;
  for (std::size_t at = text.find(kMarkBegin); at != text.npos; at = text.find(kMarkBegin, at)) {
    const std::size_t begin = at;
    at += kMarkBegin.size();
    const std::string_view id = text.substr(at, kIdLength);
    const std::string_view rest = text.substr(at).substr(0, kMaxMarkBytes);
    const std::size_t close = rest.find(']');
    if (!is_image_id(id) || close == rest.npos || !rest.substr(kIdLength).starts_with(", image/")) {
      continue;
    }
    marks.push_back({std::string(id), begin, at + close + 1});
  }
  return marks;
}

ImageFolder::ImageFolder(FileSystem& files, std::string folder)
    : files_(&files), folder_(std::move(folder)) {
  const auto entries = files.list(folder_);
  if (!entries) return;
  for (const FolderEntry& entry : *entries) {
    if (is_image_id(entry.name)) ids_.push_back(entry.name);
  }
}

bool ImageFolder::has(std::string_view id) const {
  return std::find(ids_.begin(), ids_.end(), id) != ids_.end();
}

Result<std::string> ImageFolder::add(const Image& image) {
  const std::string id = id_of(image);
  if (has(id)) return image_mark(image);
  if (ids_.size() >= kMaxImages) {
    return usage_error(fmt::format("a job has at most {} images", kMaxImages));
  }
  PEDRO_RETURN_IF_ERROR(files_->make_folders(folder_, 0700));
  PEDRO_RETURN_IF_ERROR(files_->write_atomic(join_path(folder_, id), image.bytes, 0600));
  ids_.push_back(id);
  return image_mark(image);
}

Result<Image> ImageFolder::load(const std::string& id) const {
  PEDRO_TRY(std::string bytes, files_->read(join_path(folder_, id), Image::kMaxBytes));
  return image_of(std::move(bytes));
}

std::string ImageFolder::description(const std::string& id) const {
  const auto text = files_->read(join_path(folder_, id + ".txt"), kMaxDescriptionBytes);
  return text ? *text : "";
}

Status ImageFolder::describe(const std::string& id, std::string_view text) {
  return files_->write_atomic(join_path(folder_, id + ".txt"),
                              truncate_utf8(text, kMaxDescriptionBytes), 0600);
}

Status add_images(ChatRequest& chat, const ImageFolder& images) {
  for (ChatMessage& message : chat.messages) {
    if (message.role != Role::kUser && message.role != Role::kTool) continue;
    std::set<std::string> added;
    for (const FoundMark& mark : image_marks(text_of(message))) {
      if (!images.has(mark.id) || !added.insert(mark.id).second) continue;
      PEDRO_TRY(const Image image, images.load(mark.id));
      message.content.push_back({.kind = ContentChunk::Kind::kImage,
                                 .text = to_base64(image.bytes),
                                 .media_type = image.media_type});
    }
  }
  return {};
}

}  // namespace pedro
