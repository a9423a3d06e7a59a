# `cmake --install` and the .deb of CPack.
install(TARGETS pedrocli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE .pedrocli.json.example
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(PROGRAMS packaging/ci-job DESTINATION ${CMAKE_INSTALL_DATADIR}/pedrocli)

# Manual and completion scripts, which `pedrocli docs` wrote when it was built.
set(manual ${PROJECT_BINARY_DIR}/share)
install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${manual}/completions/pedrocli OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/completions/_pedrocli OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${manual}/completions/pedrocli.fish OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# What `scripts/fetch-vocab --install` compiled into the build folder, if it did.
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/pedrocli/vocab
        DESTINATION ${CMAKE_INSTALL_DATADIR}/pedrocli OPTIONAL FILES_MATCHING PATTERN "*.pvoc")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pedrocli)
set(CPACK_PACKAGE_CONTACT "the pedrocli authors <pedrocli@localhost>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libcurl is loaded when the first request is made, so shlibdeps cannot see it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4, git")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, ca-certificates, ripgrep, universal-ctags")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gh")
set(CPACK_STRIP_FILES ON)
include(CPack)
