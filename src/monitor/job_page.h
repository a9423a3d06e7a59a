#pragma once

#include <span>
#include <string>

#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"

namespace pedro {

/// Renders a page (html_page()) about one job. It has the end, the `conversation`
/// (ConversationHtml), contents of prompts, use of the cache, time, tools, compactions and cost.
std::string job_page(const JobFigures& job, const ModelRegistry& models,
                     const std::string& conversation = "");

/// Renders the same for many jobs, newest first: totals, a row for each, and charts of the newest
/// 30.
std::string jobs_page(std::span<const JobFigures> jobs, const ModelRegistry& models);

}  // namespace pedro
