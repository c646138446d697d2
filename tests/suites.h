/* All unit tests are one program, and all fault tests another: a file has a suite, which stands where its main would.
 *
 *   SUITE(base_number) {
 *     const struct CMUnitTest tests[] = {cmocka_unit_test(digits)};
 *     return cmocka_run_group_tests_name("base_number", tests, NULL, NULL);
 *   }
 *
 * The name is that of the file. The program runs the suite that it is called with. */
#ifndef ENTROPIC_TESTS_SUITES_H
#define ENTROPIC_TESTS_SUITES_H

typedef struct test_suite {
  const char *name;
  int (*run)(void); /* how many of its tests failed */
  struct test_suite *next;
} test_suite;

/* Before main. The suite stays the caller's. */
void test_suite_register(test_suite *suite);

#define SUITE(suite_name)                                                                                              \
  static int run_suite(void);                                                                                          \
  __attribute__((constructor)) static void register_suite(void) {                                                      \
    static test_suite suite = {.name = #suite_name, .run = run_suite};                                                 \
    test_suite_register(&suite);                                                                                       \
  }                                                                                                                    \
  static int run_suite(void)

#endif
