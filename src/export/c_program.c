/* Tables of the program of a C99 file, a main that reads CSV: dates, marks of missing values, columns. */
#include <math.h>
#include <string.h>

#include "export/languages.h"

/* Those of the marks that are numbers, which count however they are written; and a last one that is not used. */
static void write_marked_numbers(ent_export_text *text, const char *marks) {
  ent_export_code(text, ";\nstatic const double @marked_numbers[] = {");
  for (const char *p = marks; *p != '\0'; p += *p == ',') {
    size_t length = strcspn(p, ",");
    double value;
    if (entropic_parse_double(p, length, &value) == ENTROPIC_OK && isfinite(value)) {
      char shown[ENTROPIC_NUMBER_SIZE];
      entropic_format_double(value, shown);
      ent_export_plain(text, shown);
      ent_export_plain(text, ", ");
    }
    p += length;
  }
  ent_export_plain(text, "0};\n");
}

void ent_export_c_program_columns(ent_export_text *text, const ent_export_parts *parts) {
  if (!ent_export_has_parts(parts)) {
    ent_export_code(text, "static const char *const *const @column_names = @input_names;\n");
    return;
  }
  ent_export_c_columns(text, parts);
}

void ent_export_c_program_tables(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, "static const unsigned char @dates[] = {");
  for (size_t i = 0; i < parts->effects->used; i++)
    ent_export_plain(
        text, ent_export_schema(parts, i)->date || ent_part_is_made(ent_export_schema(parts, i)->part) ? "1, " : "0, ");
  ent_export_code(text, "0};\nstatic const char @marks[] = ");
  ent_export_c_string(text, ent_export_marks(parts));
  write_marked_numbers(text, ent_export_marks(parts));
  ent_export_code(text, "static const char @number_marks[] = ");
  ent_export_c_string(text, ENT_EXPORT_NUMBER_MARKS);
  ent_export_code(text, ";\n");
}
