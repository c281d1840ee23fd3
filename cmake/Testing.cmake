# Testing.cmake - tsr_add_test: one ctest entry, run from the root of the source tree.
#
# Labels: the kind (unit prim error spmd golden fault fuzz example package slow); `unit` and
# `asan` are those that `make check` runs under the sanitizers too. The target `sanitized` builds
# their programs. Likewise `tsan`: make check-slow, the thread sanitizer, and the target `raced`.

add_custom_target(sanitized)
add_custom_target(raced)

# they begin first, so that the others fill the other processors meanwhile: those of ten seconds or
# more, and those that would begin last by their place here
set(TSR_LONGEST_TESTS every.calls native.edges native.rows native.matrices native.products
  interp.fault.fault interp.fault.transforms interp.fault.spread interp.transform.pairs
  interp.transform.rules interp.spmd.uneven engine.same_products engine.precision engine.schedule
  kernel.lower conform.mutants conform.cpu processes.kills compile.headers compile.nests
  replicate.spmd.uneven transform.compose transform.custom transform.derive_cost transform.pairs
  fault.transforms spmd.automatic_programs spmd.uneven workers.spmd.automatic_programs
  fma.spmd.automatic example.character_model package.installed)

function(tsr_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;COMMAND;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  list(GET arg_COMMAND 0 program)
  # short histories of what is freed, since long ones take more time than they find errors
  set(asan detect_leaks=1 strict_string_checks=1 allocator_may_return_null=1
    malloc_context_size=12 quarantine_size_mb=32)
  list(JOIN asan ":" asan)
  set(tsan halt_on_error=1 die_after_fork=0 allocator_may_return_null=1
    "suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
  list(JOIN tsan ":" tsan)
  set(environment
    "ASAN_OPTIONS=${asan}"
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1"
    "TSAN_OPTIONS=${tsan}"
    "TSR_PLUGIN_DIR=${PROJECT_BINARY_DIR}" ${arg_ENVIRONMENT})
  if(TSR_COMMA_LOCALE)
    list(APPEND environment "LOCPATH=${TSR_COMMA_LOCALE}")
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${environment}")
  if(name IN_LIST TSR_LONGEST_TESTS)
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
  if(arg_LABELS MATCHES "(^|;)(unit|asan)(;|$)")
    tsr_build_sanitized(${program})
  endif()
endfunction()

function(tsr_build_sanitized program)
  if(TSR_SANITIZE AND TARGET ${program})
    add_dependencies(sanitized ${program})
  endif()
endfunction()

# One test of a folder whose other tests do not run under the sanitizers
function(tsr_run_sanitized name program)
  set_property(TEST ${name} APPEND PROPERTY LABELS asan)
  tsr_build_sanitized(${program})
endfunction()

function(tsr_run_raced name program)
  set_property(TEST ${name} APPEND PROPERTY LABELS tsan)
  add_dependencies(raced ${program})
endfunction()
