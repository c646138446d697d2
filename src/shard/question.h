/* Questions to shards and their answers, as messages: see entropic/shards.h. */
#ifndef ENT_SHARD_QUESTION_H
#define ENT_SHARD_QUESTION_H

#include "columns/message.h"
#include "update/collection.h"

typedef enum ent_question_kind {
  ENT_QUESTION_FAILURE = 0, /* only of answers */
  ENT_QUESTION_GUESS = 1,   /* the first plan: the first shard's */
  ENT_QUESTION_READ = 2,    /* the survey of rows read by a plan */
  ENT_QUESTION_SAMPLE = 3,  /* the rows of the sample */
  ENT_QUESTION_COLLECT = 4, /* statistics for a model */
  ENT_QUESTION_GRADIENT = 5 /* sums of the logistic gradient at the weights of a model */
} ent_question_kind;

/* Bytes that are borrowed. */
typedef struct ent_span {
  const unsigned char *bytes;
  size_t count;
} ent_span;

/* They as a message that is only read. */
static inline ent_message ent_message_of(ent_span bytes) {
  return (ent_message){(unsigned char *)(uintptr_t)bytes.bytes, bytes.count};
}

/* Borrows all; but what was unpacked owns first_row and class_weight: ent_question_clear. */
typedef struct ent_question {
  ent_question_kind kind;
  size_t shards;       /* of the table */
  ent_span plan;       /* all but GUESS */
  ent_span survey;     /* SAMPLE, COLLECT, GRADIENT: the survey that was decided on */
  uint64_t *first_row; /* likewise: [shards] */
  uint64_t rows, most; /* SAMPLE: of all shards; of the sample */
  ent_span model;      /* COLLECT, GRADIENT */
  int weight_exponent; /* GRADIENT, as are the next: see ent_gradient_point */
  size_t classes;      /* 0: no factors */
  double *class_weight;
} ent_question;

entropic_status ent_question_pack(entropic_context *context, const ent_question *question, ent_message *message);
/* The bytes must outlive the question. BAD_DATA for bytes that are no question. */
entropic_status ent_question_unpack(entropic_context *context, ent_span bytes, ent_question *question);
void ent_question_clear(ent_question *question);

/* What was unpacked borrows from the bytes, but owns the lists. */
typedef struct ent_reply {
  ent_question_kind kind;
  entropic_status status;  /* FAILURE */
  char *message;           /* likewise; owned where it was unpacked */
  size_t count;            /* of the lists: shards that have answered */
  uint64_t *rows;          /* READ: [count] of each shard */
  ent_span *lists;         /* SAMPLE: [count] rows of each */
  ent_span bytes;          /* GUESS: a plan, or nothing; READ: a survey; COLLECT: statistics; GRADIENT: sums */
  ent_collected collected; /* COLLECT, GRADIENT */
} ent_reply;

entropic_status ent_reply_pack(entropic_context *context, const ent_reply *reply, ent_message *message);
entropic_status ent_reply_unpack(entropic_context *context, ent_span bytes, ent_reply *reply);
void ent_reply_clear(ent_reply *reply);

#endif
