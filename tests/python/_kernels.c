/* What the library says of its kernels, for scripts that go through all of them. Without arguments: a line for each
 * family, its name, its number in files, and its traits. With
 *     FAMILY OMEGA interior|full MAX_LEVEL
 * it first prints the numbers of atoms of the levels of such an axis, then answers lines of standard input: "value X Y"
 * with the kernel of x and y, "atom LEVEL X" with the number of the atom of the level that x is in and its value. */
#include <inttypes.h>

#include "python/_numbers.h"

static const struct {
  const char *name;
  unsigned trait;
} traits[] = {
    {"omega", ENTROPIC_TRAIT_OMEGA},           {"hats", ENTROPIC_TRAIT_HATS},
    {"constant", ENTROPIC_TRAIT_CONSTANT},     {"smooth", ENTROPIC_TRAIT_SMOOTH},
    {"missing", ENTROPIC_TRAIT_MISSING},       {"saved", ENTROPIC_TRAIT_SAVED},
    {"categories", ENTROPIC_TRAIT_CATEGORIES}, {"functions", ENTROPIC_TRAIT_FUNCTIONS},
};

static void list_families(void) {
#define SHOW_FAMILY(symbol, number, table)                                                                             \
  printf("%s %d", entropic_family_name(ENTROPIC_FAMILY_##symbol), number);                                             \
  for (size_t t = 0; t < sizeof traits / sizeof traits[0]; t++)                                                        \
    if (entropic_family_has(ENTROPIC_FAMILY_##symbol, traits[t].trait))                                                \
      printf(" %s", traits[t].name);                                                                                   \
  putchar('\n');
  ENTROPIC_FAMILY_MAP(SHOW_FAMILY)
#undef SHOW_FAMILY
}

static void answer(const entropic_kernel *kernel) {
  char word[8];
  while (scanf("%7s", word) == 1) {
    if (strcmp(word, "value") == 0) {
      double x = read_number(), y = read_number(), value = entropic_kernel_value(kernel, &x, &y);
      show("value", &value, 1);
    } else {
      size_t level = read_size();
      double x = read_number(), found[2];
      uint64_t atom = 0;
      if (entropic_kernel_atom(NULL, kernel, 0, level, x, &atom, &found[1]) != ENTROPIC_OK)
        stop("no such level");
      found[0] = (double)atom;
      show("atom", found, 2);
    }
    fflush(stdout);
  }
}

static void show_levels(const entropic_kernel *kernel) {
  fputs("levels", stdout);
  for (size_t i = 0; i < entropic_kernel_levels(kernel, 0); i++) {
    entropic_level level;
    if (ent_kernel_level(NULL, kernel, 0, i, &level) != ENTROPIC_OK)
      stop("no such level");
    printf(" %" PRIu64, level.atoms);
  }
  putchar('\n');
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count == 1) {
    list_families();
    return EXIT_SUCCESS;
  }
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel = NULL;
  if (count != 5 || !entropic_family_find(arguments[1], &axis.family) ||
      entropic_parse_double(arguments[2], strlen(arguments[2]), &axis.omega) != ENTROPIC_OK)
    stop("usage: python-kernels [FAMILY OMEGA interior|full MAX_LEVEL]");
  axis.basis = strcmp(arguments[3], "interior") == 0 ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
  axis.max_level = atoi(arguments[4]);
  if (ent_kernel_create(NULL, &axis, 1, 1, &kernel) != ENTROPIC_OK)
    stop("no such kernel");
  show_levels(kernel);
  answer(kernel);
  entropic_kernel_free(kernel);
  return EXIT_SUCCESS;
}
