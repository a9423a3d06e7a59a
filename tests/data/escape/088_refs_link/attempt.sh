# A folder of references becomes a link to one outside
# reports: was removed again|was put back|Read-only
rm -rf .git/refs/heads && ln -s @OUTSIDE@ .git/refs/heads
