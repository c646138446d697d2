/* Kernels and designs: made by the parameters of the command line, saved and loaded, and described. */
#ifndef ENTROPIC_CLI_RECIPE_H
#define ENTROPIC_CLI_RECIPE_H

#include "inputs.h"
#include "output.h"

/* The name of the first parameter of a command that was given and speaks of kernel and features, which a saved design
 * brings itself; or of the data, which then have to be there. NULL if none was. */
const char *recipe_given(const cli_session *session, const cli_command *command);
const char *recipe_given_of_data(const cli_session *session, const cli_command *command);

/* A design of so many inputs. sample (of rows rows, or NULL) is used with --criterion data only. Says so if there are
 * fewer features than were asked for. */
int recipe_make(const cli_session *session, size_t inputs, const double *sample, size_t rows, entropic_design **design);

/* Says so if there are fewer features than were asked for. */
void recipe_mention(const cli_session *session, const entropic_design *design);

/* A saved design. */
int recipe_load(const cli_session *session, const char *path, entropic_design **design);
int recipe_save(const cli_session *session, const entropic_design *design, const char *path);
/* The same of one that is text already. */
int recipe_save_text(const cli_session *session, const unsigned char *text, size_t count, const char *path);

/* What a kernel is called, the least and largest omega there is (low > high if it has none), and the largest degree of
 * smooth atoms, 0 if it has none; of the inputs that the model uses, of all if it is NULL. */
typedef struct recipe_words {
  const char *family;
  double low, high;
  int smooth;
} recipe_words;

recipe_words recipe_wording(const entropic_kernel *kernel, const entropic_model *model);

/* What a custom kernel was given as. */
typedef struct cli_expression {
  const char *name, *text;
} cli_expression;

#define EXPRESSIONS_MOST 6

/* Those of the first input that has some; how many. The texts are the kernel's. */
size_t recipe_expressions(const entropic_kernel *kernel, const entropic_model *model,
                          cli_expression expressions[EXPRESSIONS_MOST]);

/* Keys "kernel", "smooth" and "omega": a list where inputs differ, null where the kernel has none. */
void recipe_describe(entropic_report *report, const entropic_kernel *kernel);

#endif
