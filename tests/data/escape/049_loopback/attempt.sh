# A server on this machine is asked
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
bash -c "exec 3<>/dev/tcp/127.0.0.1/@PORT@ && echo hello >&3"
