"""NULL for every pointer argument of every public function, stable or not: no crash, and BAD_ARGUMENT with a message.

The headers say what there is to test. A program is made from them that calls each function once for each pointer, all
other arguments being sound, in a process of its own. An argument may be NULL if the header says `/* or NULL */` after
it; so may every context, and what a _free function frees."""
import os
import re
import subprocess
import sys

import _tap

SOURCE, BUILD = os.environ["ENTROPIC_SOURCE"], os.environ["ENTROPIC_BUILD"]
PARTS = ["base", "parameters", "report", "data", "features", "learn", "model", "statistics", "interval", "compare", "explain", "predict",
         "tools"]


def declarations():
    """(return type, name, [(type, name, may be NULL)]) of each public function."""
    for part in PARTS:
        with open("%s/include/entropic/%s.h" % (SOURCE, part)) as file:
            text = file.read()
        text = re.sub(r"/\* or NULL \*/", "NULLABLE", text)
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.M | re.S)
        for found in re.finditer(r"ENTROPIC_(?:API|STATIC)\s+([^;(]*?)(\w+)\(([^;]*?)\);", text):
            kind, name, arguments = (" ".join(word.split()) for word in found.groups())
            listed = [] if arguments == "void" else arguments.split(",")
            yield kind, name, [argument(one) for one in listed]


def argument(text):
    nullable = "NULLABLE" in text
    text = text.replace("NULLABLE", "").strip()
    kind, name = re.fullmatch(r"(.*?)(\w+)", text, re.S).groups()
    kind = " ".join(kind.replace("*", " * ").split())
    return kind, name, nullable or kind == "entropic_context *"


HANDLES = ["parameters", "report", "output", "table", "scaler", "kernel", "design", "lift", "workspace", "csr",
           "dataset", "model", "frozen_design", "row_reader", "statistics", "comparison", "generator", "explanation"]
TEXTS = {"path": '"rows.csv"', "name": '"features"', "text": '"12"', "prefix": '"--"', "key": '"key"',
         "title": '"title"', "a": '"one"', "b": '"two"'}


def value(function, kind, name):
    """A sound argument of this kind."""
    bare = kind.replace("const ", "")
    for handle in HANDLES:
        if bare == "entropic_%s *" % handle:
            return handle
        if bare == "entropic_%s * *" % handle:
            return "&made_%s" % handle
    if bare == "entropic_context *":
        return "context"
    if bare == "entropic_context * *":
        return "&made_context"
    if kind == "const char *":
        if name == "path" and any(word in function for word in ("save", "html", "output", "export")):
            return '"written.out"'
        if name == "path" and "model_load" in function:
            return '"sound.entropic"'
        if name == "path" and "statistics_load" in function:
            return '"sound.stat"'
        if name == "path" and "frozen_design_load" in function:
            return '"columns.design"'
        if name == "path" and "design_load" in function:
            return '"sound.design"'
        return TEXTS.get(name, '"text"')
    if bare.endswith("*"):
        if name == "paths":
            return "paths"
        return {"const char * const *": "(const char *const *)names", "const char * *": "&a_text",
                "double * *": "(void *)&a_pointer", "const double * *": "(void *)&a_pointer",
                "unsigned char * *": "&made_bytes",
                "unsigned char *": "(void *)room" if name == "sets" else "NULL"}.get(kind, "(void *)room")
    if name == "size":
        return "64"
    if name == "separator":
        return "'-'"
    if kind == "entropic_purpose":
        return "ENTROPIC_PURPOSE_FIT"
    if kind == "entropic_task_call":
        return "no_task"
    if kind == "entropic_progress":
        return "no_progress"
    return {"inputs": "2", "columns": "3", "stride": "3", "ld": "64"}.get(name, "1")


LONG = {"entropic_compare: parameters"}  # all methods at the default sizes: it has begun, which is enough

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENTROPIC_EXPERIMENTAL
#include <entropic/entropic.h>

static entropic_context *context, *made_context;
%(handles)s
static double room[65536];
static const char *names[3] = {"x1", "x2", "y"}, *const paths[1] = {"rows.csv"}, *a_text;
static const void *a_pointer;
static unsigned char *made_bytes;
%(extra)s
static void make(void) {
  entropic_axis_options axis;
  entropic_design_options wanted;
  static double values[50 * 3];
  for (int i = 0; i < 50; i++) {
    values[3 * i] = i %% 7 / 7.0;
    values[3 * i + 1] = i %% 11 / 11.0;
    values[3 * i + 2] = values[3 * i] + values[3 * i + 1] * values[3 * i + 1];
  }
  FILE *file = fopen("rows.csv", "w");
  fprintf(file, "x1,x2,y\n");
  for (int i = 0; i < 50; i++)
    fprintf(file, "%%g,%%g,%%g\n", values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  fclose(file);
  entropic_status status = entropic_context_create(&context);
  status |= entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &parameters);
  status |= entropic_parameters_set(context, parameters, "target", "y");
  status |= entropic_parameters_set(context, parameters, "features", "5");
  status |= entropic_table_create(context, values, 50, 3, 3, names, parameters, &table);
  status |= entropic_dataset_create(context, table, parameters, &dataset);
  status |= entropic_fit(context, dataset, NULL, parameters, &report, &model);
  status |= entropic_model_save(context, model, "sound.entropic");
  status |= entropic_statistics_create(context, model, &statistics);
  status |= entropic_statistics_save(context, statistics, "sound.stat");
  status |= entropic_row_reader_open(context, model, paths, 1, NULL, 1, &row_reader);
  status |= entropic_output_create(context, "output.out", &output);
  status |= entropic_axis_options_init(&axis, sizeof axis);
  status |= entropic_kernel_create(context, &axis, 1, 2, &kernel);
  status |= entropic_design_options_init(&wanted, sizeof wanted);
  wanted.features = 9;
  status |= entropic_design_create(context, kernel, &wanted, &design);
  status |= entropic_design_save(context, design, "sound.design");
  status |= entropic_lift_create(context, design, &lift);
  status |= entropic_workspace_create(context, lift, &workspace);
  status |= entropic_lift_csr(context, lift, values, 5, 3, &csr);
  status |= entropic_scaler_create(context, ENTROPIC_SCALING_MINMAX, values, 50, 2, 3, &scaler);
  entropic_parameters *few;
  status |= entropic_parameters_create(context, ENTROPIC_PURPOSE_COLLECT, &few);
  status |= entropic_parameters_set(context, few, "ranges", "x1=0:1,x2=0:1");
  status |= entropic_parameters_set(context, few, "target", "y");
  status |= entropic_parameters_set(context, few, "target-range", "0:2");
  size_t count;
  status |= entropic_frozen_design_make(context, few, &made_bytes, &count);
  status |= entropic_frozen_design_load_memory(context, made_bytes, count, &frozen_design);
  file = fopen("columns.design", "w");
  fwrite(made_bytes, 1, count, file);
  fclose(file);
  entropic_parameters_free(few);
  status |= entropic_parameters_create(context, ENTROPIC_PURPOSE_COMPARE, &few);
  status |= entropic_parameters_set(context, few, "features", "4");
  status |= entropic_parameters_set(context, few, "runs", "1");
  status |= entropic_compare(context, dataset, few, &comparison);
  entropic_parameters_free(few);
  status |= entropic_explain(context, model, NULL, &explanation);
  generator = (entropic_generator *)entropic_generator_get(0);
  if (status) {
    printf("cannot make what the calls need: %%s\n", entropic_context_message(context));
    exit(1);
  }
}

/* Puts something else into the message, so that an old one does not pass for a new one. */
static void forget(void) {
  entropic_parameters_set(context, parameters, "no such name", "1");
}

%(cases)s

static int (*const cases[])(void) = {%(list)s};
static const char *const titles[] = {%(titles)s};

int main(void) {
  make();
  fflush(stdout);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(10);
      forget();
      int result = cases[i]();
      printf("%%s\tsaid\t%%s\n", titles[i], entropic_context_message(context));
      fflush(stdout);
      _exit(result);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
      printf("%%s\tsignal %%d\n", titles[i], WTERMSIG(status));
    else
      printf("%%s\t%%d\n", titles[i], WEXITSTATUS(status));
    fflush(stdout);
  }
  return 0;
}
"""


def case(number, kind, name, arguments, empty):
    """A function that makes the call with that argument NULL: 0 as it should be, 1 another status, 2 no message."""
    given = [value(name, *one[:2]) for one in arguments]
    given[empty] = "NULL"
    call = "%s(%s)" % (name, ", ".join(given))
    if kind != "entropic_status":
        return "static int case_%d(void) {\n  (void)%s;\n  return 0;\n}\n" % (number, call)
    if arguments[empty][2]:
        return "static int case_%d(void) {\n  (void)%s;\n  return 0;\n}\n" % (number, call)
    told = any(one[0] == "entropic_context *" for one in arguments)
    return ("static int case_%d(void) {\n  entropic_status status = %s;\n"
            "  if (status != ENTROPIC_BAD_ARGUMENT)\n    return 1;\n"
            "  return %s ? 2 : 0;\n}\n" % (number, call,
                                          'strstr(entropic_context_message(context), "no such name") != NULL'
                                          if told else "0"))


def main():
    functions = list(declarations())
    _tap.check("the headers have functions", len(functions) > 150)
    cases, titles = [], []
    for kind, name, arguments in functions:
        for i, (one, argument_name, _) in enumerate(arguments):
            if "*" not in one:
                continue
            cases.append(case(len(cases), kind, name, arguments, i))
            titles.append("%s: %s" % (name, argument_name))
    handles = "".join("static entropic_%s *%s, *made_%s;\n" % (h, h, h) for h in HANDLES)
    extra = ("static int no_progress(void *user, const char *stage, double done) "
             "{ (void)user, (void)stage, (void)done; return 0; }\n"
             if any("entropic_progress" in one[0] for _, _, a in functions for one in a) else "")
    extra += "static void no_task(void *user, size_t task) { (void)user, (void)task; }\n"
    with open("null.c", "w") as file:
        file.write(PROGRAM % {"handles": handles, "extra": extra, "cases": "".join(cases),
                              "list": ", ".join("case_%d" % i for i in range(len(cases))),
                              "titles": ", ".join('"%s"' % title for title in titles)})
    flags = ["-I%s/include" % SOURCE, "null.c", "%s/lib/libentropic.a" % BUILD, "-lz", "-ldl", "-lm", "-pthread"]
    made = subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-g", "-w", "-o", "null", *flags],
                          capture_output=True, text=True)
    _tap.check("the program is made", made.returncode == 0, made.stderr)
    if made.returncode != 0:
        return
    ran = subprocess.run(["./null"], capture_output=True, text=True)
    fields = [line.split("\t") for line in ran.stdout.splitlines() if "\t" in line]
    results = dict(one for one in fields if len(one) == 2)
    said = {one[0]: one[2] for one in fields if len(one) == 3}
    _tap.check("every call was made", len(results) == len(titles), ran.stdout + ran.stderr)
    words = {"0": "", "1": "not BAD_ARGUMENT", "2": "no message", "signal 14": "it takes too long"}
    for title in titles:
        result = results.get(title, "not run")
        _tap.check(title, result == "0" or (title in LONG and result == "signal 14"), words.get(result, result))
    public = {name for _, name, _ in functions}
    for title, message in said.items():
        found = re.fullmatch(r"(?:(\w+): )?(\w+) is NULL", message)
        if found:  # in the caller's terms: his function, or one that it stands for, and his argument
            _tap.check(title + ": in the caller's terms",
                       found[1] in (None, *public) and found[2] == title.split(": ")[1], message)


main()
sys.exit(_tap.end())
