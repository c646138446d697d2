#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t held, pending, pipe_broken;

static void on_interrupt(int number) {
  if (!held || pending) /* whoever asks twice means it */
    _exit(128 + number);
  pending = number;
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

void signals_install(void) {
  take_descriptors();
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++) {
    struct sigaction before;
    sigaction(interrupts[i], NULL, &before);
    if (before.sa_handler != SIG_IGN) /* as under nohup, or in the background of a script */
      sigaction(interrupts[i], &action, NULL);
  }
  action.sa_handler = on_pipe;
  sigaction(SIGPIPE, &action, NULL);
  action.sa_handler = SIG_IGN; /* the write that goes beyond a limit fails then, and is cleaned up after */
  sigaction(SIGXFSZ, &action, NULL);
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
