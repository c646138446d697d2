# What every file of the project is compiled with: link to entropic_flags.

add_library(entropic_flags INTERFACE)
target_compile_options(entropic_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${ENTROPIC_WERROR}>:-Werror>
  # Fused multiply-add would give other bits on other processors.
  -ffp-contract=off)

# Sanitizers and coverage concern whole programs, hence the directory-wide options.
if(ENTROPIC_SANITIZE)
  add_compile_options(-fsanitize=${ENTROPIC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Programs other than fuzz targets have their own main, so the fuzzer is only ever linked by those (see tests/).
  string(REPLACE "fuzzer-no-link," "" link_sanitize "${ENTROPIC_SANITIZE}")
  add_link_options(-fsanitize=${link_sanitize})
endif()
if(ENTROPIC_COVERAGE)
  # Counters are shared by threads, so they must be atomic.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
