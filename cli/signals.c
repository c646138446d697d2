#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t held, pending, pipe_broken;
static volatile time_t since; /* when the pending one came */

/* Ends the process as the signal does by itself, so that whoever waits for it sees a death by signal: a shell then ends
 * its loop. */
static _Noreturn void die_by(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigaction(number, &action, NULL);
  sigprocmask(SIG_UNBLOCK, &only, NULL); /* in a handler it is blocked */
  raise(number);
  _exit(128 + number);
}

/* A second signal means it, unless it comes with the first: timeout(1) sends two. */
static bool comes_again(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (pending)
    return now.tv_sec > since + 1;
  since = now.tv_sec;
  return false;
}

static void on_interrupt(int number) {
  if (!held || comes_again())
    die_by(number);
  pending = number;
  alarm(1);
}

/* A read may have begun right after the signal: it is woken up too, until the work has ended. */
static void on_alarm(int number) {
  if (!pending)
    die_by(number); /* not ours */
  alarm(1);
}

static void on_pipe(int number) {
  (void)number;
  pipe_broken = 1;
}

static void take_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0)
      continue;
    /* The wrong way round on purpose: a read of 0 or a write to 1 or 2 still fails. */
    int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    if (opened > descriptor)
      close(opened);
  }
}

/* A handler for a signal that is not ignored, as it is under nohup or in the background of a script. */
static void handle(int number, void (*handler)(int)) {
  /* Without SA_RESTART: whoever waits for input with a file half written is to hear of it. */
  struct sigaction before, action = {.sa_handler = handler};
  sigaction(number, NULL, &before);
  if (before.sa_handler != SIG_IGN)
    sigaction(number, &action, NULL);
}

void signals_install(void) {
  take_descriptors();
  static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
  for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
    handle(interrupts[i], on_interrupt);
  handle(SIGALRM, on_alarm);
  handle(SIGPIPE, on_pipe);
  handle(SIGXFSZ, SIG_IGN); /* the write that goes beyond a limit fails then, and is cleaned up after */
}

void signals_hold(void) {
  held++;
}

void signals_release(void) {
  held--;
}

int signals_pending(void) {
  return pending ? 128 + pending : 0;
}

bool signals_pipe_broken(void) {
  return pipe_broken != 0;
}

int signals_end(int result) {
  if (pending)
    die_by(pending);
  if (result == EXIT_PIPE)
    die_by(SIGPIPE);
  return result;
}
