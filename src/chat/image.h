#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/chat_request.h"
#include "sys/file_system.h"

namespace pedro {

/// A picture for a model with vision: PNG, JPEG, GIF or WebP.
struct Image {
  static constexpr std::size_t kMaxBytes = 5u << 20;  ///< the smallest limit of the message APIs

  std::string media_type;  ///< "image/png"
  std::string bytes;       ///< of the file, never decoded
};

/// Recognizes a picture by its first bytes. Errors: kUsage for another format or too many bytes.
Result<Image> image_of(std::string bytes);

/// Reads a picture from a file. Errors (kUsage): also a missing file.
Result<Image> read_image(const FileSystem& files, const std::string& path);

/// Returns the text that represents a picture in a message: "[image 0b5e…, image/png, 812 bytes]".
/// It depends only on the bytes.
std::string image_mark(const Image& image);

/// A mark found in a text.
struct FoundMark {
  std::string id;         ///< 16 hexadecimal digits
  std::size_t begin = 0;  ///< in bytes
  std::size_t end = 0;
};

/// Finds the marks of a text in order. They may name images that do not exist.
std::vector<FoundMark> image_marks(std::string_view text);

/// The images of one job: files in a folder, named by their ids. Descriptions are beside them. An
/// instance belongs to one thread. Errors of its functions are the disk's.
///
///     ImageFolder images(files, join_path(job_folder, "images"));
///     PEDRO_TRY(const std::string mark, images.add(image));  // for the text of a message
class ImageFolder {
 public:
  static constexpr std::size_t kMaxImages = 16;

  /// Borrows `files`. `folder` is created with the first image.
  ImageFolder(FileSystem& files, std::string folder);

  bool empty() const { return ids_.empty(); }
  const std::vector<std::string>& ids() const { return ids_; }
  bool has(std::string_view id) const;
  /// Stores an image and returns its mark. Error (kUsage): there are kMaxImages others.
  Result<std::string> add(const Image& image);
  Result<Image> load(const std::string& id) const;

  /// Returns the description of an image; "" if there is none.
  std::string description(const std::string& id) const;
  Status describe(const std::string& id, std::string_view text);

 private:
  FileSystem* files_;
  std::string folder_;
  std::vector<std::string> ids_;
};

/// Adds to each message of the user or a tool the images whose marks are in its text, each once.
/// Marks of other images stay text. Errors: of the disk.
Status add_images(ChatRequest& chat, const ImageFolder& images);

}  // namespace pedro
