# A process outside is killed
# reports: No such process|not permitted
kill -9 @VICTIM@
