/* The entropic command. */
#include "commands.h"
#include "signals.h"

int main(int argc, char **argv) {
  signals_install();
  return signals_end(command_main(argc, argv, NULL));
}
