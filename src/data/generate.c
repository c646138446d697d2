/* The classical test functions of regression and of computer experiments, with the ranges usual in the literature
 * (J. H. Friedman 1991 for his three; the others as collected by S. Surjanovic and D. Bingham). */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/threads.h"

#define ENT_PI 0x1.921fb54442d18p+1
#define ENT_MAX_INPUTS 10
#define ENT_ROWS_PER_TASK 4096

/* A generator and what is behind it. */
typedef struct ent_generator {
  entropic_generator shown;
  double (*function)(const double *x);
  double ranges[ENT_MAX_INPUTS][2];
} ent_generator;

static double friedman1(const double *x) {
  double centred = x[2] - 0.5;
  return 10 * sin(ENT_PI * x[0] * x[1]) + 20 * centred * centred + 10 * x[3] + 5 * x[4];
}

/* An alternating-current circuit of resistance x1, frequency x2, inductance x3 and capacity x4: its reactance. */
static double reactance(const double *x) {
  return x[1] * x[2] - 1 / (x[1] * x[3]);
}

/* ... the impedance */
static double friedman2(const double *x) {
  return sqrt(x[0] * x[0] + reactance(x) * reactance(x));
}

/* ... and the phase. atan2, as the resistance may be 0. */
static double friedman3(const double *x) {
  return atan2(reactance(x), x[0]);
}

static double ishigami(const double *x) {
  double s = sin(x[1]), square = x[2] * x[2];
  return sin(x[0]) * (1 + 0.1 * square * square) + 7 * s * s;
}

/* Water flow through a borehole between two aquifers: radius of the hole, radius of influence, transmissivity and head
 * of the upper aquifer, of the lower one, length and conductivity of the hole. */
static double borehole(const double *x) {
  double rw = x[0], r = x[1], tu = x[2], hu = x[3], tl = x[4], hl = x[5], length = x[6], kw = x[7];
  double logarithm = log(r / rw);
  return 2 * ENT_PI * tu * (hu - hl) / (logarithm * (1 + 2 * length * tu / (logarithm * rw * rw * kw) + tu / tl));
}

/* The cycle time of a piston: mass, surface, initial gas volume, spring, pressure, ambient and gas temperature. */
static double piston(const double *x) {
  double mass = x[0], surface = x[1], v0 = x[2], k = x[3], p0 = x[4], ta = x[5], t0 = x[6];
  double gas = p0 * v0 / t0 * ta;
  double a = p0 * surface + 19.62 * mass - k * v0 / surface;
  double volume = surface / (2 * k) * (sqrt(a * a + 4 * k * gas) - a);
  return 2 * ENT_PI * sqrt(mass / (k + surface * surface * gas / (volume * volume)));
}

/* The mid-point voltage of an output-transformerless push-pull circuit: resistances b1, b2, f, c1, c2, current gain. */
static double otl(const double *x) {
  double rb1 = x[0], rb2 = x[1], rf = x[2], rc1 = x[3], rc2 = x[4], beta = x[5];
  double vb1 = 12 * rb2 / (rb1 + rb2);
  double gain = beta * (rc2 + 9);
  return ((vb1 + 0.74) * gain + 11.35 * rf + 0.74 * rf * gain / rc1) / (gain + rf);
}

/* The weight of a light aircraft's wing: area, fuel weight, aspect ratio, sweep in degrees, dynamic pressure, taper,
 * thickness to chord, load factor, design gross weight, paint weight. */
static double wing(const double *x) {
  double cosine = cos(x[3] * (ENT_PI / 180));
  return 0.036 * pow(x[0], 0.758) * pow(x[1], 0.0035) * pow(x[2] / (cosine * cosine), 0.6) * pow(x[4], 0.006) *
             pow(x[5], 0.04) * pow(100 * x[6] / cosine, -0.3) * pow(x[7] * x[8], 0.49) +
         x[0] * x[9];
}

static const ent_generator generators[] = {
    {{"friedman1", 10, "10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5; x6 to x10 have no effect"},
     friedman1,
     {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},
    {{"friedman2", 4, "impedance of an electric circuit"},
     friedman2,
     {{0, 100}, {40 * ENT_PI, 560 * ENT_PI}, {0, 1}, {1, 11}}},
    {{"friedman3", 4, "phase of an electric circuit"},
     friedman3,
     {{0, 100}, {40 * ENT_PI, 560 * ENT_PI}, {0, 1}, {1, 11}}},
    {{"ishigami", 3, "sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1: no part of x3 acts alone"},
     ishigami,
     {{-ENT_PI, ENT_PI}, {-ENT_PI, ENT_PI}, {-ENT_PI, ENT_PI}}},
    {{"borehole", 8, "water flow through a borehole, cubic metres a year"},
     borehole,
     {{0.05, 0.15}, {100, 50000}, {63070, 115600}, {990, 1110}, {63.1, 116}, {700, 820}, {1120, 1680}, {9855, 12045}}},
    {{"piston", 7, "cycle time of a piston, seconds"},
     piston,
     {{30, 60}, {0.005, 0.020}, {0.002, 0.010}, {1000, 5000}, {90000, 110000}, {290, 296}, {340, 360}}},
    {{"otl", 6, "mid-point voltage of a push-pull circuit without output transformer"},
     otl,
     {{50, 150}, {25, 70}, {0.5, 3}, {1.2, 2.5}, {0.25, 1.2}, {50, 300}}},
    {{"wing", 10, "weight of a light aircraft's wing, pounds"},
     wing,
     {{150, 200},
      {220, 300},
      {6, 10},
      {-10, 10},
      {16, 45},
      {0.5, 1},
      {0.08, 0.18},
      {2.5, 6},
      {1700, 2500},
      {0.025, 0.08}}},
};

#define ENT_GENERATORS (sizeof generators / sizeof generators[0])

size_t entropic_generator_count(void) {
  return ENT_GENERATORS;
}

const entropic_generator *entropic_generator_get(size_t index) {
  return index < ENT_GENERATORS ? &generators[index].shown : NULL;
}

/* By name, so that a copy of the public part will do. */
static const ent_generator *find(const char *name) {
  for (size_t i = 0; name != NULL && i < ENT_GENERATORS; i++)
    if (strcmp(generators[i].shown.name, name) == 0)
      return &generators[i];
  return NULL;
}

const entropic_generator *entropic_generator_find(const char *name) {
  const ent_generator *found = find(name);
  return found == NULL ? NULL : &found->shown;
}

typedef struct ent_generating {
  const ent_generator *generator;
  size_t first, rows;
  double noise;
  uint64_t seed;
  double *values;
} ent_generating;

/* Each row has its own stream of random numbers, so it depends on nothing but the seed and its number. */
static entropic_status generate_rows(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  (void)worker;
  const ent_generating *job = shared;
  size_t inputs = job->generator->shown.inputs, first = task * ENT_ROWS_PER_TASK;
  size_t end = job->rows - first < ENT_ROWS_PER_TASK ? job->rows : first + ENT_ROWS_PER_TASK;
  for (size_t row = first; row < end; row++) {
    double *x = job->values + row * (inputs + 1);
    entropic_random random = entropic_random_start(job->seed, job->first + row);
    for (size_t input = 0; input < inputs; input++) {
      const double *range = job->generator->ranges[input];
      x[input] = range[0] + (range[1] - range[0]) * entropic_random_uniform(&random);
    }
    x[inputs] = job->generator->function(x);
    if (job->noise > 0)
      x[inputs] += job->noise * entropic_random_normal(&random);
  }
  return ENTROPIC_OK;
}

entropic_status entropic_generate(entropic_context *context, const entropic_generator *generator, size_t first,
                                  size_t rows, double noise, uint64_t seed, double *values) {
  const ent_generator *found = find(generator == NULL ? NULL : generator->name);
  if (found == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "generator is not one of the library's");
  if (!(isfinite(noise) && noise >= 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "noise is %g, expected a finite number of at least 0", noise);
  if (values == NULL && rows > 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "values is NULL");
  ent_generating job = {found, first, rows, noise, seed, values};
  size_t tasks = rows / ENT_ROWS_PER_TASK + (rows % ENT_ROWS_PER_TASK != 0);
  return ent_parallel(context, tasks, generate_rows, &job);
}
