# A file with passwords at home is read by a copy
# reports: Permission denied|No such file|cannot stat|cannot open
cp @HOME@/.netrc stolen; cat stolen
