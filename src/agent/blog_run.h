#pragma once

#include <string>
#include <vector>

#include "agent/blog_post.h"
#include "agent/feedback.h"
#include "agent/material.h"
#include "agent/workplace.h"
#include "sys/file_system.h"

namespace pedro {

/// What a post is to be like.
struct BlogWishes {
  std::string title;  ///< "" where the model finds one
  std::string notes;  ///< what the user gave to write about, for the first prompt
  int words = 900;
  std::string language = "en";
  std::string date;
  std::string style;        ///< earlier posts, or ""
  std::string style_guide;  ///< what was made of them before, or ""
};

/// Where a post is written: its folder. It knows the material, puts the post together as phases
/// end, takes no link and no quotation that the material has not, applies edits, and keeps a
/// version of the post after each phase. Borrows everything but the values.
class BlogPlace : public Workplace {
 public:
  /// `folder` is made when the first phase ends.
  BlogPlace(BlogWishes wishes, Material material, std::string folder, FileSystem& files,
            const Feedback& feedback)
      : wishes_(std::move(wishes)),
        material_(std::move(material)),
        folder_(std::move(folder)),
        files_(files),
        feedback_(feedback) {
    post_.title = wishes_.title;
    post_.language = wishes_.language;
    post_.date = wishes_.date;
    style_guide_ = wishes_.style_guide;
  }

  Result<std::string> value(const std::string& variable, const PhaseItem& item) override;
  Result<Json> list(const std::string& name, std::size_t room_bytes) override;
  std::string shown_of(const Phase& phase, const PhaseItem& item) override;
  Result<bool> may_skip(const Phase& phase, const PhaseItem& item) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;
  Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output) override;

  /// Writes post.md, post.html, social.json and outline.md.
  Status publish();

  const BlogPost& post() const { return post_; }
  /// What is wrong with the post as it is.
  std::vector<std::string> problems() const;
  /// What was made of earlier posts; "" where there were none.
  const std::string& style_guide() const { return style_guide_; }
  std::string post_path() const { return join_path(folder_, "post.md"); }

 private:
  std::optional<std::string> refuse(const char* feedback,
                                    const std::vector<std::string>& problems) const;
  std::vector<std::string> unsupported_in(const Phase& phase, const PhaseItem& item,
                                          const Json& output) const;
  std::vector<std::string> unsupported_in_social(const Json& output) const;
  void cite(const Source& source);
  std::vector<std::string> edit_problems(const Json& output) const;
  std::string facts() const;
  std::string outline() const;
  std::string so_far() const;
  void take(const Phase& phase, const PhaseItem& item, const Json& output);
  Status keep_version(const Phase& phase);
  Status write(const std::string& name, const std::string& text);

  BlogWishes wishes_;
  Material material_;
  std::string folder_;
  FileSystem& files_;
  const Feedback& feedback_;
  BlogPost post_;
  std::string style_guide_;
  std::vector<Material::Chunk> chunks_;
  std::size_t room_bytes_ = 16 * 1024;
  std::vector<std::string> facts_;
  Json outline_;
  Json social_;
  int versions_ = 0;
  bool last_edits_ = true;  // the last round of edits changed something
};

}  // namespace pedro
