# A patch names a file outside
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|error
printf -- "diff --git a/../outside/new b/../outside/new\nnew file mode 100644\n--- /dev/null\n+++ b/../outside/new\n@@ -0,0 +1 @@\n+owned\n" > p
git apply --unsafe-paths p
ls @OUTSIDE@/daemon.sock
