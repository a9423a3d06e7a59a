# A folder of references becomes a link to one outside
# reports: was removed again|was restored|Read-only
rm -rf .git/refs/heads && ln -s @OUTSIDE@ .git/refs/heads
