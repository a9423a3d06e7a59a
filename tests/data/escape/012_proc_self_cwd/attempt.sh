# A file outside is written through /proc/self/cwd
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
echo owned > /proc/self/cwd/../outside/victim
