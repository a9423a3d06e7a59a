# A descriptor that was left open is read
# reports: Bad file descriptor|bad file descriptor|Bad fd
cat <&9
