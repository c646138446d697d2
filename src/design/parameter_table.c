/* The table of parameters: every parameter of the library stands here, and nowhere else. The command's options, its help,
 * the manual pages, the completion of shells and docs/parameters.md are made from it. A new parameter is one row, and one
 * line where its room reads it. */

#include "design/by_parameters.h"
#include "design/language_map.h"
#include "loss/loss.h"

#define READ ENTROPIC_PURPOSE_READ
#define FIT ENTROPIC_PURPOSE_FIT
#define COLLECT ENTROPIC_PURPOSE_COLLECT
#define DESIGN (ENTROPIC_PURPOSE_DESIGN | COLLECT)
#define COMPARE ENTROPIC_PURPOSE_COMPARE
#define SOLVE ENTROPIC_PURPOSE_SOLVE
#define EXPORT ENTROPIC_PURPOSE_EXPORT
#define ALL (READ | FIT | DESIGN | COMPARE)

#define MOST_FEATURES 2147483647.0
#define MOST_COMPARED 20000.0
#define MOST_SEED 0x1p64

static const char *loss_choice(size_t choice, const char **help) {
  if (choice == 0) {
    *help = "";
    return "auto";
  }
  const ent_loss *loss = ent_loss_at(choice - 1);
  if (loss == NULL)
    return NULL;
  *help = loss->help;
  return loss->name;
}

/* The kernels of numbers. */
static const char *kernel_choice(size_t choice, const char **help) {
  for (size_t i = 0; i < ent_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    if (entropic_family_has(family, ENTROPIC_TRAIT_CATEGORIES) || entropic_family_has(family, ENTROPIC_TRAIT_PERIODIC))
      continue;
    if (choice-- == 0) {
      *help = ent_family_help(family);
      return entropic_family_name(family);
    }
  }
  return NULL;
}

/* The languages of exports. */
static const char *language_choice(size_t choice, const char **help) {
  *help = ent_language_help(choice);
  return entropic_language_name(choice);
}

/* A row: name, type, purposes, what its value is called, default, range, words, since which version, help. */
#define ROW(name, type, purposes, value, fallback, low, high, words, since, help)                                      \
  { {name, ENTROPIC_PARAMETER_##type, purposes, value, fallback, low, high, words, since, help}, NULL }
#define TEXT_ROW(name, type, purposes, value, fallback, words, since, help)                                            \
  ROW(name, type, purposes, value, fallback, 0, 0, words, since, help)

/* A parameter is easier to read if its help stands on lines of its own. */
/* clang-format off */
static const ent_parameter rows[] = {
    /* Roles of columns. */
    TEXT_ROW("target", COLUMNS, FIT, "COLS", "", "", "0.1",
             "the column to predict: a name or a number from 1; several numbers\n"
             "are predicted together (COL,COL); LIBSVM text has its label"),
    TEXT_ROW("target", COLUMN, COMPARE, "COL", "", "", "0.1",
             "the column to predict: a name or a number from 1;\n"
             "LIBSVM text has its label"),
    TEXT_ROW("target", COLUMN, DESIGN, "COL", "", "", "0.1",
             "the column to predict; not an input: a name or a number from 1"),
    TEXT_ROW("weights", COLUMN, FIT, "COL", "", "", "0.1",
             "how much each row counts; weight 2 fits like the row twice"),
    TEXT_ROW("weights", COLUMN, READ, "COL", "", "", "0.1", "how much each row counts (all the same)"),
    TEXT_ROW("groups", COLUMN, FIT, "COL", "", "", "0.1", "rows with the same value here stay together in validation"),
    TEXT_ROW("groups", COLUMN, COMPARE, "COL", "", "", "0.1",
             "rows with the same value here stay together, in a split and while\n"
             "tuning"),
    TEXT_ROW("time", COLUMN, FIT, "COL", "", "", "0.1",
             "rows are a time series in the order of this column, a number or a\n"
             "date: validation learns from earlier rows and predicts later ones; it\n"
             "stays an input unless it is ignored"),
    TEXT_ROW("ignore", COLUMNS, FIT | DESIGN | COMPARE, "COLS", "", "", "0.1",
             "columns to leave out: names or numbers, comma separated;\n"
             "may be repeated"),
    TEXT_ROW("keep", COLUMNS, FIT | COMPARE, "COLS", "", "", "0.1",
             "inputs however they look: row numbers, names of rows, constants"),
    TEXT_ROW("keep", COLUMNS, DESIGN, "COLS", "", "", "0.1",
             "columns that have to be inputs; here every number is one"),
    TEXT_ROW("categorical", COLUMNS, FIT | COMPARE, "COLS", "", "", "0.1",
             "columns that are categories although they hold numbers"),
    TEXT_ROW("ranges", TEXT, COLLECT, "FILE|RANGES", "", "", "0.2",
             "the inputs, where no row may be seen: names with ranges, x=0:1,z=0:5,\n"
             "or categories, c=red|green; a ? behind it says that values may be\n"
             "missing; or a file with one a line. What --save-design saves then\n"
             "serves 'entropic collect'"),
    TEXT_ROW("target-range", TEXT, COLLECT, "LO:HI", "", "", "0.2",
             "with --ranges: the range of the target, a number; collect refuses\n"
             "targets beyond 8 to 16 times its half width from its middle"),
    TEXT_ROW("classes", TEXT, COLLECT, "A,B,...", "", "", "0.2",
             "with --ranges, instead: the classes of the target"),
    /* What is learnt. */
    TEXT_ROW("task", CHOICE, FIT | COMPARE, "auto|regression|classification", "auto", "", "0.1",
             "what the target is; auto: text, or two values, are classes"),
    {{"loss", ENTROPIC_PARAMETER_CHOICE, FIT, "LOSS", "auto", 0, 0, "", "0.1",
      "what the weights make small; features are chosen by squares (auto:\n"
      "squared; of classes whichever validates better):"},
     loss_choice},
    TEXT_ROW("class-weight", CHOICE, FIT, "none|balanced", "none", "", "0.1",
             "balanced: classes of few rows count more, so that all count the same;\n"
             "for classes (none)"),
    TEXT_ROW("scale", CHOICE, FIT, "auto|quantile|minmax|none|blend", "auto", "", "0.1",
             "how inputs are brought to [0,1] (auto: quantile, blend or\n"
             "minmax, whichever validates better)"),
    TEXT_ROW("scale", CHOICE, COMPARE, "auto|quantile|minmax|none|blend", "auto", "", "0.1",
             "how inputs are brought to [0,1], for all methods (auto: each tuned\n"
             "method tries quantile, blend and minmax)"),
    TEXT_ROW("scale", CHOICE, DESIGN, "quantile|minmax|none|blend", "quantile", "", "0.1",
             "how inputs are brought to [0,1] (quantile)"),
    TEXT_ROW("target-scale", CHOICE, FIT, "auto|plain|root", "auto", "", "0.1",
             "what is learnt of a number: itself (plain), or the root of how far it\n"
             "is from its crowded end, for counts and the like (auto: the root if\n"
             "the target is skewed and that validates better)"),
    /* Which features, and how many. */
    ROW("features", INTEGER, FIT, "M", "auto", 1, MOST_FEATURES, "auto|theory", "0.1",
        "how many features; auto (the default): by validation;\n"
        "theory: N^(1/4) for N rows"),
    ROW("features", INTEGER, DESIGN, "M", "200", 1, MOST_FEATURES, "auto", "0.1", "how many features (200)"),
    ROW("features", INTEGERS, COMPARE, "LIST", "50,100,200", 1, MOST_COMPARED, "auto", "0.1",
        "numbers of features to compare at (50,100,200)"),
    ROW("nonzeros", INTEGER, FIT | DESIGN, "B", "auto", 1, MOST_FEATURES, "auto", "0.1",
        "instead: how many non-zeros a row at most"),
    TEXT_ROW("select", CHOICE, FIT, "auto|entropy|residual|paper", "auto", "", "0.1",
             "how features are chosen: by the kernel alone (entropy), or from the\n"
             "data (residual; auto: that, where the kernel and other options allow\n"
             "it); paper: some of the source paper's set at random, interior basis"),
    TEXT_ROW("select", CHOICE, DESIGN, "entropy|paper", "entropy", "", "0.2",
             "the best features by the kernel alone (entropy), or some of the\n"
             "source paper's set at random (paper; interior basis only)"),
    {{"kernel", ENTROPIC_PARAMETER_CHOICE, FIT | DESIGN, "KERNEL", "centred", 0, 0, "", "0.1",
      "the kernel of each input (centred); w is --omega:"},
     kernel_choice},
    {{"kernel", ENTROPIC_PARAMETER_CHOICE, COMPARE, "KERNEL", "centred", 0, 0, "", "0.2",
      "the kernel of each input, for the method EOF (centred); w is tuned:"},
     kernel_choice},
    TEXT_ROW("p", TEXT, FIT | DESIGN | COMPARE, "EXPR", "", "", "0.2",
             "one factor of the custom kernel, an expression in x and w: numbers,\n"
             "+ - * / ^, pi, e, functions such as exp, log, sqrt, sin, cosh, min.\n"
             "The kernel is p(min) q(max), p/q must increase; its features are\n"
             "chosen by the kernel alone"),
    TEXT_ROW("q", TEXT, FIT | DESIGN | COMPARE, "EXPR", "", "", "0.2",
             "its other factor: --p \"1 + w*x\" --q 1 is sobolev"),
    TEXT_ROW("alpha", TEXT, FIT | DESIGN | COMPARE, "EXPR", "", "", "0.2",
             "a coefficient of an equation, instead of --p and --q: they solve\n"
             "(alpha y')' + beta y = 0; alpha must be above 0, and the kernel is\n"
             "the Green's function"),
    TEXT_ROW("beta", TEXT, FIT | DESIGN | COMPARE, "EXPR", "", "", "0.2", "the other coefficient of the equation"),
    TEXT_ROW("left", TEXT, FIT | DESIGN | COMPARE, "C11,C12", "", "", "0.2",
             "the end of the equation at 0: C11 p'(0) + C12 p(0) = 0, two\n"
             "expressions in w"),
    TEXT_ROW("right", TEXT, FIT | DESIGN | COMPARE, "C21,C22", "", "", "0.2",
             "the end of the equation at 1: C21 q'(1) + C22 q(1) = 0, likewise"),
    ROW("omega", NUMBERS, FIT, "W", "auto", 1e-6, 1e4, "auto", "0.1",
        "the kernel's parameter, 1e-6 to 1e4, or a comma list, one for each\n"
        "input; auto (the default): by validation; bridge has none, nor has\n"
        "custom without w"),
    ROW("omega", NUMBERS, DESIGN, "W", "1", 1e-6, 1e4, "auto", "0.1",
        "its parameter, 1e-6 to 1e4 (1), or a comma list, one for each input;\n"
        "not every kernel has it"),
    TEXT_ROW("basis", CHOICE, FIT | DESIGN, "full|interior", "full", "", "0.1",
             "with boundary atoms (full); interior keeps only hats, which are\n"
             "zero at 0 and 1"),
    TEXT_ROW("criterion", CHOICE, FIT | DESIGN, "l2|sup|data", "l2", "", "0.1", "what makes a feature good (l2)"),
    ROW("smooth", INTEGER, FIT, "J", "auto", 0, 8, "auto", "0.1",
        "adds Legendre atoms up to degree J, where the kernel can have them\n"
        "(auto: 3 or none, by validation)"),
    ROW("smooth", INTEGER, DESIGN, "J", "0", 0, 8, "auto", "0.1",
        "adds Legendre atoms up to degree J (0), where the kernel can have them"),
    ROW("max-level", INTEGER, FIT | DESIGN, "L", "16", 0, ENTROPIC_MAX_LEVEL, "auto", "0.1",
        "the deepest level of hats (16)"),
    ROW("max-order", INTEGER, FIT | DESIGN, "K", "auto", 1, MOST_FEATURES, "auto", "0.1",
        "at most K active inputs in a feature (no limit)"),
    TEXT_ROW("only", COLUMNS, FIT, "TERMS", "", "", "0.2",
             "the model has these terms and no others: inputs, or products of them\n"
             "(x1,x2:x3), comma separated; may be repeated. x2:x3 is any function\n"
             "of the two, with the effects of each alone. * is any input: *,x2:x3.\n"
             "Parts of dates have a colon in their name: date:hour:x3"),
    TEXT_ROW("without", COLUMNS, FIT, "TERMS", "", "", "0.2",
             "the model has none of these terms, nor any with more inputs that\n"
             "has one as a part; x1:* are all products with x1"),
    TEXT_ROW("unrestricted", CHOICE, FIT, "yes|no", "yes", "", "0.2",
             "whether a fit without --only and --without is validated as well, to\n"
             "say what they cost (yes; not with --seconds)"),
    /* How it is fitted. */
    ROW("lambda", NUMBER, FIT, "L", "auto", 0, 1e300, "auto|theory", "0.1",
        "the ridge; auto (the default): by validation;\n"
        "theory: N^(-1/2) for N rows"),
    ROW("lambda", NUMBER, COLLECT, "L", "0.0001", 0, 1e300, "auto", "0.2",
        "with --ranges: the ridge that 'entropic solve' takes (0.0001)"),
    ROW("lambda", NUMBER, SOLVE, "L", "design", 0, 1e300, "auto|design", "0.2",
        "the ridge; design (the default): that of each member of the design;\n"
        "auto: chosen anew by generalised cross-validation on the same rows,\n"
        "which is optimistic"),
    TEXT_ROW("target-means", CHOICE, FIT, "auto|no", "auto", "", "0.2",
             "inputs that are made of categories of many levels: the mean of the\n"
             "target by category, how many rows that is of, and means by pairs of\n"
             "categories (auto: where validation rows want them)"),
    TEXT_ROW("keep-statistics", FLAG, FIT | SOLVE, "", "no", "", "0.2",
             "the model keeps the statistics of its rows, up to 8 M^2 bytes for M\n"
             "features, so that update and forget can change it; the loss is\n"
             "then squared"),
    ROW("ensemble", INTEGER, FIT, "K", "auto", 1, 100, "auto", "0.1",
        "averages so many selected models into one (auto: several where that\n"
        "is cheap; at most one a fold)"),
    TEXT_ROW("effort", CHOICE, FIT, "fast|default|best", "default", "", "0.2",
             "what a model may cost: features of one kernel, which can be updated\n"
             "and forget rows (fast); or several models, where their weighted sum\n"
             "errs less (default; best is the same as yet)"),
    TEXT_ROW("rows-in-model", CHOICE, FIT, "yes|no", "yes", "", "0.2",
             "whether a model may contain its training rows, as centres of the\n"
             "kernel, where that makes its error smaller (yes)"),
    TEXT_ROW("solver", CHOICE, FIT, "auto|direct|dual|iterative|exact", "auto", "", "0.1",
             "equations in the features, in the rows, or by steps (auto: the\n"
             "cheapest); exact: the kernel itself, without features"),
    ROW("folds", INTEGER, FIT, "K", "5", 2, 100, "auto", "0.1",
        "how many parts the rows are split into for validation (5)"),
    ROW("sample", INTEGER, FIT, "ROWS", "1000000", 100, 1e15, "auto", "0.2",
        "of a table with more rows, choices, validation and intervals come from\n"
        "a fixed sample of so many; the weights from all rows (1000000)"),
    ROW("seconds", NUMBER, FIT, "T", "auto", 0.001, 1e9, "auto", "0.1",
        "begins no step of the search that would end later than this, reading\n"
        "included; what comes out then depends on the machine"),
    ROW("seed", INTEGER, FIT, "K", "1", 0, MOST_SEED, "auto", "0.1", "of the parts, and of --select paper (1)"),
    ROW("seed", INTEGER, DESIGN, "K", "1", 0, MOST_SEED, "auto", "0.1", "of the random choice of --select paper (1)"),
    ROW("seed", INTEGER, COMPARE, "K", "1", 0, MOST_SEED, "auto", "0.1", "of the splits and of random features (1)"),
    ROW("runs", INTEGER, COMPARE, "R", "5", 1, 1000, "auto", "0.1",
        "how many splits: four fifths to learn from, a fifth, also of every\n"
        "class, to test on (5)"),
    ROW("memory", SIZE, FIT, "SIZE", "none", 0x1p20, 0x1p50, "auto|none", "0.2",
        "a bound on memory, 500M or 2.5G in powers of 1024: the rows go to a\n"
        "spool on disk as they are read; the model is the same (none: rows are\n"
        "kept in memory)"),
    TEXT_ROW("spool", TEXT, FIT, "DIR", "", "", "0.2",
             "with --memory: where the spool is (TMPDIR, or /tmp); it has no name,\n"
             "so that nothing is left behind"),
    /* How models are exported. */
    {{"lang", ENTROPIC_PARAMETER_CHOICE, EXPORT, "LANG", "c", 0, 0, "", "0.2", "the language (c):"}, language_choice},
    TEXT_ROW("float", FLAG, EXPORT, "", "no", "", "0.2",
             "C with numbers of single precision: about 5 digits instead of 12"),
    TEXT_ROW("name", TEXT, EXPORT, "NAME", "model", "", "0.2",
             "what the names of C begin with: NAME_predict and so on (model)"),
    /* Where tables are, and how files are written. */
    TEXT_ROW("sql", TEXT, ALL, "QUERY", "", "", "0.2",
             "the rows of this query of DuckDB; DATA is then a database of DuckDB,\n"
             "or - for none: a query can name files, SELECT * FROM 'a.parquet'"),
    TEXT_ROW("format", CHOICE, ALL, "auto|text|libsvm|npy", "auto", "", "0.1",
             "what a file of data holds (auto: found out, as the next five are)"),
    TEXT_ROW("delimiter", CHARACTER, ALL, "C", "auto", "auto", "0.1",
             "between fields: a character, or tab, space (any blanks), comma,\n"
             "semicolon, pipe"),
    TEXT_ROW("header", CHOICE, ALL, "auto|yes|no", "auto", "", "0.1",
             "whether the first line holds the names of columns"),
    TEXT_ROW("decimal", CHARACTER, ALL, "C", "auto", "auto", "0.1", "the mark in numbers: point or comma"),
    TEXT_ROW("quote", CHARACTER, ALL, "C", "auto", "auto", "0.1", "the character around fields, or none"),
    TEXT_ROW("comment", CHARACTER, ALL, "C", "auto", "auto", "0.1",
             "lines that begin with this character are skipped, or none"),
    TEXT_ROW("missing", TEXT, ALL, "MARKS", "?,NA,N/A,nan,null", "", "0.1",
             "marks of missing values, comma separated (?,NA,N/A,nan,null);\n"
             "an empty field always is one; among numbers also None, nil, #N/A,\n"
             "#NA, \\N, <NA>, NaT, -, -- and .; numbers such as -999 however they\n"
             "are written"),
    TEXT_ROW("from-zero", FLAG, ALL, "", "no", "", "0.1",
             "LIBSVM text: indices begin at 0, not at 1; the input x1 is index 0"),
    TEXT_ROW("any-order", FLAG, ALL, "", "no", "", "0.1",
             "LIBSVM text: indices need not ascend; of equal ones the last counts"),
};
/* clang-format on */

#define COUNT (sizeof rows / sizeof *rows)

const ent_parameter_table ent_parameter_rows = {rows, COUNT};
