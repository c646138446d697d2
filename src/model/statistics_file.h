/* Models and statistics as bytes: what save.c, load.c and the calls on statistics share. */
#ifndef ENT_MODEL_STATISTICS_FILE_H
#define ENT_MODEL_STATISTICS_FILE_H

#include "model/format.h"

/* One section, and all of them with those about statistics. */
void ent_save_section(ent_packer *packer, const entropic_model *model, ent_section section);
void ent_save_sections(ent_packer *packer, const entropic_model *model);
/* The sections about statistics, as far as the model has them. */
void ent_save_statistics(ent_packer *packer, const entropic_model *model);
/* Whether a model can be saved. */
entropic_status ent_save_check(entropic_context *context, const entropic_model *model, const char *path);

/* A model, or statistics: a model as ent_statistics_view gives it. */
entropic_status ent_save_file(entropic_context *context, const entropic_model *model, bool statistics,
                              const char *path);
entropic_status ent_save_memory(entropic_context *context, const entropic_model *model, bool statistics,
                                unsigned char **bytes, size_t *count);
entropic_status ent_load_file(entropic_context *context, const char *path, bool statistics, entropic_model **model);
entropic_status ent_load_memory(entropic_context *context, const void *bytes, size_t count, bool statistics,
                                entropic_model **model);

/* What is frozen of a model, and its statistics if it keeps some: a copy that borrows all, without weights and without
 * what changes when rows are added or forgotten. */
entropic_model ent_statistics_view(const entropic_model *model);

/* The hash of one section of the view. */
void ent_statistics_hash_section(const entropic_model *model, ent_section section, uint8_t digest[ENT_SHA256_SIZE]);

/* The receipt: the hash of all sections of the view, as a file of statistics has them behind its head. The model must
 * keep statistics. BAD_ARGUMENT if it cannot be saved. */
entropic_status ent_statistics_hash(entropic_context *context, const entropic_model *model,
                                    uint8_t digest[ENT_SHA256_SIZE]);

#endif
