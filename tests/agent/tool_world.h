#pragma once

#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "tools/tool.h"

namespace pedro {

/// What tools work with, over a folder of its own.
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
