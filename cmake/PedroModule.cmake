# pedro_module(NAME USES <modules...> LINK <libraries...> SOURCES <files...>)
#
# One folder of src/ = one static library = one idea. USES is the whole list of modules whose
# headers it may include: tests/layers_test checks every #include against it.
set_property(GLOBAL PROPERTY PEDRO_MODULES "")

add_library(pedro_flags INTERFACE)
target_compile_options(pedro_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  $<$<BOOL:${PEDROCLI_WERROR}>:-Werror>)
# g++ 12 invents these inside of its own std::string and std::optional when it optimizes
# (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(pedro_flags INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
if(PEDROCLI_SANITIZE)
  target_compile_options(pedro_flags INTERFACE
    -fsanitize=${PEDROCLI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(pedro_flags INTERFACE -fsanitize=${PEDROCLI_SANITIZE})
endif()

if(PEDROCLI_FUZZ)  # every module tells a fuzzer which of its branches were taken
  target_compile_options(pedro_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(pedro_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The headers that nearly every source includes cost two seconds to read each time. Only a matter of
# speed: the tidy preset builds without, so that every file is known to include what it uses.
option(PEDROCLI_PCH "Precompile the most used headers" ON)
if(PEDROCLI_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cc "")
  add_library(pedro_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cc)
  target_link_libraries(pedro_precompiled PRIVATE
    fmt::fmt nlohmann_json::nlohmann_json pedro_flags)
  set(pedro_headers
    <fmt/format.h> <nlohmann/json.hpp> <algorithm> <functional> <map> <memory> <optional> <string>
    <string_view> <variant> <vector>)
  target_precompile_headers(pedro_precompiled PRIVATE ${pedro_headers})
endif()

# pedro_precompile(TARGET [<headers...>]): with headers of its own it has them all to itself.
function(pedro_precompile target)
  if(PEDROCLI_PCH AND ARGN)
    target_precompile_headers(${target} PRIVATE ${pedro_headers} ${ARGN})
  elseif(PEDROCLI_PCH)
    target_precompile_headers(${target} REUSE_FROM pedro_precompiled)
  endif()
endfunction()

# Thirty-two sources that are read as one cost less than five that are not. So each name in an
# anonymous namespace is there once in its module; the tidy and asan presets build without, so that
# every file is known to include what it uses.
option(PEDROCLI_UNITY "Compile several sources as one" ON)

# pedro_unite(TARGET)
function(pedro_unite target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${PEDROCLI_UNITY} UNITY_BUILD_BATCH_SIZE 32)
endfunction()

# HOT: a development build, which optimizes nothing else, optimizes this one: its tests spend their
# time in it. What is precompiled is not, and is read anew.
function(pedro_module name)
  cmake_parse_arguments(M "HOT" "" "USES;LINK;SOURCES" ${ARGN})
  list(TRANSFORM M_USES PREPEND pedro_ OUTPUT_VARIABLE targets)
  if(M_SOURCES)
    add_library(pedro_${name} STATIC ${M_SOURCES})
    target_include_directories(pedro_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(pedro_${name} PUBLIC ${targets} ${M_LINK} PRIVATE pedro_flags)
    if(M_HOT AND CMAKE_BUILD_TYPE STREQUAL Debug)
      target_compile_options(pedro_${name} PRIVATE -O1)
    else()
      pedro_precompile(pedro_${name})
    endif()
    pedro_unite(pedro_${name})
  else()  # headers only
    add_library(pedro_${name} INTERFACE)
    target_include_directories(pedro_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(pedro_${name} INTERFACE ${targets} ${M_LINK})
  endif()
  list(JOIN M_USES " " uses)
  set_property(GLOBAL APPEND_STRING PROPERTY PEDRO_MODULES "${name}: ${uses}\n")
endfunction()

# Writes build/<preset>/modules.txt, "name: what it uses" per line, for the include-layer test.
function(pedro_write_module_list)
  get_property(modules GLOBAL PROPERTY PEDRO_MODULES)
  file(WRITE ${PROJECT_BINARY_DIR}/modules.txt "${modules}")
endfunction()
