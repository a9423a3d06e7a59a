# A link to hooks is made to lead elsewhere
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
mkdir evil && echo ./evil > evil/pre-commit && ln -sfn ../../../evil .git/modules/linked/hooks
