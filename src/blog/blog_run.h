#pragma once

#include <string>
#include <vector>

#include "agent/feedback.h"
#include "agent/workplace.h"
#include "blog/blog_post.h"
#include "blog/blog_section.h"
#include "blog/material.h"
#include "blog/post_notes.h"
#include "sys/file_system.h"

namespace pedro {

/// The requirements for a post.
struct BlogWishes {
  std::string title;  ///< "" if the model chooses one
  std::string notes;  ///< the user's notes, for the first prompt
  int words = 900;
  std::string language = "en";
  std::string date;
  std::string style;        ///< text of earlier posts, or ""
  std::string style_guide;  ///< style guide derived from earlier posts, or ""
};

/// Writes a post into its folder. Splits the notes into items and assigns each item to one section.
/// A section has one text for each note. Faulty texts are refused, and a note without a sound text
/// is written alone. If that fails too, the post has the note itself. Keeps a version of the post
/// after each phase. Borrows everything except the values. One thread.
class BlogPlace : public Workplace {
 public:
  /// `folder` is created at the end of the first phase.
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
  Status begin(const Phase& phase, const PhaseItem& item) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;
  Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output) override;

  /// Writes post.md, post.html, social.json and outline.md. Errors: of the file system.
  Status publish();

  const BlogPost& post() const { return post_; }
  /// Returns the problems of the current post, see problems_of().
  std::vector<std::string> problems() const;
  /// Returns the style guide derived from earlier posts, "" if there is none.
  const std::string& style_guide() const { return style_guide_; }
  std::string post_path() const { return join_path(folder_, "post.md"); }

 private:
  // A note that is missing in the section with index `section`, by its index in that section.
  struct MissingNote {
    std::size_t section = 0;
    std::size_t note = 0;
  };

  std::optional<std::string> refuse(const std::vector<std::string>& problems);
  std::vector<std::string> problems_in(const Phase& phase, const PhaseItem& item,
                                       const Json& output) const;
  std::vector<std::string> problems_in_social(const Json& output) const;
  std::vector<std::string> sound_points(const Json& output) const;
  bool is_sound_line(const std::string& line) const;
  bool is_on_subject(const std::string& line) const;
  void take_facts(const PhaseItem& item, const Json& output);
  void take_section(const PhaseItem& item, const Json& output);
  void take_title(const Json& output);
  void take_social(const Json& output);
  void take_edit(const PhaseItem& item, const Json& output);
  void add_section_problems(const std::vector<NoteItem>& notes, const Json& output,
                            std::vector<std::string>& problems) const;
  void take(const Phase& phase, const PhaseItem& item, const Json& output);
  std::vector<NoteItem> notes_of(const Phase& phase, const PhaseItem& item) const;
  Material material_of(const std::vector<NoteItem>& notes) const;
  const MissingNote* missing_of(const PhaseItem& item) const;
  bool by_words(const std::string& text) const;
  std::string section_value(const std::string& variable, std::size_t section) const;
  void cite(const Source& source);
  std::string outline() const;
  Status keep_version(const Phase& phase);
  Status write(const std::string& name, const std::string& text);

  BlogWishes wishes_;
  Material material_;
  std::string folder_;
  FileSystem& files_;
  const Feedback& feedback_;
  BlogPost post_;
  std::string style_guide_;
  std::size_t room_bytes_ = 16 * 1024;
  Json outline_;
  PostNotes notes_;
  std::vector<std::vector<NoteText>> texts_;  // of the notes of each section
  std::vector<MissingNote> missing_;
  Json social_;
  int refusals_ = 0;  // of the current item
  int versions_ = 0;
};

}  // namespace pedro
