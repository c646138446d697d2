/* Parts of dates in exports: see columns/date.h, whose steps the templates take in the same order. */
#include "export/languages.h"

bool ent_export_has_clock(const ent_export_parts *parts) {
  bool found = false;
  for (size_t i = 0; i < parts->effects->used; i++)
    found = found || ent_export_schema(parts, i)->part != ENT_PART_NONE;
  return found;
}

bool ent_export_has_parts(const ent_export_parts *parts) {
  bool found = false;
  for (size_t i = 0; i < parts->effects->used; i++)
    found = found || ent_part_is_made(ent_export_schema(parts, i)->part);
  return found;
}

const char *ent_export_column(const ent_export_parts *parts, size_t place) {
  const ent_schema *schema = &parts->model->schema;
  return schema->input[ent_schema_date_of(schema, ent_export_input(parts, place))].name;
}

void ent_export_c_date_parts(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, "static const unsigned char @parts[] = {");
  for (size_t i = 0; i < parts->effects->used; i++)
    ent_export_format(text, i > 0 ? ", %d" : "%d", (int)ent_export_schema(parts, i)->part);
  ent_export_plain(text, "};\n");
}
