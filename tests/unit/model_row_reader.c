/* Feeds: a model's inputs are found in files of all kinds, and read as the model takes them. */
#include "unit/standard_input.h"

#include "model/model.h"

#include "unit/fixture.h"
#include "dataset/dataset.h"

/* A model that knows what rows look like and nothing else, as one trained on this table would. */
static entropic_model *make_marked_model(void **state, const char *text, const ent_roles *roles, const char *marks) {
  const char *path = in_folder(state, "learnt");
  write_file(path, text, strlen(text));
  ent_read_options options = ent_read_options_default();
  options.roles = *roles;
  options.missing = marks;
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  entropic_model *model = calloc(1, sizeof *model);
  assert_non_null(model);
  assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
  if (ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &dataset) != ENTROPIC_OK)
    fail_msg("'%s' is refused: %s", text, entropic_context_message(context));
  assert_int_equal(ent_schema_copy(context, &dataset->schema, &model->schema), ENTROPIC_OK);
  entropic_dataset_free(dataset);
  entropic_table_free(table);
  return model;
}

static entropic_model *make_model(void **state, const char *text, const ent_roles *roles) {
  return make_marked_model(state, text, roles, NULL);
}

static void free_model(entropic_model *model) {
  ent_schema_clear(&model->schema);
  free(model);
}

/* All rows of a feed as text, `capacity` at a time: inputs, then > targets and *weight; missing values are dots. */
static entropic_status show_reader(entropic_row_reader *reader, const ent_schema *schema, int with_targets,
                                   size_t capacity, char *text) {
  double *x = malloc(capacity * schema->inputs * sizeof *x), *y = malloc(capacity * schema->targets * sizeof *y);
  double *weights = malloc(capacity * sizeof *weights);
  assert_true(x != NULL && y != NULL && weights != NULL);
  entropic_status status = ENTROPIC_OK;
  *text = '\0';
  for (size_t rows = 1; rows > 0 && status == ENTROPIC_OK;) {
    status = entropic_row_reader_next(context, reader, capacity, x, with_targets ? y : NULL,
                                      with_targets ? weights : NULL, &rows);
    for (size_t row = 0; row < rows && status == ENTROPIC_OK; row++) {
      text += sprintf(text, "/");
      for (size_t i = 0; i < schema->inputs; i++) {
        double value = x[row * schema->inputs + i];
        text += isnan(value) ? sprintf(text, " .") : sprintf(text, " %g", value);
      }
      text += with_targets ? sprintf(text, " >") : 0;
      for (size_t i = 0; i < schema->targets && with_targets; i++) {
        double value = y[row * schema->targets + i];
        text += isnan(value) ? sprintf(text, " .") : sprintf(text, " %g", value);
      }
      text += with_targets && weights[row] != 1 ? sprintf(text, " *%g", weights[row]) : 0;
    }
  }
  free(x);
  free(y);
  free(weights);
  return status;
}

#define THREE "a,b,c,y\n1,2,red,5\n4,6,blue,6\n3,9,red,8\n"
#define CLASSES "a,y\n1,yes\n2,no\n3,yes\n"
#define NUMBERED "1,2,9,3\n4,6,9,1\n3,9,9,7\n"       /* x3 is constant */
#define NUMBERED_FIRST "5,1,2,3\n6,4,6,1\n8,3,9,7\n" /* the target comes first */
#define CATEGORIES "c,k,y\n1,u,1\n2.0,v,2\nx,u,4\n10,v,5\n"

typedef struct reader_case {
  const char *learnt;
  const char *targets; /* of the training table */
  const char *text;
  int with_targets;
  const char *weights;
  const char *rows; /* or the message */
} reader_case;

static const reader_case fine[] = {
    /* By name: any order, others besides, which are not looked at. */
    {THREE, "y", "c,z,b,a\nred,?,3,1.5\nblue,x,4,-2\n", 0, NULL, "/ 1.5 3 1/ -2 4 0"},
    {THREE, "y", "y,c,z,b,a\n1,red,?,3,1.5\n,blue,x,4,-2\n", 1, NULL, "/ 1.5 3 1 > 1/ -2 4 0 > ."},
    {THREE, "y", "w,y,c,b,a\n2,1,red,3,1.5\n0,5,blue,4,-2\n,?,red,1,2\n", 1, "w",
     "/ 1.5 3 1 > 1 *2/ -2 4 0 > 5 *0/ 2 1 1 > . *0"},
    {THREE, "y", "w,y,c,b,a\n2,1,red,3,1.5\n", 1, "1", "/ 1.5 3 1 > 1 *2"},
    /* Missing values, categories never seen, a row of nothing. */
    {THREE, "y", "a;b;c\n?;2,5;pink\n;;\n1;NA;\n", 0, NULL, "/ . 2.5 2/ . . ./ 1 . ."},
    /* Columns that are text there and numbers here are what they were there. */
    {CATEGORIES, "y", "c,k\n1,u\n2,w\n3,v\n1e1,v\n", 0, NULL, "/ 0 0/ 2 2/ 4 1/ 1 1"},
    {"c,a,y\n1,1,1\n2,5,2\nx,7,4\n", "y", "a,c\n3,1.0\n4,2\n", 0, NULL, "/ 0 3/ 1 4"},
    /* Classes by name or as numbers. */
    {CLASSES, "y", "a,y\n1,no\n2,yes\n3,\n", 1, NULL, "/ 1 > 0/ 2 > 1/ 3 > ."},
    {"a,y\n1,1\n2,-1\n", "y", "y,a\n+1,1\n-1.0,2\n", 1, NULL, "/ 1 > 1/ 2 > 0"},
    {"a,y\n1,1\n2,-1\n", "y", "y;a\n1,0;1\n-1,0;2\n", 1, NULL, "/ 1 > 1/ 2 > 0"},
    /* Several targets. */
    {"a,y,z\n1,5,6\n2,7,8\n3,1,2\n", "y,z", "z,a,y\n1,2,3\n,5,6\n", 1, NULL, "/ 2 > 3 1/ 5 > 6 ."},
    /* A header of texts above texts. */
    {"c,k,y\nu,p,1\nv,q,2\nu,p,3\n", "y", "k,c\np,v\nq,u\n", 0, NULL, "/ 1 0/ 0 1"},
    /* Without names: in order, or by the numbers that are the model's names. */
    {THREE, "y", "1,2,red\n3,4,blue\n", 0, NULL, "/ 1 2 1/ 3 4 0"},
    {NUMBERED, "4", "7,8,0,5\n6,5,0,4\n", 0, NULL, "/ 7 8/ 6 5"},
    {NUMBERED, "4", "7,8,0,5\n6,5,0,4\n", 1, NULL, "/ 7 8 > 5/ 6 5 > 4"},
    {NUMBERED, "4", "7,8,0,5,2\n6,5,0,4,3\n", 1, "5", "/ 7 8 > 5 *2/ 6 5 > 4 *3"},
    {NUMBERED, "4", "7,8,0\n6,5,0\n", 0, NULL, "/ 7 8/ 6 5"},
    {NUMBERED, "4", "7,8\n6,5\n", 0, NULL, "/ 7 8/ 6 5"},
    {NUMBERED_FIRST, "1", "7,8,5\n6,5,4\n", 0, NULL, "/ 7 8 5/ 6 5 4"},
    {NUMBERED_FIRST, "1", "1,7,8,5\n2,6,5,4\n", 0, NULL, "/ 7 8 5/ 6 5 4"},
    {NUMBERED_FIRST, "1", "1,7,8,5\n2,6,5,4\n", 1, NULL, "/ 7 8 5 > 1/ 6 5 4 > 2"},
    {NUMBERED, "4", "x2,x1\n7,8\n6,5\n", 0, NULL, "/ 8 7/ 5 6"},
    {"u,p,1\nv,q,2\nu,p,3\nv,q,5\n", "3", "u,q\n", 0, NULL, "/ 0 1"},
    /* LIBSVM text: zeros left out, others ignored. */
    {"1 1:2 3:4\n2 2:1\n", NULL, "1 1:7\n2 3:9 4:5 2000000:7\n", 0, NULL, "/ 7 0 0/ 0 0 9"},
    {"1 1:2 3:4\n2 2:1\n", NULL, "1 1:7\n2 3:9 4:5\n", 1, NULL, "/ 7 0 0 > 0/ 0 0 9 > 1"},
    {"1 1:2 3:4\n2 2:1\n", NULL, "label,x3,x2,x1\n2,1,2,3\n", 1, NULL, "/ 3 2 1 > 1"},
    {"1 1:2 3:4\n2 2:1\n", NULL, "1,2,3\n", 0, NULL, "/ 1 2 3"},
    {"1.5 1:2 2:3 3:4\n2 1:7 2:3 3:1\n7 1:1 2:3 3:2\n", NULL, "1 1:7 2:5\n2.5 3:9\n", 1, NULL, "/ 7 0 > 1/ 0 9 > 2.5"},
    {"x1,x2,y\n1,2,0.5\n2,3,1\n3,3,9\n", "y", "4 1:7\n2.5 2:9\n", 1, NULL, "/ 7 0 > 4/ 0 9 > 2.5"},
    {"a,b,y\n1,2,0.5\n2,3,1\n3,3,9\n", "y", "4 1:7\n2.5 2:9 3:1\n", 1, NULL, "/ 7 0 > 4/ 0 9 > 2.5"},
};

static const reader_case wrong[] = {
    {THREE, "y", "aa,b,c\n1,2,red\n", 0, NULL, "file: no column a, which is an input of the model: did you mean aa?"},
    {THREE, "y", "b,c\n2,red\n", 0, NULL, "file: no column a, which is an input of the model; there are b, c"},
    {THREE, "y", "a,b,c,Y\n1,2,red,5\n", 1, NULL, "file: no column y, which is the model's target: did you mean Y?"},
    {THREE, "y", "a,b,c\n1,2,red\n", 1, NULL, "file: no column y, which is the model's target; there are a, b, c"},
    /* What the model knows by its own name cannot have been meant. */
    {"ab,abc,y\n1,2,3\n2,4,5\n5,2,9\n", "y", "abc,y\n1,2\n", 0, NULL,
     "file: no column ab, which is an input of the model; there are abc, y"},
    {"ab,abc,y\n1,2,3\n2,4,5\n5,2,9\n", "y", "abc,y,abd\n1,2,3\n", 0, NULL,
     "file: no column ab, which is an input of the model: did you mean abd?"},
    {"ab,c,abc\n1,2,3\n2,4,5\n5,2,9\n", "abc", "ab,c\n1,2\n", 1, NULL,
     "file: no column abc, which is the model's target; there are ab, c"},
    /* Names that were made up for a file without any are no help. */
    {"x1,x2,y\n1,2,0.5\n2,3,1\n3,3,9\n", "y", "7,8,5\n6,5,4\n", 1, NULL,
     "file has no names and 3 columns, expected a header that names the model's 2 inputs and target"},
    {"x1,x9999999,y\n1,2,0.5\n2,3,1\n3,3,9\n", "y", "4 1:7\n2.5 2:9\n", 1, NULL,
     "file is LIBSVM text, whose inputs are taken by number, and the model has an input x9999999, expected x1000000 at "
     "most"},
    {THREE, "y", "a,b,c\n1,2,red\n\n3,x,red\n", 0, NULL, "file, line 4, column 2 (b): found 'x', expected a number"},
    {THREE, "y", "a,b,c,y\n1,2,red,1\n3,4,red,z\n", 1, NULL,
     "file, line 3, column 4 (y): found 'z', expected a number"},
    {THREE, "y", "a,b,c\n1,1e999,red\n", 0, NULL, "expected a number within the range of double"},
    {CLASSES, "y", "a,y\n1,no\n2,maybe\n", 1, NULL,
     "file, line 3, column 2 (y): found 'maybe', expected one of the classes no, yes"},
    {CLASSES, "y", "3 1:5\n", 1, NULL,
     "file, line 1, column 1 (label): found '3', expected one of the classes no, yes"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n3,4,red,5,-2\n", 1, "w",
     "file, line 3, column 5 (w): found '-2', expected a weight of 0 or more"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n3,4,red,5,?\n", 1, "w",
     "file, row 2, column 5 (w): found '?', expected a weight"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n3,4,red,5,-\n", 1, "w",
     "file, row 2, column 5 (w): found '-', expected a weight"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n3,4,red,5,\n", 1, "w",
     "file, row 2, column 5 (w): found '', expected a weight"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n3,4,red,5,x\n", 1, "w", "line 3, column 5 (w): found 'x', expected a number"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n", 1, "v", "file: no column v"},
    {"ab,c,y\n1,2,3\n2,4,5\n5,2,9\n", "y", "ab,c,y\n1,2,3\n", 1, "AB", "file: no column AB; there are ab, c, y"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n", 1, "W", "file: no column W"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n", 1, "b", "column b is part of the model and cannot be the weight"},
    {THREE, "y", "a,b,c,y,w\n1,2,red,1,2\n", 0, "w", "weights need targets"},
    {THREE, "y", "1,2,red,4\n", 0, NULL,
     "file has no names and 4 columns, expected 3, one for each input of the model, or a header"},
    {THREE, "y", "1,2,red,4\n", 1, NULL,
     "file has no names and 4 columns, expected a header that names the model's 3 inputs and target"},
    {NUMBERED_FIRST, "1", "7,8\n6,5\n", 0, NULL, "file has no names and 2 columns, expected 3"},
    {"a,y,z\n1,5,6\n2,7,8\n3,1,2\n", "y,z", "4 1:3\n", 1, NULL,
     "expected a header that names the model's 1 inputs and targets"},
    {THREE, "y", "a,b,c\n", 0, NULL, "file"},
    {THREE, "y", "", 0, NULL, "file is empty"},
};

static entropic_status open_case(void **state, const reader_case *at, const entropic_model *model,
                                 entropic_row_reader **reader) {
  const char *path = in_folder(state, "file");
  write_file(path, at->text, strlen(at->text));
  ent_read_options options = ent_read_options_default();
  options.roles.weights = at->weights;
  return ent_row_reader_open(context, model, path, &options, at->with_targets, reader);
}

static void inputs_are_found_and_read(void **state) {
  for (size_t i = 0; i < COUNT(fine); i++) {
    const ent_roles roles = {.targets = fine[i].targets};
    for (size_t capacity = 1; capacity < 4; capacity++) {
      entropic_model *model = make_model(state, fine[i].learnt, &roles);
      ent_schema schema;
      assert_int_equal(ent_schema_copy(context, &model->schema, &schema), ENTROPIC_OK);
      entropic_row_reader *reader = NULL;
      char text[1000];
      entropic_status status = open_case(state, &fine[i], model, &reader);
      free_model(model); /* the feed holds what it needs of it */
      if (status == ENTROPIC_OK)
        status = show_reader(reader, &schema, fine[i].with_targets, capacity, text);
      if (status != ENTROPIC_OK)
        fail_msg("'%s' is refused: %s", fine[i].text, entropic_context_message(context));
      assert_string_equal(text, fine[i].rows);
      entropic_row_reader_free(reader);
      ent_schema_clear(&schema);
    }
  }
}

static void what_does_not_fit_is_refused(void **state) {
  for (size_t i = 0; i < COUNT(wrong); i++) {
    const ent_roles roles = {.targets = wrong[i].targets};
    entropic_model *model = make_model(state, wrong[i].learnt, &roles);
    entropic_row_reader *reader = NULL;
    char text[1000];
    entropic_status status = open_case(state, &wrong[i], model, &reader);
    if (status == ENTROPIC_OK)
      status = show_reader(reader, &model->schema, wrong[i].with_targets, 100, text);
    assert_int_equal(status, wrong[i].weights != NULL && strstr(wrong[i].rows, "line") == NULL &&
                                     strstr(wrong[i].rows, "row") == NULL
                                 ? ENTROPIC_BAD_ARGUMENT
                                 : ENTROPIC_BAD_DATA);
    assert_message(context, wrong[i].rows);
    entropic_row_reader_free(reader);
    free_model(model);
  }
}

/* Marks of missing values are those of the fit, unless they are given again. */
static void marks_come_from_the_model(void **state) {
  static const char learnt[] = "a,b,y\n1,-999,5\n2,7,6\nunknown,9,8\n4,6,2\n";
  static const struct {
    const char *fitted, *read, *rows;
  } cases[] = {
      {"-999,unknown", NULL, "/ . ./ 7 ./ 3 8"},           {"-999,unknown", "unknown", "/ . -999/ 7 ./ 3 8"},
      {"-999,unknown", "unknown,7", "/ . -999/ . ./ 3 8"}, {"unknown", NULL, "/ . -999/ 7 ./ 3 8"},
      {"unknown", "unknown,-999.0,8", "/ . ./ 7 ./ 3 ."},
  };
  const ent_roles roles = {.targets = "y"};
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_model *model = make_marked_model(state, learnt, &roles, cases[i].fitted);
    const char *path = in_folder(state, "file");
    static const char text[] = "a,b\nunknown,-999\n7,NA\n3,8\n";
    write_file(path, text, strlen(text));
    ent_read_options options = ent_read_options_default();
    options.missing = cases[i].read;
    entropic_row_reader *reader = NULL;
    char rows[1000];
    assert_int_equal(ent_row_reader_open(context, model, path, &options, 0, &reader), ENTROPIC_OK);
    assert_int_equal(show_reader(reader, &model->schema, 0, 2, rows), ENTROPIC_OK);
    assert_string_equal(rows, cases[i].rows);
    entropic_row_reader_free(reader);
    free_model(model);
  }
  entropic_model *model = make_marked_model(state, "a,y\n1,5\n2,6\n3,7\n", &roles, "");
  const char *path = in_folder(state, "file");
  write_file(path, "a\n7\nNA\n", 7);
  entropic_row_reader *reader = NULL;
  char rows[1000];
  assert_int_equal(ent_row_reader_open(context, model, path, NULL, 0, &reader), ENTROPIC_OK);
  assert_int_equal(show_reader(reader, &model->schema, 0, 2, rows), ENTROPIC_BAD_DATA);
  assert_message(context, "file, line 3, column 1 (a): found 'NA', expected a number");
  entropic_row_reader_free(reader);
  free_model(model);
}

typedef struct unused_case {
  reader_case file;
  const char *unused; /* names of inputs, a blank behind each */
} unused_case;

static const unused_case unused_cases[] = {
    /* By name: what is not used need not be there, and may be anything. */
    {{THREE, "y", "c,a\nred,1.5\nblue,-2\n", 0, NULL, "/ 1.5 . 1/ -2 . 0"}, "b "},
    {{THREE, "y", "a,b,c\n1,word,red\n2,1e999,blue\n", 0, NULL, "/ 1 . 1/ 2 . 0"}, "b "},
    {{THREE, "y", "b,y\n1,3\n2,\n", 1, NULL, "/ . 1 . > 3/ . 2 . > ."}, "a c "},
    {{THREE, "y", "b,y,c\n1,3,2\n2,6,5\n", 1, "c", "/ . 1 . > 3 *2/ . 2 . > 6 *5"}, "a c "},
    {{THREE, "y", "z,y\nu,3\nv,4\n", 1, NULL, "/ . . . > 3/ . . . > 4"}, "a b c "},
    {{THREE, "y", "z\n7\n8\n", 0, NULL, "/ . . ./ . . ."}, "a b c "},
    /* By place, where all count. */
    {{THREE, "y", "1,word,red\n2,other,blue\n", 0, NULL, "/ 1 . 1/ 2 . 0"}, "b "},
    {{NUMBERED, "4", "7,word,0,5\n6,?,0,4\n", 1, NULL, "/ 7 . > 5/ 6 . > 4"}, "x2 "},
    {{"1 1:2 3:4\n2 2:1\n", NULL, "1 1:7 2:8\n2 3:9 4:5\n", 1, NULL, "/ 7 . 0 > 0/ 0 . 9 > 1"}, "x2 "},
    {{"1 1:2 3:4\n2 2:1\n", NULL, "1 1:7 2:word\n2 2:1e999 3:9\n", 1, NULL, "/ 7 . 0 > 0/ 0 . 9 > 1"}, "x2 "},
    {{"1 1:2 3:4\n2 2:1\n", NULL, "1 1:7 3:word\n", 1, NULL, "entry 3: found '3:word', expected a number"}, "x2 "},
    /* Names that could be values do not make a header unless all are there. */
    {{"1,2,y\n1,2,3\n4,6,5\n3,9,8\n", "y", "1,5\n1,6\n", 0, NULL, "/ 1 ./ 1 ."}, "2 "},
    {{"1,2,y\n1,2,3\n4,6,5\n3,9,8\n", "y", "2,1\n5,1\n", 0, NULL, "/ 1 ."}, "2 "},
    /* What is used is still asked for. */
    {{THREE, "y", "b,c\n1,red\n", 0, NULL, "no column a, which is an input of the model; there are b, c"}, "b "},
    {{THREE, "y", "1,red\n", 0, NULL, "file has no names and 2 columns, expected 3"}, "b "},
};

static void unused_inputs_are_not_asked_for(void **state) {
  for (size_t i = 0; i < COUNT(unused_cases); i++) {
    const reader_case *at = &unused_cases[i].file;
    const ent_roles roles = {.targets = at->targets};
    entropic_model *model = make_model(state, at->learnt, &roles);
    size_t dropped = 0;
    for (size_t k = 0; k < model->schema.inputs; k++) {
      char name[16];
      snprintf(name, sizeof name, "%s ", model->schema.input[k].name);
      if (strstr(unused_cases[i].unused, name) == NULL)
        continue;
      ent_input_drop(&model->schema.input[k]);
      dropped++;
    }
    assert_true(dropped > 0);
    entropic_row_reader *reader = NULL;
    char text[1000];
    entropic_status status = open_case(state, at, model, &reader);
    if (status == ENTROPIC_OK)
      status = show_reader(reader, &model->schema, at->with_targets, 2, text);
    if (status != ENTROPIC_OK)
      test_message(entropic_context_message(context), at->rows, __FILE__, __LINE__);
    else
      assert_string_equal(text, at->rows);
    entropic_row_reader_free(reader);
    free_model(model);
  }
}

static void arguments_are_checked(void **state) {
  const ent_roles roles = {.targets = "y"};
  entropic_model *model = make_model(state, THREE, &roles);
  const char *path = in_folder(state, "learnt");
  entropic_row_reader *reader = NULL;
  assert_int_equal(ent_row_reader_open(context, NULL, path, NULL, 0, &reader), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "model is NULL");
  assert_int_equal(ent_row_reader_open(context, model, NULL, NULL, 0, &reader), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "path is NULL");
  assert_int_equal(ent_row_reader_open(context, model, path, NULL, 0, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "reader is NULL");
  assert_int_equal(ent_row_reader_open(context, model, in_folder(state, "none"), NULL, 0, &reader), ENTROPIC_SYSTEM);
  ent_read_options options = ent_read_options_default();
  const char **const others[] = {&options.roles.targets, &options.roles.groups, &options.roles.ignore,
                                 &options.roles.categorical};
  for (size_t i = 0; i < COUNT(others); i++) {
    *others[i] = "a";
    assert_int_equal(ent_row_reader_open(context, model, path, &options, 1, &reader), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "a role other than weights is set");
    *others[i] = NULL;
  }
  assert_null(reader);
  assert_int_equal(ent_row_reader_open(context, model, path, NULL, 1, &reader), ENTROPIC_OK);
  double x[30], y[10], weights[10];
  size_t rows = 77;
  assert_int_equal(entropic_row_reader_next(context, NULL, 10, x, y, weights, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_row_reader_next(context, reader, 0, x, y, weights, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_row_reader_next(context, reader, 10, NULL, y, weights, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_row_reader_next(context, reader, 10, x, y, weights, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_row_reader_next(context, reader, 10, x, NULL, weights, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "y or weights is NULL");
  assert_int_equal(entropic_row_reader_next(context, reader, 10, x, y, NULL, &rows), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(rows, 77);
  assert_int_equal(entropic_row_reader_next(context, reader, 10, x, y, weights, &rows), ENTROPIC_OK);
  assert_int_equal(rows, 3);
  for (int again = 0; again < 2; again++) {
    assert_int_equal(entropic_row_reader_next(context, reader, 10, x, y, weights, &rows), ENTROPIC_OK);
    assert_int_equal(rows, 0);
  }
  entropic_row_reader_free(reader);
  entropic_row_reader_free(NULL);
  /* Without targets there are none, wherever they would go. */
  assert_int_equal(ent_row_reader_open(context, model, path, NULL, 0, &reader), ENTROPIC_OK);
  assert_int_equal(entropic_row_reader_next(context, reader, 10, x, y, weights, &rows), ENTROPIC_OK);
  assert_true(isnan(y[0]) && isnan(y[2]) && weights[0] == 1 && weights[2] == 1);
  entropic_row_reader_free(reader);
  free_model(model);
}

static void arrays_are_fed(void **state) {
  const ent_roles roles = {.targets = "y"};
  static const char array[] = "\x93NUMPY\1\0\x38\0{'descr': '|i1', 'fortran_order': True, 'shape': (2, 2)}\1\2\3\4";
  const char *path = in_folder(state, "array.npy");
  write_file(path, array, 70);
  entropic_model *model = make_model(state, "a,b,y\n1,2,0.5\n2,3,1\n3,3,9\n", &roles);
  entropic_row_reader *reader = NULL;
  char text[100];
  assert_int_equal(ent_row_reader_open(context, model, path, NULL, 0, &reader), ENTROPIC_OK);
  assert_int_equal(show_reader(reader, &model->schema, 0, 10, text), ENTROPIC_OK);
  assert_string_equal(text, "/ 1 3/ 2 4");
  entropic_row_reader_free(reader);
  free_model(model);
  model = make_model(state, "1,0.5\n2,1\n4,9\n", &(ent_roles){.targets = "2"});
  assert_int_equal(ent_row_reader_open(context, model, path, NULL, 1, &reader), ENTROPIC_OK);
  assert_int_equal(show_reader(reader, &model->schema, 1, 10, text), ENTROPIC_OK);
  assert_string_equal(text, "/ 1 > 3/ 2 > 4");
  entropic_row_reader_free(reader);
  free_model(model);
}

/* Names that are numbers, which nobody would take for a header but who looks for them. */
static void names_make_a_header(void **state) {
  entropic_model *model = make_model(state, "a,b,y\n1,2,0.5\n2,3,1\n3,3,9\n", &(ent_roles){.targets = "y"});
  strcpy(model->schema.input[0].name, "7"); /* in place of one letter */
  strcpy(model->schema.input[1].name, "9");
  static const struct {
    const char *text, *rows;
  } cases[] = {{"9,5,7\n1,2,3\n4,5,6\n", "/ 3 1/ 6 4"}, {"9,8\n1,2\n", "/ 9 8/ 1 2"}, {"7,1\n9,7\n", "/ 7 1/ 9 7"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    char text[100];
    entropic_row_reader *reader = NULL;
    assert_int_equal(open_case(state, &(reader_case){.text = cases[i].text}, model, &reader), ENTROPIC_OK);
    assert_int_equal(show_reader(reader, &model->schema, 0, 10, text), ENTROPIC_OK);
    assert_string_equal(text, cases[i].rows);
    entropic_row_reader_free(reader);
  }
  free_model(model);
}

/* A long file through a pipe, with ever new texts: all rows come, in blocks of any size. */
static void pipes_are_read(void **state) {
  const ent_roles roles = {.targets = "y"};
  entropic_model *model = make_model(state, THREE, &roles);
  enum { total = 30000 };
  piped_input input =
      pipe_input("echo c,a,y,b; i=0; while [ $i -lt 30000 ]; do echo \"t$i,$i,$((i * 2)),1\"; i=$((i+1)); done");
  entropic_row_reader *reader = NULL;
  entropic_status status = ent_row_reader_open(context, model, "-", NULL, 1, &reader);
  static double x[777 * 3], y[777], weights[777];
  size_t rows = 1, seen = 0, right = 0;
  while (status == ENTROPIC_OK && rows > 0) {
    status = entropic_row_reader_next(context, reader, 777, x, y, weights, &rows);
    for (size_t row = 0; row < rows && status == ENTROPIC_OK; row++, seen++)
      right += x[row * 3] == (double)seen && x[row * 3 + 1] == 1 && x[row * 3 + 2] == 2 && y[row] == 2 * (double)seen;
  }
  entropic_row_reader_free(reader);
  restore_input(input);
  assert_int_equal(status, ENTROPIC_OK);
  assert_int_equal(seen, total);
  assert_int_equal(right, total);
  free_model(model);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(model_row_reader) {
  const struct CMUnitTest tests[] = {
      TEST(inputs_are_found_and_read),
      TEST(what_does_not_fit_is_refused),
      TEST(marks_come_from_the_model),
      TEST(arguments_are_checked),
      TEST(arrays_are_fed),
      TEST(names_make_a_header),
      TEST(pipes_are_read),
      TEST(unused_inputs_are_not_asked_for),
  };
  return cmocka_run_group_tests_name("model_feed", tests, NULL, NULL);
}
