#pragma once

#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "tools/tool.h"

namespace pedro {

/// The dependencies of tools, on a temporary folder.
struct ToolWorld {
  TempFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  Environment environment;
  CancelToken cancel;
  WorkTree tree = *WorkTree::open(files, folder.path());
  NoteStore notes{files, folder.path() + "/notes"};
  ToolContext tools{tree, processes, processes, notes, environment, cancel};
};

}  // namespace pedro
