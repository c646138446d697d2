/* Plans of a pass over the parts of a table: see read_plan.h. */
#include "data/read_plan.h"

#include <string.h>

#include "columns/column_survey.h"

#define ENT_PLAN_KIND "ENTplan1"
/* More parts than this make no sense. */
#define ENT_PARTS_MOST 1000000

void ent_read_plan_free(ent_read_plan *plan) {
  ent_columns_free(&plan->columns);
  ent_delete(plan->starts);
  ent_delete(plan->lines);
  *plan = (ent_read_plan){0};
}

static entropic_status pack(entropic_context *context, const ent_columns *columns, const ent_read_plan *plan,
                            ent_message *message) {
  ent_packer packer;
  entropic_status status = ent_message_begin(context, ENT_PLAN_KIND, &packer);
  if (status != ENTROPIC_OK)
    return status;
  ent_pack_count(&packer, plan->parts);
  for (size_t i = 0; i < plan->parts; i++) {
    ent_pack_count(&packer, plan->starts == NULL ? 0 : plan->starts[i]);
    ent_pack_count(&packer, plan->lines == NULL ? 0 : plan->lines[i]);
  }
  ent_pack_columns(&packer, columns, false);
  return ent_message_end(&packer, message);
}

entropic_status ent_read_plan_guess(entropic_context *context, const ent_columns *columns, size_t parts,
                                    ent_message *message) {
  const ent_read_plan plan = {.parts = parts};
  return pack(context, columns, &plan, message);
}

entropic_status ent_read_plan_next(entropic_context *context, const ent_message *former,
                                   const ent_column_survey *survey, ent_message *message) {
  ent_read_plan plan;
  entropic_status status = ent_read_plan_unpack(context, former, &plan);
  if (status != ENTROPIC_OK)
    return status;
  if (survey->reread && survey->reread_part >= plan.parts) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "part %llu is to be read again, there are %zu",
                      (unsigned long long)survey->reread_part + 1, plan.parts);
    goto done;
  }
  if (survey->reread) { /* the columns have not been seen to the end */
    plan.starts[survey->reread_part] = survey->reread_start;
    plan.lines[survey->reread_part] = survey->reread_line;
  }
  status = pack(context, survey->reread ? &plan.columns : &survey->columns, &plan, message);
done:
  ent_read_plan_free(&plan);
  return status;
}

entropic_status ent_read_plan_unpack(entropic_context *context, const ent_message *message, ent_read_plan *plan) {
  ent_unpacker unpacker;
  *plan = (ent_read_plan){0};
  entropic_status status = ent_message_open(context, message, ENT_PLAN_KIND, &unpacker);
  if (status != ENTROPIC_OK)
    return status;
  plan->parts = ent_unpack_many(&unpacker, 1, ENT_PARTS_MOST, 2, "a number of parts");
  status = ENTROPIC_NO_MEMORY;
  plan->starts = ent_new(context, plan->parts, sizeof *plan->starts);
  if (plan->starts == NULL)
    goto fail;
  plan->lines = ent_new(context, plan->parts, sizeof *plan->lines);
  if (plan->lines == NULL)
    goto fail;
  for (size_t i = 0; i < plan->parts; i++) {
    plan->starts[i] = ent_unpack_count(&unpacker, 0, INT64_MAX, "where a part begins");
    plan->lines[i] = ent_unpack_count(&unpacker, 0, INT64_MAX, "the line where a part begins");
  }
  plan->columns_at = unpacker.at;
  if (ent_unpack_fine(&unpacker))
    ent_unpack_columns(&unpacker, &plan->columns, false);
  status = ent_message_close(&unpacker);
  if (status != ENTROPIC_OK)
    goto fail;
  return ENTROPIC_OK;
fail:
  ent_read_plan_free(plan);
  return status;
}

static entropic_status apply_column(entropic_context *context, const ent_column *plan, ent_column *column) {
  column->mode = plan->mode;
  column->role = plan->role;
  column->type = plan->type;
  column->notation = plan->notation;
  column->declared = plan->declared;
  column->kept = plan->kept;
  column->time = plan->time;
  column->guessed = plan->guessed;
  column->full = plan->full;
  column->unlimited = plan->unlimited;
  column->unspelled = plan->unspelled;
  ent_delete(column->evidence);
  column->evidence = NULL;
  ent_dictionary_free(column->dictionary);
  column->dictionary = NULL;
  if (plan->evidence != NULL) {
    column->evidence = ent_new(context, 1, sizeof *column->evidence);
    if (column->evidence == NULL)
      return ENTROPIC_NO_MEMORY;
    *column->evidence = *plan->evidence;
  }
  return column->mode == ENT_MODE_TEXT ? ent_column_make_text(context, column) : ENTROPIC_OK;
}

entropic_status ent_read_plan_apply(entropic_context *context, const ent_read_plan *plan, ent_columns *columns) {
  if (plan->columns.count != columns->count)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: found %zu columns, expected %zu as in the first part",
                    columns->file, columns->count, plan->columns.count);
  for (size_t i = 0; i < columns->count; i++) {
    const char *name = columns->list[i].name, *expected = plan->columns.list[i].name;
    char shown[ENT_SHOW_SIZE], shown_expected[ENT_SHOW_SIZE];
    if (strcmp(name, expected) != 0)
      return ent_fail(context, ENTROPIC_BAD_DATA, "%s: column %zu is called %s, expected %s as in the first part",
                      columns->file, i + 1, ent_show(name, strlen(name), shown),
                      ent_show(expected, strlen(expected), shown_expected));
    entropic_status status = apply_column(context, &plan->columns.list[i], &columns->list[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}
