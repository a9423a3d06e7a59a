# A folder of objects becomes a link to one outside
# reports: was removed again|was put back|Read-only
rm -rf .git/objects/pack && ln -s @OUTSIDE@ .git/objects/pack
