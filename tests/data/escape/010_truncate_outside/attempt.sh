# A file outside is cut to nothing
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|cannot open
perl -e "truncate(q(@OUTSIDE@/victim), 0) or die qq(cannot open: \$!)"
