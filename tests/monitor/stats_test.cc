#include <doctest/doctest.h>

#include "base/text.h"
#include "markdown/markdown.h"
#include "monitor/figure_text.h"
#include "monitor/job_page.h"
#include "monitor/journal_lines.h"

namespace pedro {
namespace {

std::size_t count_in(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("figures are written as people read them") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(-1234567) == "-1,234,567");
  CHECK(duration_text(0) == "0 ms");
  CHECK(duration_text(999.4) == "999 ms");
  CHECK(duration_text(999.6) == "1.0 s");
  CHECK(duration_text(12'340) == "12.3 s");
  CHECK(duration_text(59'940) == "59.9 s");
  CHECK(duration_text(59'960) == "1 min 0 s");
  CHECK(duration_text(3'599'600) == "1 h 0 min");
  CHECK(duration_text(7'199'000) == "2 h 0 min");
  CHECK(duration_text(200'000) == "3 min 20 s");
  CHECK(duration_text(7'500'000) == "2 h 5 min");
  CHECK(share_text(1, 3) == "33 %");
  CHECK(share_text(0, 0) == "-");
  CHECK(cost_text({.unpriced = 2}) == "-");
  CHECK(cost_text({.dollars = 0.5}) == "$0.5000");
  CHECK(cost_text({.dollars = 0.99996}) == "$1.00");
  CHECK(cost_text({.dollars = 12.345, .at_most = true, .unpriced = 1}) == "≤ $12.35 + ?");
}

TEST_CASE("stats: tables by model, phase and tool") {
  FigureSums sums(ModelRegistry::builtin());
  sums.add(figures_in(small_journal()));
  const std::string text = to_stats_text(sums);
  CAPTURE(text);
  const std::vector<std::string_view> lines = split_lines(text);
  REQUIRE(lines.size() == 12);
  CHECK(lines[0] ==
        "model         rounds  prompt  cached  evaluated  generated  prefill  decode    time  "
        "compactions  saved       cost");
  CHECK(lines[1] ==
        "gpt-4.1-mini       3   4,500    42 %      2,600        100    2.7 s   1.0 s  20.0 s  "
        "          1    600  ≤ $0.0020");
  CHECK(lines[4].starts_with("build plan       2   2,700    33 %      1,800         90"));
  CHECK(lines[8] == "file      2  50 %       1        0");
  CHECK(lines[9] == "git       1   0 %       0        1");
  CHECK(lines[11] == "1 requests without a reply were retried, 1 failed");
}

TEST_CASE("stats: programs get the same, and each inference of one job") {
  const JobFigures job = figures_in(small_journal());
  FigureSums sums(ModelRegistry::builtin());
  sums.add(job);
  const Json all = to_json(sums);
  CHECK(all["total"]["prompt_tokens"] == 4500);
  CHECK(all["total"]["cost_is_at_most"] == true);
  CHECK(all["models"][0]["model"] == "gpt-4.1-mini");
  CHECK(all["phases"][1]["phase"] == "build work");
  CHECK(all["phases"][1]["saved_tokens"] == 600);
  CHECK(all["tools"][1]["refused"] == 1);
  const Json one = to_json(job, nullptr);
  CHECK(one["job"] == job.id);
  CHECK(one["inferences"][1]["missed_tokens"] == 149);
  CHECK(one["inferences"][1]["cost_usd"].is_null());
  CHECK(one["compactions"][0]["before_inference"] == 3);
}

TEST_CASE("page: shows all of a job, and escapes its text") {
  JobFigures job = figures_in(small_journal());
  job.phases[0].name = "<script>alert(1)</script>";
  job.tools[0].name = "\"><img src=x>";
  const std::string page = job_page(job, ModelRegistry::builtin());
  CHECK(page.find("Mend &lt;b&gt;&quot;it&quot;&lt;/b&gt;") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(count_in(page, "http") == 1);  // only "http-equiv"
  CHECK(count_in(page, "class=\"cut\"") == 1);
  CHECK(count_in(page, "<rect class=\"hover\"") == 6);  // in two charts
  for (const char* text : {"Context", "Cached and evaluated", "Time by phase", "Tools",
                           "Removed from the conversation", "head 1,000, error 150", "≈ 2,400",
                           "149 of those", "≤ $0.0020", "4,096"}) {
    CHECK_MESSAGE(page.find(text) != std::string::npos, text);
  }
}

TEST_CASE("page: of many jobs the newest have charts, and all have a row") {
  std::vector<JobFigures> jobs(40, figures_in(small_journal()));
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = "job-" + std::to_string(i);
  const std::string page = jobs_page(jobs, ModelRegistry::builtin());
  CHECK(count_in(page, "<article id=") == 30);
  CHECK(count_in(page, "href=\"#job-") == 30);
  CHECK(page.find("job-39") != std::string::npos);
  CHECK(jobs_page({}, ModelRegistry::builtin()).find("There are none") != std::string::npos);
  CHECK_FALSE(job_page(JobFigures(), ModelRegistry::builtin()).empty());
}

TEST_CASE("page: a long job has no more columns than a screen") {
  JobFigures job = figures_in(small_journal());
  const InferenceFigures one = job.inferences.back();
  job.inferences.assign(5000, one);
  job.compactions[0].inference = 4999;
  const std::string page = job_page(job, ModelRegistry::builtin());
  CHECK(count_in(page, "<rect class=\"hover\"") == 2 * 385);
  CHECK(page.find("the highest of 13") != std::string::npos);
  CHECK(page.size() < 400'000);
}

}  // namespace pedro
