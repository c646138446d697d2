/* The options that say which features: kernel and design. And how both are described. */
#ifndef ENTROPIC_CLI_RECIPE_H
#define ENTROPIC_CLI_RECIPE_H

#include "inputs.h"
#include "json.h"

#define SMOOTH_AUTO UINT64_MAX /* not said; fit then decides */

typedef struct recipe_settings {
  int kernel;        /* an entropic_family */
  const char *omega; /* a number or a list of them; NULL for the default */
  uint64_t features, nonzeros, smooth, max_level, max_order, seed;
  int basis, criterion, choice; /* entropic_basis, entropic_criterion, entropic_choice */
} recipe_settings;

/* How many features and of which width, as features and design take it; what they are. Both belong to the struct above. */
extern const cli_option amount_options[];
extern const cli_option shape_options[];

recipe_settings recipe_default(void);

/* The name of the first of these options that was given, NULL if none was: a saved design leaves no room for them. */
const char *recipe_given(const cli_command *command, const cli_arguments *arguments);

/* What is wrong with them whatever the data. */
int recipe_check(const cli_session *session, const recipe_settings *settings, const cli_command *command,
                 const cli_arguments *arguments);
/* The same where there is nothing to learn: a seed is then of --choice paper only. */
int recipe_check_alone(const cli_session *session, const recipe_settings *settings, const cli_command *command,
                       const cli_arguments *arguments);

/* The kernel of one input; its omega is the default. */
entropic_axis_options recipe_axis(const recipe_settings *settings);
/* The numbers of --omega, to be freed: one, or one for each input; none and NULL without the option. */
int recipe_omegas(const cli_session *session, const recipe_settings *settings, size_t inputs, double **omegas,
                  size_t *count);

/* A design of so many inputs. sample (of rows rows, or NULL) is used with --criterion data only, so that otherwise two
 * tables are lifted alike. Says so if there are fewer features than were asked for. */
int recipe_make(const cli_session *session, const recipe_settings *settings, size_t inputs, const double *sample,
                size_t rows, entropic_design **design);

/* A saved design. */
int recipe_load(const cli_session *session, const char *path, entropic_design **design);
int recipe_save(const cli_session *session, const entropic_design *design, const char *path);

/* What a kernel is called, the least and largest omega there is (low > high if it has none), and the largest degree of
 * smooth atoms, 0 if it has none; of the inputs that the model uses, of all if it is NULL. */
typedef struct recipe_words {
  const char *family;
  double low, high;
  int smooth;
} recipe_words;

recipe_words recipe_wording(const entropic_kernel *kernel, const entropic_model *model);

/* Keys "kernel", "smooth" and "omega": a list where inputs differ, null where the kernel has none or the
 * model does not use the input. The model may be NULL. */
void recipe_describe(cli_json *json, const entropic_kernel *kernel, const entropic_model *model);

#define LEVEL_NAME_SIZE 32
/* "hat2", "linear", "legendre3", "even", "constant", "missing". */
void level_name(const entropic_kernel *kernel, size_t input, size_t level, char name[LEVEL_NAME_SIZE]);

#endif
