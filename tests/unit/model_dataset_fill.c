/* How another table is made to fit a data set. */
#include "unit/showing.h"
#include "dataset/dataset.h"

static void others_are_made_to_fit(void **state) {
  static const struct {
    const char *text;
    ent_roles roles;
    const char *other;
    ent_roles other_roles;
    const char *rows;
    size_t unseen;
  } cases[] = {
      /* Columns in any order, others besides; constant here, identifiers there. */
      {"a,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       {.targets = "y"},
       "y,q,b,a\n1,x,2,3\n4,x,2,6\n",
       {.targets = "y"},
       "3 2 > 1/ 6 2 > 4",
       0},
      /* Categories by name. */
      {"c,a,y\nred,1,1\nblue,2,2\ngreen,3,4\n",
       {.targets = "y"},
       "c,a,y\ngreen,5,1\npink,6,2\nblue,7,3\n,8,9\npink,9,9\n",
       {.targets = "y"},
       "1 5 > 1/ 3 6 > 2/ 0 7 > 3/ . 8 > 9/ 3 9 > 9",
       2},
      /* Categories that are numbers, in a column that is text there and numbers here, and the other way round. */
      {"c,a,y\n1,1,1\n2.0,2,2\nx,3,4\n",
       {.targets = "y"},
       "c,a,y\n1,5,1\n2,6,2\n3,7,3\n",
       {.targets = "y"},
       "0 5 > 1/ 1 6 > 2/ 3 7 > 3",
       1},
      {"c,a,y\n1,1,1\n2,2,2\n10,3,4\n",
       {.targets = "y", .categorical = "c"},
       "c,a,y\n1.0,5,1\nx,6,2\n1e1,7,3\n",
       {.targets = "y"},
       "0 5 > 1/ 3 6 > 2/ 2 7 > 3",
       1},
      /* Classes likewise, though there is only one of them. */
      {"a,y\n1,yes\n2,no\n", {.targets = "y"}, "a,y\n5,yes\n6,\n7,yes\n", {.targets = "y"}, "5 > 1/ 7 > 1", 0},
      {"a,y\n1,1\n2,-1\n", {.targets = "y"}, "a,y\n5,+1\n6,1.0\n7,-1\n", {.targets = "y"}, "5 > 1/ 6 > 1/ 7 > 0", 0},
      {"a,y\n1,1\n2,-1\n",
       {.targets = "y"},
       "a,y\n5,+1\n6,1.0\n",
       {.targets = "y", .categorical = "y"},
       "5 > 1/ 6 > 1",
       0},
      {"a,y\n1,1\n2,2\n3,x\n", {.targets = "y"}, "a,y\n5,2\n6,2.0\n", {.targets = "y"}, "5 > 1/ 6 > 1", 0},
      /* Weights and groups are this table's own. */
      {"a,w,y\n1,2,5\n2,1,6\n3,2,8\n",
       {.targets = "y", .weights = "w"},
       "a,g,v,y\n5,9,0,6\n6,8,1,7\n7,9,2,8\n",
       {.targets = "y", .weights = "v", .groups = "g"},
       "6 > 7 *1 @0/ 7 > 8 *2 @1",
       0},
      /* LIBSVM leaves out zeros, also for good. */
      {"1 1:2 3:4\n2 2:1\n", {0}, "1 1:7\n2 1:9\n", {0}, "7 0 0 > 0/ 9 0 0 > 1", 0},
      {"1 1:2 2:4\n2 2:1\n", {0}, "1 1:7 5:8\n", {0}, "7 0 > 0", 0},
      /* Nothing there. */
      {"a,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       {.targets = "y"},
       "a,b,y\n,1,2\n,2,3\n",
       {.targets = "y"},
       ". 1 > 2/ . 2 > 3",
       0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_dataset *like = create(state, cases[i].text, &cases[i].roles, ENTROPIC_TASK_AUTO), *made = NULL;
    char schema[2000];
    strcpy(schema, show_schema(&like->schema));
    entropic_table *table = load(state, cases[i].other, &cases[i].other_roles);
    if (entropic_dataset_create_with_schema(context, table, like, &made) != ENTROPIC_OK)
      fail_msg("'%s' is refused: %s", cases[i].other, entropic_context_message(context));
    entropic_dataset_free(like);
    entropic_table_free(table);
    assert_string_equal(show_schema(&made->schema), schema);
    assert_string_equal(show_rows(made), cases[i].rows);
    assert_int_equal(ent_dataset_describe(made).unseen, cases[i].unseen);
    assert_int_equal(ent_dataset_describe(made).dropped, 0);
    entropic_dataset_free(made);
  }
}

static void others_that_do_not_fit_are_refused(void **state) {
  static const struct {
    const char *text, *other;
    ent_roles other_roles;
    const char *message;
  } cases[] = {
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "agee,b,y\n1,2,3\n",
       {.targets = "y"},
       "file: no column age, which is an input: did you mean agee?"},
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "b,y\n2,3\n",
       {.targets = "y"},
       "file: no column age, which is an input; there are b, y"},
      {"age,ages,y\n1,2,3\n4,5,7\n7,8,9\n",
       "ages,y\n2,3\n",
       {.targets = "y"},
       "file: no column age, which is an input; there are ages, y"},
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "age,b,target\n1,2,3\n",
       {.targets = "target"},
       "file: no column y, which is the target; there are age, b, target"},
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "age,b,y\n1,2,3\n",
       {.targets = "y", .ignore = "b"},
       "file: column b is an input and cannot be ignored"},
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "age,b,y\n1,2,3\n",
       {.ignore = "y"},
       "file: column y is the target and cannot be ignored"},
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "age,b,y\n3,2,3\nold,2,3\n",
       {.targets = "y"},
       "file, line 3, column 1 (age): found 'old', expected a number, as in the rows learnt from"},
      {"age,b,y\n1,2,3\n4,5,7\n7,8,9\n",
       "age,b,y\n3,2,3\n1,2,much\n",
       {.targets = "y"},
       "file, line 3, column 3 (y): found 'much', expected a number, as in the rows learnt from"},
      {"a,y\n1,u\n4,v\n5,w\n",
       "a,y\n3,u\n4,U\n",
       {.targets = "y"},
       "file, line 3, column 2 (y): found 'U', expected one of the classes u, v, w"},
      {"a,y\n1,1\n4,0\n5,1\n",
       "a,y\n3,1\n4,2\n",
       {.targets = "y"},
       "file, line 3, column 2 (y): found '2', expected one of the classes 0, 1"},
      {"a,y\n1,a\n2,b\n3,c\n4,d\n5,e\n6,f\n7,g\n8,h\n9,i\n0,j\n1,k\n2,l\n",
       "a,y\n3,z\n4,a\n",
       {.targets = "y"},
       "expected one of the classes a, b, c, d, e, f, g, h, i, j and 2 more"},
      {"a,y\n1,1\n4,0\n5,1\n", "a,y\n3,\n4,\n", {.targets = "y"}, "file: none of the 2 rows can be used"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const ent_roles roles = {.targets = "y"};
    entropic_dataset *like = create(state, cases[i].text, &roles, ENTROPIC_TASK_AUTO), *made = NULL;
    entropic_table *table = load(state, cases[i].other, &cases[i].other_roles);
    assert_int_equal(entropic_dataset_create_with_schema(context, table, like, &made), ENTROPIC_BAD_DATA);
    assert_message(context, cases[i].message);
    assert_null(made);
    assert_int_equal(entropic_dataset_create_with_schema(context, NULL, like, &made), ENTROPIC_BAD_ARGUMENT);
    assert_int_equal(entropic_dataset_create_with_schema(context, table, NULL, &made), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "schema_of is NULL");
    assert_int_equal(entropic_dataset_create_with_schema(context, table, like, NULL), ENTROPIC_BAD_ARGUMENT);
    entropic_dataset_free(like);
    entropic_table_free(table);
  }
}

SUITE(model_dataset_fill) {
  const struct CMUnitTest tests[] = {TEST(others_are_made_to_fit), TEST(others_that_do_not_fit_are_refused)};
  return cmocka_run_group_tests_name("model_dataset_fill", tests, NULL, NULL);
}
