# The library, shared and static, from objects that are compiled once.

file(GLOB library_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*/*.c")
# MPI is a library of its own, so that nobody else needs it. So is the study, which only the command needs.
list(FILTER library_sources EXCLUDE REGEX "/src/(mpi|claims|study)/")

# The same steps compiled for wider processors, chosen at run time. No -mfma and no contraction: they give the same bits as
# the plain ones. -O3 for its vectoriser, which needs to know that nobody watches errno or the floating-point flags.
set(wide_flags -O3 -fno-math-errno -fno-trapping-math)
foreach(wide "avx2;-mavx2" "avx512;-mavx512f;-mprefer-vector-width=512")
  list(POP_FRONT wide name)
  set(wide_sources ${library_sources})
  list(FILTER wide_sources INCLUDE REGEX "_${name}\\.c$")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set_source_files_properties(${wide_sources} PROPERTIES COMPILE_OPTIONS "${wide_flags};${wide}")
    # Random features and learners ask for fused multiply-add by name, on every processor.
    list(FILTER wide_sources INCLUDE REGEX "/src/(baselines|solve|sums)/")
    set_property(SOURCE ${wide_sources} APPEND PROPERTY COMPILE_OPTIONS -mfma)
  else()
    list(REMOVE_ITEM library_sources ${wide_sources})
  endif()
endforeach()

# Texts become constants, byte by byte: style and script of pages, and the templates of exports. The headers
# declare them. Comments of style sheets are left out.
set(text_constants "${PROJECT_BINARY_DIR}/text_constants.c")
set(text_code "#include \"export/template.h\"\n#include \"page/explain_page.h\"\n#include \"page/parts.h\"\n\n")
function(add_text constant path)
  set(file "${PROJECT_SOURCE_DIR}/src/${path}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" bytes)
  if(path MATCHES "[.]css$")
    string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/\n" "" bytes "${bytes}")
  endif()
  string(HEX "${bytes}" bytes)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  set(text_code "${text_code}const char ${constant}[] = {\n${bytes}0};\n\n" PARENT_SCOPE)
endfunction()
add_text(ent_page_style page/page.css)
add_text(ent_page_script page/page.js)
add_text(ent_explain_style page/explain_page.css)
add_text(ent_explain_script page/explain_page.js)
add_text(ent_explain_unpacking page/explain_pack.js)
add_text(ent_template_c export/model.c.in)
add_text(ent_template_js export/model.js)
file(CONFIGURE OUTPUT "${text_constants}" CONTENT "${text_code}" @ONLY)

add_library(entropic_objects OBJECT ${library_sources} "${text_constants}")
set_target_properties(entropic_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(entropic_objects PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_compile_definitions(entropic_objects PRIVATE ENTROPIC_EXPERIMENTAL)
target_link_libraries(entropic_objects PRIVATE entropic_flags ZLIB::ZLIB Threads::Threads)
# Measured against -O2: designs are made 20 % faster, sparse rows 5 to 13 %.
target_compile_options(entropic_objects PRIVATE $<$<CONFIG:Release>:-O3>)

# The number in the soname. It counts the releases that broke compiled programs; RELEASING.md says when it grows.
set(entropic_soversion 0)

add_library(entropic SHARED $<TARGET_OBJECTS:entropic_objects>)
set_target_properties(entropic PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${entropic_soversion}
  LINKER_LANGUAGE C)
if(NOT ENTROPIC_SANITIZE)
  target_link_options(entropic PRIVATE -Wl,-z,defs)
endif()

add_library(entropic_static STATIC $<TARGET_OBJECTS:entropic_objects>)
set_target_properties(entropic_static PROPERTIES OUTPUT_NAME entropic LINKER_LANGUAGE C)

foreach(library entropic entropic_static)
  target_link_libraries(${library} PRIVATE ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(entropic::${library} ALIAS ${library})
endforeach()

# The study: a private library of the command, which is not installed. It uses functions that the shared library does not
# export, so who links it links the static library.
file(GLOB study_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/claims/*.c" "${PROJECT_SOURCE_DIR}/src/study/*.c")
add_library(entropic_study STATIC ${study_sources})
target_include_directories(entropic_study PUBLIC "${PROJECT_SOURCE_DIR}/src")
# So do the command and the tests, which link it.
target_compile_definitions(entropic_study PUBLIC ENTROPIC_EXPERIMENTAL)
target_link_libraries(entropic_study PUBLIC entropic_static PRIVATE entropic_flags)
target_compile_options(entropic_study PRIVATE $<$<CONFIG:Release>:-O3>)
