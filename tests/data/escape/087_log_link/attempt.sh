# git's log becomes a link, so that pedrocli's own git writes into a file outside
# reports: was removed again|was restored|Read-only
mkdir -p .git/logs && ln -sf @OUTSIDE@/victim .git/logs/HEAD
