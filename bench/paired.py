"""Two builds of the command on the same rows: is a rule good on tables nobody here chose?

    paired.py --before COMMAND [--after COMMAND] [--only NAMES] [--splits K] [--rows N] [--log FILE] [--options '...']

Fits both to two thirds of each table's rows and scores them on the last third, for K splits of every table of ENTROPIC_DATA:
those of its top folder, arena, lost and small. Test files are never read. The error is the root mean square for numbers,
1 - AUC for two classes, the log loss for more. The log holds a line a fit, and what stands in it is not run again.
"""
import argparse
import gzip
import hashlib
import json
import math
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections import namedtuple

Table = namedtuple("Table", "name file target options")


def top(name, target, ignore="", file=None):
    return Table(name, file or name + ".csv.gz", target, ["--ignore", ignore] if ignore else [])


def arena(name, categorical="", own=None):
    """own: its name here, where the top folder has a table of the same name."""
    return Table(own or name, "arena/%s_train.csv.gz" % name, "target",
                 ["--categorical", categorical] if categorical else [])


TABLES = [
    top("energy", "Y1", "Y2", "energy_efficiency.csv.gz"), top("grid", "stabf", "stab", "grid_stability.csv.gz"),
    top("superconductivity", "critical_temp"), top("concrete", "9"), top("airfoil", "6"), top("ccpp", "5"),
    top("kin8nm", "9"), top("bike", "cnt", "instant,dteday,casual,registered", "bike_hour.csv.gz"),
    top("adult", "income", file="adult_train.csv.gz"), Table("a9a", "a9a.libsvm.gz", None, []),
    Table("pendigits", "pendigits.libsvm.gz", None, []), Table("heart", "heart_scale.libsvm", None, []),
    arena("amazon", "all"), arena("polish"), arena("fiat", "model"), arena("diamonds", "cut,color,clarity"),
    arena("coil", "MOSTYPE,MOSHOOFD,MGODRK"),
    arena("hr", "city,gender,relevent_experience,enrolled_university,education_level,major_discipline,company_size,"
          "company_type,last_new_job"),
    arena("creditcard", "SEX,EDUCATION,MARRIAGE"), arena("mic", "all but numbers"),
    arena("shoppers", "Month,OperatingSystems,Browser,Region,TrafficType,VisitorType,Weekend"),
    arena("delivery", "Delivery_person_ID,Type_of_order,Type_of_vehicle"),
    arena("airfoil", "angle_of_attack", "airfoil-arena"), arena("concrete", own="concrete-arena"),
] + [Table(name, "lost/%s_train.csv.gz" % name, "target", []) for name in ("pumadyn32nm", "higgs7k", "gas")] + [
    Table(name, "small/%s.csv.gz" % name, "y", [])
    for name in ("autos", "breastcancer", "concreteslump", "fertility", "forest", "machine", "solar")]
ALL, ALL_BUT = "all", "all but numbers"  # categories, by the header
MIC_NUMBERS = ("AGE S_AD_KBRIG D_AD_KBRIG S_AD_ORIT D_AD_ORIT K_BLOOD NA_BLOOD ALT_BLOOD AST_BLOOD KFK_BLOOD L_BLOOD ROE "
               "NA_R_1_n NA_R_2_n NA_R_3_n NOT_NA_2_n NOT_NA_3_n").split()


def lines_of(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as file:
        return [line if line.endswith("\n") else line + "\n" for line in file if line.strip()]


def options_of(table, header):
    """What the table's own columns decide."""
    names = [name.strip().strip('"') for name in header.strip().split(",")] if header else []
    target, options = table.target, list(table.options)
    if options[-1:] in ([ALL], [ALL_BUT]):
        numbers = MIC_NUMBERS if options[-1] == ALL_BUT else ()
        options[-1] = ",".join(name for name in names if name not in numbers and name != target)
    if target and target.isdigit():
        target = names[int(target) - 1]
    return (["--target", target] if target else []) + options


def parted(table, data, number, most):
    """Lines of training and of validation rows, and the options, for split `number`."""
    lines = lines_of(os.path.join(data, table.file))
    header = [lines.pop(0)] if table.target else []
    key = zlib.crc32(table.name.encode())
    order = sorted(range(len(lines)), key=lambda i: hashlib.md5(b"%d %d %d" % (key, number, i)).digest())
    order = order[:most] if most else order
    cut = len(order) * 2 // 3
    return (header + [lines[i] for i in sorted(order[:cut])], header + [lines[i] for i in sorted(order[cut:])],
            options_of(table, header[0] if header else ""))


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-300:])
    return done.stdout


def measure(job):
    command, table, number, data, most, more, threads = job
    train, test, options = parted(table, data, number, most)
    ending = ".csv" if table.target else ".libsvm"
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("train" + ending, "test" + ending, "model")]
        for path, lines in zip(paths, (train, test)):
            with open(path, "w") as out:
                out.writelines(lines)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        try:
            report = json.loads(run([command, "fit", paths[0], *options, *more, "-o", paths[2], "--json", "--quiet",
                                     "--threads", str(threads)]))
            after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
            score = json.loads(run([command, "score", paths[2], paths[1], "--json", "--quiet", "--threads", "1"]))
        except RuntimeError as failure:
            return {"failure": str(failure)}
        size = os.path.getsize(paths[2])
    if "rmse" in score:
        error = score["rmse"]
    else:
        error = 1 - score["auc"] if score.get("auc") is not None else score["logloss"]
    return {"error": error, "score": score, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "seconds": end - start, "features": report["features"], "bytes": size, "form": report.get("form"),
            "validation": report["validation"]}


def labelled(job):
    return job[0], job[1].name, job[2], measure(job)


def hash_of(command):
    with open(command, "rb") as file:
        own = hashlib.sha256(file.read())
    library = os.path.join(os.path.dirname(os.path.dirname(command)), "lib", "libentropic.so")
    if os.path.exists(library):
        with open(library, "rb") as file:
            own.update(file.read())
    return own.hexdigest()[:12]


def summary(known, names, before, after, splits):
    """A line a table: the mean log ratio over its splits and its standard error; last, over all tables."""
    means, slower = [], []
    print("%-18s %8s %8s  %7s %6s  %6s  %s" % ("table", "before", "after", "ratio", "+-", "time", "form"))
    for name in names:
        pairs = [(known[before, name, k], known[after, name, k]) for k in range(splits)
                 if (before, name, k) in known and (after, name, k) in known]
        pairs = [p for p in pairs if "error" in p[0] and "error" in p[1]]
        if not pairs:
            print("%-18s no pairs" % name)
            continue
        logs = [math.log(b["error"] / a["error"]) if a["error"] > 0 and b["error"] > 0 else 0.0 for a, b in pairs]
        mean = sum(logs) / len(logs)
        spread = math.sqrt(sum((v - mean) ** 2 for v in logs) / max(len(logs) - 1, 1) / len(logs))
        times = sum(math.log(b["cpu"] / a["cpu"]) for a, b in pairs) / len(pairs)
        means.append(mean)
        slower.append(times)
        print("%-18s %8.4g %8.4g  %7.4f %6.4f  %6.3f  %s" % (
            name, sum(p[0]["error"] for p in pairs) / len(pairs), sum(p[1]["error"] for p in pairs) / len(pairs),
            math.exp(mean), spread, math.exp(times), " ".join("%s>%s" % (a["form"], b["form"]) for a, b in pairs)))
    if means:
        over = sum(means) / len(means)
        spread = math.sqrt(sum((v - over) ** 2 for v in means) / max(len(means) - 1, 1) / len(means))
        print("%d tables: geometric mean %.4f +- %.4f, worst %.4f, processor time %.3f" % (
            len(means), math.exp(over), spread, math.exp(max(means)), math.exp(sum(slower) / len(slower))))


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", default=os.path.join(here, "build/release/bin/entropic"))
    parser.add_argument("--data", default=os.environ.get("ENTROPIC_DATA", os.path.join(here, "../shared/data")))
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--rows", type=int, default=0, help="at most so many rows of a table, 0: all")
    parser.add_argument("--log", default=os.path.join(here, "build/paired.jsonl"))
    parser.add_argument("--options", default="", help="further options of fit, of the build after alone")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--summary", action="store_true", help="only what the log says")
    of = parser.parse_args()
    if not os.path.isdir(of.data):
        raise SystemExit("paired: no tables at %s; skipped" % of.data)
    wanted = [t for t in TABLES if (not of.only or t.name in of.only.split(",")) and t.name not in of.without.split(",")]
    more = of.options.split()
    labels = {of.before: "%s %d" % (hash_of(of.before), of.rows),
              of.after: ("%s %d %s" % (hash_of(of.after), of.rows, of.options)).strip()}
    known = {}
    if os.path.exists(of.log):
        with open(of.log) as file:
            for line in file:
                one = json.loads(line)
                known[one["label"], one["table"], one["split"]] = one
    jobs = [(command, table, k, of.data, of.rows, more if command == of.after else [], of.threads)
            for k in range(of.splits) for table in wanted for command in (of.before, of.after)
            if (labels[command], table.name, k) not in known]
    if not of.summary:
        os.makedirs(os.path.dirname(of.log), exist_ok=True)
        with multiprocessing.Pool(of.processes) as pool, open(of.log, "a") as log:
            for command, name, k, found in pool.imap_unordered(labelled, jobs):
                found.update(label=labels[command], table=name, split=k)
                known[labels[command], name, k] = found
                log.write(json.dumps(found) + "\n")
                log.flush()
                print("%s %s %d: %s" % (labels[command], name, k, found.get("failure") or "%.5g in %.1f s" % (
                    found["error"], found["cpu"])), file=sys.stderr, flush=True)
    summary(known, [t.name for t in wanted], labels[of.before], labels[of.after], of.splits)


if __name__ == "__main__":
    main()
