# git sends what it has to a server
# reports: unable to connect|refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
timeout 2 git ls-remote git://127.0.0.1:@PORT@/x
