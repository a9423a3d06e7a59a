# A hard link brings a file from outside into the project, where it is written to
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|cross-device|failed to access|Operation not permitted
ln @OUTSIDE@/victim mine && echo owned > mine
