# `cmake --install` and the .deb of CPack.
install(TARGETS pedrocli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE .pedrocli.json.example
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

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
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ripgrep, universal-ctags")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gh")
set(CPACK_STRIP_FILES ON)
include(CPack)
