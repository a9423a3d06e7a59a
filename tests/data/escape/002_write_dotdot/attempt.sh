# A file outside is overwritten by a path with ..
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
echo owned > ../outside/victim
