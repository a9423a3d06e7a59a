# embed_files(TARGET NAME <identifier> ROOT <folder> FILES <paths below it...>)
#
# Adds a source to TARGET that defines, for every file, its path below ROOT and its bytes:
#   extern const EmbeddedFile k<identifier>[]; extern const size_t k<identifier>Count;
function(embed_files target)
  cmake_parse_arguments(E "" "NAME;ROOT" "FILES" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${E_NAME}.cc)
  list(TRANSFORM E_FILES PREPEND ${E_ROOT}/ OUTPUT_VARIABLE inputs)
  string(REPLACE ";" "|" file_list "${E_FILES}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAME=${E_NAME} -DROOT=${E_ROOT} "-DFILES=${file_list}"
            -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${E_NAME}" VERBATIM)
  # Apart from the sources beside it, which are not compiled again when a file changes.
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${output})
endfunction()
