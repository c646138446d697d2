/* Logs of runs: what is written is found again to the last bit, torn lines are removed, spoilt ones refused. */
#include "unit/tests.h"

#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/threads.h"
#include "compare/run_log.h"
#include "unit/fixture.h"

#define HEAD "runs of a test\tseed 7"

/* The line of a run and of a training as they are in a log. */
#define RUN "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n"
#define TIME "time\tRKS\trule\t80\t0\t2\t0.125\t0.5\t0.0625\tnan\t0.75\n"

static const ent_logged_key run_key = {{.method = ENT_COMPARE_ENTROPY, .tuned = true, .features = 20}, 7},
                            time_key = {{.method = ENT_COMPARE_RKS, .features = 80}, 2};

static ent_run_log *open_log(const char *path) {
  ent_run_log *log = NULL;
  ASSERT_OK(context, ent_run_log_open(context, path, HEAD, &log));
  return log;
}

static void write_text(const char *path, const char *text) {
  write_file(path, text, strlen(text));
}

static void assert_file(const char *path, const char *text) {
  char *bytes = read_whole(path, NULL);
  assert_string_equal(bytes, text);
  free(bytes);
}

/* The log is refused with a message that has this in it, and stays as it is. */
static void assert_refused(const char *path, entropic_status expected, const char *message) {
  ent_run_log *log = (ent_run_log *)&context; /* untouched */
  char *before = read_whole(path, NULL);
  assert_int_equal(ent_run_log_open(context, path, HEAD, &log), expected);
  assert_message(context, message);
  assert_ptr_equal(log, &context);
  assert_file(path, before);
  free(before);
}

/* What no evaluation has, different for each number. */
static ent_performance made_up(size_t number) {
  double third = (double)(number + 1) / 3;
  return (ent_performance){.error = third,
                           .choice = {.scaling = (entropic_scaling)(number % (ENTROPIC_SCALING_BLEND + 1)),
                                      .kernel = number % 2,
                                      .bandwidth = 1 / third,
                                      .lambda = 1e-7 * third,
                                      .tries = 5 + number,
                                      .error = nextafter(third, 9)},
                           .nonzeros = sqrt(third),
                           .features = 10 + number};
}

static ent_logged_key key_of(size_t number) {
  return (ent_logged_key){{.method = ENT_COMPARE_NYSTROEM, .tuned = number % 3 == 0, .features = number},
                          UINT64_MAX - number};
}

static void assert_same(const ent_performance *a, const ent_performance *b) {
  assert_true(a->error == b->error && a->nonzeros == b->nonzeros && a->features == b->features);
  assert_true(a->choice.scaling == b->choice.scaling && a->choice.kernel == b->choice.kernel &&
              a->choice.bandwidth == b->choice.bandwidth && a->choice.lambda == b->choice.lambda &&
              a->choice.tries == b->choice.tries && a->choice.error == b->choice.error);
}

/* The text of a log, by hand. */
static void lines_are_these(void **state) {
  const char *path = in_folder(state, "lines.tsv");
  ent_run_log *log = open_log(path);
  assert_file(path, HEAD "\n");
  const ent_performance p = {.error = 0.25,
                             .choice = {.scaling = 1, .bandwidth = 0.5, .lambda = 0.125, .tries = 9, .error = 12.5},
                             .nonzeros = 19.5,
                             .features = 20};
  const ent_logged_time t = {{.make = 0.125, .train = 0.5, .lift = 0.0625, .given = NAN}, 0.75};
  ASSERT_OK(context, ent_run_log_add(context, log, &run_key, &p));
  ASSERT_OK(context, ent_run_log_add_time(context, log, &time_key, &t));
  ent_run_log_close(log);
  assert_file(path, HEAD "\n" RUN TIME);
  log = open_log(path);
  ent_performance found;
  ent_logged_time time;
  assert_true(ent_run_log_find(log, &run_key, &found));
  assert_same(&found, &p);
  assert_true(ent_run_log_find_time(log, &time_key, &time));
  assert_true(time.durations.make == 0.125 && time.durations.train == 0.5 && time.durations.lift == 0.0625 &&
              isnan(time.durations.given) && time.others == 0.75);
  ent_run_log_close(log);
  assert_file(path, HEAD "\n" RUN TIME); /* reading writes nothing */
}

/* Any part of a key makes it another one; a run is no training. */
static void other_keys_are_not_found(void **state) {
  const char *path = in_folder(state, "keys.tsv");
  write_text(path, HEAD "\n" RUN TIME);
  ent_run_log *log = open_log(path);
  ent_performance p;
  ent_logged_time t;
  ent_logged_key keys[] = {run_key, run_key, run_key, run_key, run_key, time_key};
  keys[0].number++;
  keys[1].request.method = ENT_COMPARE_RKS;
  keys[2].request.tuned = false;
  keys[3].request.features++;
  keys[4].request.nonzeros++;
  for (size_t i = 0; i < COUNT(keys); i++)
    assert_false(ent_run_log_find(log, &keys[i], &p));
  assert_false(ent_run_log_find_time(log, &run_key, &t));
  assert_true(ent_run_log_find(log, &run_key, &p) && ent_run_log_find_time(log, &time_key, &t));
  ent_run_log_close(log);
}

/* Numbers that decimals are hard on, NaN and infinity among them, and all seeds. */
static void numbers_survive_to_the_last_bit(void **state) {
  const char *path = in_folder(state, "bits.tsv");
  enum { MANY = 200 };
  static const double odd[] = {0.1, 1.0 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -0.0, 0};
  ent_run_log *log = open_log(path);
  for (size_t i = 0; i < MANY; i++) {
    const ent_logged_key key = key_of(i);
    const ent_performance p = made_up(i);
    ASSERT_OK(context, ent_run_log_add(context, log, &key, &p));
  }
  for (size_t i = 0; i < COUNT(odd); i++) {
    const ent_logged_time t = {{odd[i], nextafter(odd[i], 1), INFINITY, NAN}, NAN};
    ASSERT_OK(context, ent_run_log_add_time(context, log, &(ent_logged_key){time_key.request, i}, &t));
  }
  const ent_logged_key constant = {{.method = ENT_COMPARE_METHODS}, 0};
  ASSERT_OK(context, ent_run_log_add(context, log, &constant, &(ent_performance){.error = 0.7}));
  for (int again = 0; again < 2; again++) {
    ent_performance p;
    for (size_t i = 0; i < MANY; i++) {
      const ent_logged_key key = key_of(i);
      const ent_performance expected = made_up(i);
      assert_true(ent_run_log_find(log, &key, &p));
      assert_same(&p, &expected);
    }
    for (size_t i = 0; i < COUNT(odd); i++) {
      ent_logged_time t;
      const double next = nextafter(odd[i], 1);
      assert_true(ent_run_log_find_time(log, &(ent_logged_key){time_key.request, i}, &t));
      assert_memory_equal(&t.durations.make, &odd[i], sizeof(double));
      assert_memory_equal(&t.durations.train, &next, sizeof(double));
      assert_true(isinf(t.durations.lift) && isnan(t.durations.given) && isnan(t.others));
    }
    assert_true(ent_run_log_find(log, &constant, &p) && p.error == 0.7);
    ent_run_log_close(log);
    log = open_log(path);
  }
  ent_run_log_close(log);
}

/* A log that ends anywhere: complete lines are kept, the last one is removed, and what is added stands in its place. */
static void torn_last_lines_are_removed(void **state) {
  const char *path = in_folder(state, "torn.tsv"), whole[] = HEAD "\n" RUN TIME;
  const size_t first = strlen(HEAD) + 1, second = first + strlen(RUN);
  const ent_logged_time t = {{.make = 0.125, .train = 0.5, .lift = 0.0625, .given = NAN}, 0.75};
  for (size_t size = 0; size < sizeof whole; size++) {
    char expected[sizeof whole];
    ent_performance p;
    ent_logged_time time;
    write_file(path, whole, size);
    ent_run_log *log = open_log(path);
    assert_int_equal(ent_run_log_find(log, &run_key, &p), size >= second);
    assert_int_equal(ent_run_log_find_time(log, &time_key, &time), size == sizeof whole - 1);
    snprintf(expected, sizeof expected, "%.*s",
             (int)(size == sizeof whole - 1 ? size
                   : size >= second         ? second
                                            : first),
             whole);
    assert_file(path, expected);
    ASSERT_OK(context, ent_run_log_add_time(context, log, &time_key, &t));
    ent_run_log_close(log);
    char *bytes = read_whole(path, NULL);
    assert_memory_equal(bytes, expected, strlen(expected));
    assert_string_equal(bytes + strlen(expected), TIME);
    free(bytes);
  }
}

/* Files of something else stay as they are, also without the end of a line. */
static void other_files_are_refused(void **state) {
  const char *path = in_folder(state, "other.tsv");
  static const char *const texts[] = {"runs of a test\tseed 8\n",
                                      "runs of a test\tseed 7 \n" RUN,
                                      "runs of a test\n",
                                      "\n" HEAD "\n",
                                      RUN,
                                      "dear diary",
                                      "runs of a test\tseed 8",
                                      HEAD " and more"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    write_text(path, texts[i]);
    assert_refused(path, ENTROPIC_BAD_DATA, "expected \"" HEAD "\"");
    assert_message(context, "other.tsv: it begins with");
  }
}

static void spoilt_lines_are_refused(void **state) {
  const char *path = in_folder(state, "spoilt.tsv");
  static const char *const lines[] = {
      "\n",
      "\t\n",
      "run\n",
      "walk\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n", /* no such kind */
      "run\tEOFF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n", /* no such method */
      "run\tEOF\tmaybe\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n",  /* neither tuned nor rule */
      "run\tEOF\ttuned\t-20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n", /* features */
      "run\tEOF\ttuned\t20\t\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n",   /* non-zeros are missing */
      "run\tEOF\ttuned\t20\t0\t18446744073709551616\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n", /* seed */
      "run\tEOF\ttuned\t20\t0\t7\t0,25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n",                    /* error */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t1e999\t1\t0\t9\t12.5\t19.5\t20\n",                    /* lambda */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t9\t0\t9\t12.5\t19.5\t20\n",                    /* no such scaling */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t0.5\t0\t9\t12.5\t19.5\t20\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t-1\t0\t9\t12.5\t19.5\t20\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\tnan\t0\t9\t12.5\t19.5\t20\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t1\t9\t12.5\t19.5\t20\n", /* EOF has one kernel */
      "run\tNystroem\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t2\t9\t12.5\t19.5\t20\n",
      "run\tNystroem\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0.5\t9\t12.5\t19.5\t20\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t-9\t12.5\t19.5\t20\n",   /* tries */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t1e300\n", /* features */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\tinf\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\n", /* one too few */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\t\n", /* one too many */
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\t1\n",
      "run\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\r\n",
      "time\tRKS\trule\t80\t0\t2\t0.125\t0.5\t0.0625\tnan\n",
      "time\tRKS\trule\t80\t0\t2\t0.125\t0.5\t0.0625\tnan\t0.75\t1\n",
      "run\tEOF\ttrun\tEOF\ttuned\t20\t0\t7\t0.25\t0.5\t0.125\t1\t0\t9\t12.5\t19.5\t20\n"};
  for (size_t i = 0; i < COUNT(lines); i++) {
    char text[512];
    snprintf(text, sizeof text, "%s\n%s%s%s", HEAD, RUN, lines[i], TIME);
    write_text(path, text);
    assert_refused(path, ENTROPIC_BAD_DATA, "spoilt.tsv:3: \"");
    assert_message(context, "is not a line of a run log");
  }
  write_file(path, HEAD "\n" RUN "run\0EOF\n", sizeof HEAD "\n" RUN "run\0EOF\n" - 1);
  ent_run_log *log = NULL;
  assert_int_equal(ent_run_log_open(context, path, HEAD, &log), ENTROPIC_BAD_DATA);
  assert_null(log);
}

/* Another process, and another opener in this one, are refused until the first closes it. */
static void one_at_a_time(void **state) {
  const char *path = in_folder(state, "locked.tsv");
  ent_run_log *log = open_log(path);
  assert_refused(path, ENTROPIC_SYSTEM, "locked.tsv: another process is writing to it");
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  ent_run_log_close(log);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    ent_run_log *theirs = NULL;
    char answer = ent_run_log_open(context, path, HEAD, &theirs) == ENTROPIC_OK ? 'y' : 'n';
    if (write(ready[1], &answer, 1) != 1)
      _exit(1);
    for (;;)
      pause(); /* until it is killed: the lock goes with it */
  }
  char answer = 0;
  assert_int_equal(read(ready[0], &answer, 1), 1);
  assert_int_equal(answer, 'y');
  assert_refused(path, ENTROPIC_SYSTEM, "another process is writing to it");
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
  log = open_log(path);
  ent_run_log_close(log);
  close(ready[0]);
  close(ready[1]);
}

/* What the disk has no room for is told, and leaves no half line behind that would spoil the next. */
static void failed_writes_leave_whole_lines(void **state) {
  const char *path = in_folder(state, "full.tsv");
  const ent_performance p = made_up(1);
  ent_run_log *log = open_log(path);
  struct rlimit before, tight;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  tight = before;
  tight.rlim_cur = strlen(HEAD) + 20;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
  entropic_status status = ent_run_log_add(context, log, &run_key, &p);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, ENTROPIC_SYSTEM);
  assert_message(context, "full.tsv: cannot write: ");
  assert_file(path, HEAD "\n");
  const ent_logged_time t = {{.make = 0.125, .train = 0.5, .lift = 0.0625, .given = NAN}, 0.75};
  ASSERT_OK(context, ent_run_log_add_time(context, log, &time_key, &t));
  ent_run_log_close(log);
  assert_file(path, HEAD "\n" TIME);
}

static void what_cannot_be_opened_is_told(void **state) {
  ent_run_log *log = NULL;
  assert_int_equal(ent_run_log_open(context, in_folder(state, "no/such/log.tsv"), HEAD, &log), ENTROPIC_SYSTEM);
  assert_message(context, "no/such/log.tsv: cannot open: ");
  assert_int_equal(ent_run_log_open(context, in_folder(state, ""), HEAD, &log), ENTROPIC_SYSTEM);
  assert_int_equal(mkfifo(in_folder(state, "fifo"), 0600), 0);
  assert_int_equal(ent_run_log_open(context, in_folder(state, "fifo"), HEAD, &log), ENTROPIC_SYSTEM);
  assert_null(log);
  ent_run_log_close(NULL);
}

/* No log has nothing and takes everything. */
static void no_log_is_fine(void **state) {
  (void)state;
  ent_performance p = made_up(0);
  ent_logged_time t = {.others = 1};
  assert_false(ent_run_log_find(NULL, &run_key, &p));
  assert_false(ent_run_log_find_time(NULL, &time_key, &t));
  ASSERT_OK(context, ent_run_log_add(context, NULL, &run_key, &p));
  ASSERT_OK(context, ent_run_log_add_time(context, NULL, &time_key, &t));
}

static entropic_status add_and_find(entropic_context *inner, void *shared, size_t task, int worker) {
  (void)worker;
  ent_run_log *log = shared;
  const ent_logged_key key = key_of(task);
  ent_performance p = made_up(task), found;
  entropic_status status = ent_run_log_add(inner, log, &key, &p);
  return status != ENTROPIC_OK ? status : ent_run_log_find(log, &key, &found) ? ENTROPIC_OK : ENTROPIC_BAD_DATA;
}

/* Many threads at once: every line is whole. */
static void threads_write_whole_lines(void **state) {
  enum { LINES = 2000 };
  const char *path = in_folder(state, "threads.tsv");
  entropic_context *many = context_with(8);
  ent_run_log *log = open_log(path);
  ASSERT_OK(many, ent_parallel(many, LINES, add_and_find, log));
  ent_run_log_close(log);
  log = open_log(path);
  for (size_t i = 0; i < LINES; i++) {
    const ent_logged_key key = key_of(i);
    const ent_performance expected = made_up(i);
    ent_performance p;
    assert_true(ent_run_log_find(log, &key, &p));
    assert_same(&p, &expected);
  }
  ent_run_log_close(log);
  entropic_context_free(many);
}

SUITE(compare_run_log) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_these),
      cmocka_unit_test(other_keys_are_not_found),
      cmocka_unit_test(numbers_survive_to_the_last_bit),
      cmocka_unit_test(torn_last_lines_are_removed),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(spoilt_lines_are_refused),
      cmocka_unit_test(one_at_a_time),
      cmocka_unit_test(failed_writes_leave_whole_lines),
      cmocka_unit_test(what_cannot_be_opened_is_told),
      cmocka_unit_test(no_log_is_fine),
      cmocka_unit_test(threads_write_whole_lines),
  };
  return cmocka_run_group_tests_name("compare_run_log", tests, start_in_folder, stop_in_folder);
}
