/* What a model file starts with and what it is made of; docs/model-format.md has every byte. */
#ifndef ENT_MODEL_FORMAT_H
#define ENT_MODEL_FORMAT_H

#include "base/pack.h"
#include "model/model.h"

/* The first byte is no text, and line ends do not survive a transfer as text: such a file is told apart at once. */
#define ENT_MODEL_MAGIC                                                                                                \
  "\x89"                                                                                                               \
  "ENT\r\n\x1a\n"
/* Files of statistics are models without weights, with another name in front. */
#define ENT_STATISTICS_MAGIC                                                                                           \
  "\x89"                                                                                                               \
  "ENS\r\n\x1a\n"
/* The newest that is known. A file says the oldest that can hold it, so that older programs read what they can. */
#define ENT_MODEL_VERSION UINT32_C(8)

#define ENT_MAGIC_SIZE ((size_t)8)
#define ENT_HEAD_SIZE (ENT_MAGIC_SIZE + 4 + 8) /* magic, version, length of the file */
#define ENT_SECTION_HEAD_SIZE ((size_t)4 + 8)  /* tag, length of what follows */
#define ENT_SUM_SIZE ((size_t)4)

/* Longer files are neither written nor read. */
#define ENT_MODEL_MOST_BYTES (UINT64_C(1) << 36)
/* More than any machine counts rows: 2^53. */
#define ENT_MODEL_MOST_ROWS (UINT64_C(1) << 53)

/* The sections, in the order in which they come. A tag that begins with a small letter can be skipped by readers that do
 * not know it. */
typedef enum ent_section {
  ENT_SECTION_INFO,
  ENT_SECTION_SCHEMA,
  ENT_SECTION_SCALER,
  ENT_SECTION_KERNEL,
  ENT_SECTION_DESIGN, /* not with the exact solver */
  ENT_SECTION_POINTS, /* only with it */
  ENT_SECTION_WEIGHTS,
  ENT_SECTIONS
} ent_section;

static const char ent_section_tags[ENT_SECTIONS][5] = {"INFO", "SCHM", "SCAL", "KERN", "DSGN", "PNTS", "WGTS"};

/* Behind the schema, where some input or target is not plainly written: a notation for each. Readers that do not know it
 * find cells that they cannot read, and say so. */
#define ENT_NOTATION_TAG "note"
/* Behind these, where some input is of a date: what each has of its column, an ent_date_part. No reader may skip it. */
#define ENT_PARTS_TAG "PART"
#define ENT_PARTS_VERSION UINT32_C(6) /* the first that has it */
/* Behind these, where the caller gave marks of missing values: the marks. */
#define ENT_MARKS_TAG "miss"
/* Behind these, where rows with missing values are refused: a byte for each input. No reader may skip it. */
#define ENT_COMPLETE_TAG "FULL"
/* Behind these, where the features were restricted to terms: two lists of terms, one of them may be empty. */
#define ENT_TERMS_TAG "term"
/* Behind these, where inputs in use are made of categories: their target means. No reader may skip it. */
#define ENT_MEANS_TAG "MEAN"
#define ENT_MEANS_VERSION UINT32_C(8) /* the first that has it, and inputs that are made */
/* Behind the design, where lines go on outside the range learnt from: a byte for each input. No reader may skip it. */
#define ENT_BEYOND_TAG "BYND"
/* Behind the weights, one for each component but the first: its scaler, kernel, design or points, and weights. No reader may
 * skip it. */
#define ENT_COMPONENT_TAG "COMP"
#define ENT_COMPONENT_VERSION UINT32_C(7) /* the first that has it */
#define ENT_MOST_COMPONENTS 1000
/* Behind these, in this order, where there are such: what is frozen with the model for statistics of rows, these
 * statistics, and what they were when the model was validated. */
#define ENT_FROZEN_TAG "frzn"
#define ENT_TOTALS_TAG "stat"
#define ENT_VALIDATED_TAG "vald"
/* Behind the statistics: the sums behind the marginals of the atoms. */
#define ENT_MARGINAL_SUMS_TAG "msum"
/* Behind these, in models of features without such sums: the marginals of the atoms. */
#define ENT_MARGINALS_TAG "marg"
/* Behind these, where the fit left rows out: the intervals. */
#define ENT_INTERVALS_TAG "intv"
/* Behind these, in models that are the mean of several members: the main effects of each. */
#define ENT_MEMBERS_TAG "memb"
/* That a model can be the mean of. */
#define ENT_MOST_MEMBERS 10000

/* What is marked of an input, and of an axis. */
enum {
  ENT_INPUT_MISSING = 1,
  ENT_INPUT_DATE = 2,
  ENT_INPUT_UNUSED = 4,
  ENT_INPUT_CATEGORY = 8,
  ENT_INPUT_DERIVED = 16
};
enum { ENT_AXIS_UNIT = 1, ENT_AXIS_MISSING = 2 };
/* How a custom kernel is written: p and q, or alpha, beta, left and right. */
enum { ENT_CUSTOM_PAIR = 1, ENT_CUSTOM_EQUATION = 2 };

/* The first input in use from `input` on; the number of inputs if there is none. */
static inline size_t ent_next_used(const ent_schema *schema, size_t input) {
  while (input < schema->inputs && schema->input[input].unused)
    input++;
  return input;
}

/* Whether a model with points, or with features, has the section. */
static inline bool ent_has_section(bool points, ent_section section) {
  return section != (points ? ENT_SECTION_DESIGN : ENT_SECTION_POINTS);
}

/* Readers of sections, each for a model of which the sections before are there. */
void ent_load_info(ent_unpacker *unpacker, entropic_model *model);
void ent_load_schema(ent_unpacker *unpacker, entropic_model *model);
void ent_load_notations(ent_unpacker *unpacker, entropic_model *model);
void ent_load_parts(ent_unpacker *unpacker, entropic_model *model);
void ent_load_marks(ent_unpacker *unpacker, entropic_model *model);
void ent_load_complete(ent_unpacker *unpacker, entropic_model *model);
void ent_load_terms(ent_unpacker *unpacker, entropic_model *model);
void ent_load_means(ent_unpacker *unpacker, entropic_model *model);
/* Refuses inputs that are made if there is nothing that they are made by. */
void ent_load_check_means(ent_unpacker *unpacker, const entropic_model *model);
/* Writes that section, if there are target means. */
void ent_save_means(ent_packer *packer, const entropic_model *model);
void ent_load_scaler(ent_unpacker *unpacker, entropic_model *model);
void ent_load_kernel(ent_unpacker *unpacker, entropic_model *model);
void ent_load_design(ent_unpacker *unpacker, entropic_model *model);
void ent_load_beyond(ent_unpacker *unpacker, entropic_model *model);
void ent_load_points(ent_unpacker *unpacker, entropic_model *model);
void ent_load_weights(ent_unpacker *unpacker, entropic_model *model);
void ent_load_frozen(ent_unpacker *unpacker, entropic_model *model);
void ent_load_totals(ent_unpacker *unpacker, entropic_model *model);
void ent_load_marginal_sums(ent_unpacker *unpacker, entropic_model *model);
void ent_load_validated(ent_unpacker *unpacker, entropic_model *model);
void ent_load_marginals(ent_unpacker *unpacker, entropic_model *model);
/* Writes that section, if there are marginals. */
void ent_save_marginals(ent_packer *packer, const entropic_model *model);
void ent_load_intervals(ent_unpacker *unpacker, entropic_model *model);
/* Writes that section, if there are intervals. */
void ent_save_intervals(ent_packer *packer, const entropic_model *model);
void ent_load_member_effects(ent_unpacker *unpacker, entropic_model *model);
/* Writes that section, if there are effects of members. */
void ent_save_member_effects(ent_packer *packer, const entropic_model *model);
/* Whether the sections of a file of statistics are those that are written. */
void ent_load_check_statistics(ent_unpacker *unpacker, const entropic_model *model);

#endif
