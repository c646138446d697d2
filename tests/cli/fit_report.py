"""The report of `entropic fit`: errors and references compared with computations here, the path, the page, the time
budget, and the list of selected features."""
import csv
import filecmp
import html
import json
import math
import os
import re
import shlex
import subprocess
import sys
import time

import numpy as np

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]


def close(what, found, expected, tolerance=1e-9):
    check(what, abs(found - expected) <= tolerance * abs(expected), "%r, expected %r" % (found, expected))


def run(*words):
    return subprocess.run([ENTROPIC, *words], capture_output=True, text=True)


def fit(*words):
    done = run("fit", *words, "--json")
    check("fit " + " ".join(words), done.returncode == 0, done.stderr)
    return json.loads(done.stdout), done.stderr


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def column(path, name):
    with open(path) as file:
        return [row[name] for row in csv.DictReader(file)]


def predictions(model, data):
    run("predict", model, data, "-o", "predicted.csv", "--quiet")
    return column("predicted.csv", "prediction")


def near(what, found, expected):
    """An unknown half of the rows gives the reported error, so it must be near that of all of them."""
    close(what, found, expected, 0.3)


def make_tables():
    """Numbers and a category, weights, a target of each kind."""
    draw = np.random.default_rng(3)
    for path, rows in (("train.csv", 900), ("valid.csv", 400)):
        a, b = draw.random(rows), draw.random(rows)
        c = draw.integers(0, 3, rows)
        y = 3 * a - b + 0.7 * c + np.sin(6 * a) * b + 0.2 * draw.standard_normal(rows)
        kind = np.where(y > np.quantile(y, 0.6), "high", "low")
        weight = draw.integers(1, 4, rows)
        write(path, ["a", "b", "c", "w", "y", "kind"],
              [[repr(float(a[i])), repr(float(b[i])), "uvw"[c[i]], weight[i], repr(float(y[i])), kind[i]]
               for i in range(rows)])


def numbers_on_valid():
    """With --valid the written model is the one that was validated."""
    j, _ = fit("train.csv", "--target", "y", "--ignore", "kind", "--weights", "w", "--valid", "valid.csv", "--scale",
               "minmax", "-o", "y.entropic")
    y = np.array(column("valid.csv", "y"), float)
    w = np.array(column("valid.csv", "w"), float)
    off = (y - np.array(predictions("y.entropic", "valid.csv"), float)) ** 2
    mean = np.sum(w * off) / np.sum(w)
    near("the error of validation", j["validation"]["rmse"], math.sqrt(mean))
    near("its standard error", j["validation"]["standard_error"],
         math.sqrt(2 * np.sum((w * (off - mean)) ** 2)) / np.sum(w) / (2 * math.sqrt(mean)))

    train_y = np.array(column("train.csv", "y"), float)
    train_w = np.array(column("train.csv", "w"), float)
    constant = np.sum(train_w * train_y) / np.sum(train_w)
    near("the mean as a reference", j["references"]["mean"], math.sqrt(np.sum(w * (y - constant) ** 2) / np.sum(w)))

    def inputs(path):
        c = column(path, "c")
        return np.column_stack([np.ones(len(c)), np.array(column(path, "a"), float), np.array(column(path, "b"), float)]
                               + [[name == value for name in c] for value in "uv"])
    root = np.sqrt(train_w)
    weights = np.linalg.lstsq(inputs("train.csv") * root[:, None], train_y * root, rcond=None)[0]
    least = math.sqrt(np.sum(w * (y - inputs("valid.csv") @ weights) ** 2) / np.sum(w))
    close("the linear model as a reference, whose ridge is small", j["references"]["linear"], least, 0.2)
    check("references in order", j["validation"]["rmse"] < j["references"]["linear"] < j["references"]["mean"], j)
    check("what is left out, and why", j["set_aside"] == [{"name": "kind", "why": "asked"}], j["set_aside"])
    check("one model, in no hurry", j["members"] == 1 and j["hurried"] is False, j)
    taken = [step for step in j["path"] if step["features"] == j["features"]]
    check("the size taken is on the path", len(taken) == 1, j["path"])
    near("with its error", taken[0]["error"], j["validation"]["rmse"])
    close("and its lambda", taken[0]["lambda"], j["lambda"])


def classes_on_valid():
    j, _ = fit("train.csv", "--target", "kind", "--ignore", "y,w", "--valid", "valid.csv", "-o", "kind.entropic")
    kind = column("valid.csv", "kind")
    wrong = np.mean([a != b for a, b in zip(kind, predictions("kind.entropic", "valid.csv"))])
    near("the share of wrong classes", j["validation"]["error"], wrong)
    near("its standard error", j["validation"]["standard_error"], math.sqrt(2 * wrong * (1 - wrong) / len(kind)))
    frequent = max(("high", "low"), key=column("train.csv", "kind").count)
    near("the most frequent class as a reference", j["references"]["mean"], np.mean([k != frequent for k in kind]))
    check("a linear model as a reference", wrong <= j["references"]["linear"] < j["references"]["mean"], j["references"])
    inner = len(kind) // 2
    near("the standard error of the first of them", j["path"][0]["standard_error"],
         math.sqrt(j["path"][0]["error"] * (1 - j["path"][0]["error"]) / inner))
    check("shares along the path", len(j["path"]) > 0 and all(0 <= step["error"] < 0.5 for step in j["path"]), j["path"])


def the_other_searches():
    """The same for features from the kernel alone, and for models without features."""
    y = np.array(column("valid.csv", "y"), float)
    for words, steps in ((["--select", "entropy"], True), (["--solver", "dual"], False), (["--solver", "exact"], False)):
        j, _ = fit("train.csv", "--target", "y", "--ignore", "kind,w", "--valid", "valid.csv", *words, "-o", "o.entropic")
        off = (y - np.array(predictions("o.entropic", "valid.csv"), float)) ** 2
        near("its error", j["validation"]["rmse"], math.sqrt(np.mean(off)))
        near("its standard error", j["validation"]["standard_error"],
             np.std(off) * math.sqrt(2 / len(off)) / (2 * math.sqrt(np.mean(off))))
        check("a path where sizes are tried", (len(j["path"]) > 1) == steps, j["path"])
        check("its errors are all there", all(step["error"] > 0 for step in j["path"]), j["path"])


def several(least, most):
    return "%d" % most if least == most else "%d to %d" % (least, most)


def members_and_features(j, lines, page):
    """The summary and the page first say how many features the model has, then those of the models it averages."""
    least, most = (j["member_features"][key] for key in ("least", "most"))
    check("members have some of the features", 0 < least <= most <= j["features"] <= j["members"] * most, j)
    check("members have sizes of the path", {least, most} <= {step["features"] for step in j["path"]}, j["path"])
    words = "%d: the average of %d models of %s each; %.1f non-zeros a row" % (
        j["features"], j["members"], several(least, most), j["nonzeros_per_row"])
    check("the summary says what the model is", "features    " + words + "\n" in lines, lines)
    told = run("info", "f.entropic").stdout
    check("info says how many models", "%d: the average of %d models; " % (j["features"], j["members"]) in told, told)
    info = json.loads(run("info", "f.entropic", "--json").stdout)
    check("info has the number", info["members"] == j["members"] and info["features"] == j["features"], info)
    words = "The model has %d features. It is the average of %d models of %s features each;" % (
        j["features"], j["members"], several(least, most))
    check("the page begins with what the model is", 0 < page.find(words) < page.index("<svg"), words)
    check("the path is that of one model", "features of one model" in page and "The error by the number of" not in page)
    check("the model is said again at the end", "the model of this page, has %d features" % j["features"] in page)
    check("the page has the range", "range of predictions" in page)
    j, lines = fit("f.csv", "--target", "y", "--features", "30", "--html", "one.html", "-o", "one.entropic")
    page = open("one.html").read()
    check("one model", j["members"] == 1 and j["member_features"] == {"least": 30, "most": 30}, j["member_features"])
    check("the page of one model", "The model has 30 features." in page and "of one model" not in page)
    check("info of one model", json.loads(run("info", "one.entropic", "--json").stdout)["members"] is None)
    words = ["f.csv", "--target", "y", "--solver", "exact", "--omega", "1", "--lambda", "1e-3"]
    j, lines = fit(*words, "--html", "exact.html", "-o", "exact.entropic")
    page = open("exact.html").read()
    check("no features at all", "The model has no features. It is a sum over the kernel at 600 training rows." in page
          and j["member_features"] is None and "the largest number tried" not in lines, [j, lines])


def folds_and_page():
    run("generate", "friedman1", "--rows", "600", "--noise", "1", "-o", "f.csv", "--quiet")
    fast = "--effort", "fast"
    j, said = fit("f.csv", "--target", "y", *fast, "--html", "f.html", "-o", "f.entropic")
    rows = j["validation"]["rows"]
    check("several models", j["members"] > 1 and rows == 600 * j["members"] // j["validation"]["folds"], j)
    check("sizes ascend", all(a["features"] < b["features"] for a, b in zip(j["path"], j["path"][1:])), j["path"])
    check("the smallest size was tried by all", j["path"][0]["members"] == j["members"], j["path"])
    check("no better than the noise, no worse than a linear model",
          1 < j["validation"]["rmse"] + 3 * j["validation"]["standard_error"] < j["references"]["linear"], j)
    page = open("f.html").read()
    check("a page with the curve and its table",
          "</html>" in page and "<svg" in page and ">%d<" % j["path"][-1]["features"] in page and "linear" in page)
    check("each size has its standard error", all(0 < step["standard_error"] < step["error"] for step in j["path"]), j["path"])
    check("the page has a short title, the target and the command",
          "<title>f: predicting y</title>" in page and "<code>%s</code>" % j["command"].replace("&", "&amp;") in page, j)
    check("as typed", shlex.split(j["command"]) == ["entropic", "fit", "f.csv", "--target", "y", *fast, "--html",
                                                    "f.html", "-o", "f.entropic", "--json"], j["command"])
    check("nothing from elsewhere", "http://" not in page.replace("http://www.w3.org", "") and "src=" not in page)
    lines = run("fit", "f.csv", "--target", "y", *fast, "-o", "g.entropic").stderr
    members_and_features(j, lines, page)
    for words in ("select      residual: from the data\n", "smooth 3",
                  "rmse %.4g +- %.2g" % (j["validation"]["rmse"], j["validation"]["standard_error"]),
                  "references  mean %.4g, linear %.4g" % (j["references"]["mean"], j["references"]["linear"])):
        check("the summary says: " + words, words in lines, lines)
    done = run("fit", "f.csv", "--target", "y", "--html", "f.csv", "-o", "h.entropic")
    check("a page over its data", done.returncode == 1 and "the page would replace DATA" in done.stderr, done.stderr)
    done = run("fit", "missing.csv", "--target", "y", "--omega", "1,x")
    check("a bad omega before the data", done.returncode == 1 and "--omega x" in done.stderr, done.stderr)


def stacks():
    """What a stack is made of, in the report, the summary and the page; and what it cannot do."""
    run("generate", "friedman1", "--rows", "600", "--noise", "1", "-o", "s.csv", "--quiet")
    j, said = fit("s.csv", "--target", "y", "--html", "s.html", "-o", "s.entropic")
    parts = j["stack"]
    check("a stack", parts is not None and parts["runs"] == 5, parts)
    weights = [parts[name] for name in ("constant", "linear", "selected", "kernel")]
    check("its weights", min(weights) >= 0 and sum(weights) == 1, parts)
    check("its members", j["members"] > 1 and j["path"][0]["members"] == j["members"], [j["members"], j["path"]])
    check("its seconds add up", abs(sum(v for k, v in j["seconds"].items() if k != "total") - j["seconds"]["total"])
          <= 0.02 * j["seconds"]["total"], j["seconds"])
    lines = run("fit", "s.csv", "--target", "y", "-o", "t.entropic").stderr
    check("the summary", "stack       %.2g of the average of 5 fits" % parts["selected"] in lines, lines)
    check("the page", "%.2g of the average of 5 fits" % parts["selected"] in open("s.html").read())
    check("the same bytes", open("s.entropic", "rb").read() == open("t.entropic", "rb").read())
    run("fit", "s.csv", "--target", "y", "--threads", "1", "-o", "u.entropic")
    check("the same bytes on one thread", open("s.entropic", "rb").read() == open("u.entropic", "rb").read())
    done = run("update", "s.entropic", "s.csv")
    check("rows cannot be added", done.returncode == 2 and "--effort fast" in done.stderr, done.stderr)
    j, _ = fit("s.csv", "--target", "y", "--rows-in-model", "no", "-o", "v.entropic")
    check("no rows in the model", j["stack"] is None or j["stack"]["kernel"] == 0, j["stack"])
    j, _ = fit("s.csv", "--target", "y", "--effort", "fast", "-o", "w.entropic")
    check("no stack", j["stack"] is None and "components" not in j, j["stack"])


def pages_and_people():
    """Titles, commands and days of pages; numbers of any size in the summary."""
    os.makedirs("a folder", exist_ok=True)
    name = "a folder/it's $HOME, \\ \"big\".csv.gz.csv"
    x = np.random.default_rng(5).random((200, 2))
    write(name, ["x", "z", "y <&>"], [[a, b, 1e6 * (a + b * b)] for a, b in x])
    words = ["fit", name, "--target", "y <&>", "--features", "20", "--html", "p.html", "-o", "p.entropic"]
    done = subprocess.run([ENTROPIC, *words], capture_output=True, text=True, env=dict(os.environ, SOURCE_DATE_EPOCH="86400"))
    check("a page", done.returncode == 0, done.stderr)
    page = open("p.html").read()
    check("a title without folders and endings, and the target",
          "<title>it&#39;s $HOME, \\ &quot;big&quot;.csv.gz: predicting y &lt;&amp;&gt;</title>" in page)
    command = html.unescape(page.split("<code>")[1].split("</code>")[0])
    check("a shell reads the command back", shlex.split(command) == ["entropic", *words], command)
    told = subprocess.run(["sh", "-c", "entropic() { printf '%s\\n' \"$@\"; }; " + command], capture_output=True, text=True)
    check("as it was", told.stdout.splitlines() == words, told.stdout)
    check("the day it was asked for", "<dt>date</dt><dd>1970-01-02</dd>" in page)
    lines = {line.split()[0]: line for line in done.stderr.splitlines() if line[:1].isalpha() and ":" not in line.split()[0]}
    check("no powers of ten", not any("e+" in lines[word] for word in ("range", "validation", "references")), lines)
    check("commas in their place", re.search(r"mean \d{3},\d{3}\b", lines["references"]), lines)
    for day in "soon", "-1", "1e300":
        done = subprocess.run([ENTROPIC, *words], capture_output=True, text=True, env=dict(os.environ, SOURCE_DATE_EPOCH=day))
        check("SOURCE_DATE_EPOCH=" + day, done.returncode == 1 and "SOURCE_DATE_EPOCH=%s, expected seconds" % day in done.stderr,
              done.stderr)


def unhurried():
    """Whether a fit with a budget of three times its present time is the same. The machine may be busy."""
    run("generate", "friedman1", "--rows", "300", "-o", "brief.csv", "--quiet")
    start = time.monotonic()
    fit("brief.csv", "--target", "y", "-o", "free.entropic")
    budget = "%.3f" % (3 * (time.monotonic() - start))
    j, _ = fit("brief.csv", "--target", "y", "--seconds", budget, "-o", "bound.entropic")
    return j["hurried"] is False and filecmp.cmp("free.entropic", "bound.entropic", shallow=False)


def seconds():
    run("generate", "friedman1", "--rows", "50000", "--noise", "1", "-o", "big.csv", "--quiet")
    for words in ([], ["--select", "entropy"]):
        start = time.monotonic()
        j, said = fit("big.csv", "--target", "y", "--seconds", "1", *words, "-o", "b.entropic")
        took = time.monotonic() - start
        check("a second is over before long", took < 60, took)
        check("and it says so", j["hurried"] is True and "--seconds cut the search short" in said, said)
        check("the model is good all the same", j["validation"]["rmse"] < 0.8 * j["references"]["linear"], j)
    fit("s.csv", "--target", "y", "--seconds", "100000", "-o", "long.entropic")
    check("much time changes nothing", filecmp.cmp("s.entropic", "long.entropic", shallow=False))
    check("three times the time that it needs changes nothing", any(unhurried() for _ in range(3)))
    for words in ("0", "-1", "nan"):
        done = run("fit", "f.csv", "--target", "y", "--seconds", words)
        check("--seconds " + words, done.returncode == 1 and "--seconds" in done.stderr, done.stderr)


def listed():
    """A target that is one hat: the list has this hat, with the largest weight of all hats."""
    draw = np.random.default_rng(4)
    x = draw.random((2000, 2))
    y = np.maximum(0, 1 - np.abs(x[:, 0] - 0.625) / 0.125)
    write("bump.csv", ["x", "z", "y"], [[repr(float(v)) for v in row] for row in np.column_stack([x, y])])
    fit("bump.csv", "--target", "y", "--effort", "fast", "--scale", "none", "-o", "bump.entropic")
    lines = [line.split("\t") for line in run("info", "bump.entropic", "--list").stdout.splitlines()]
    check("one line for each feature", [line[0] for line in lines[1:]] == [str(i + 1) for i in range(len(lines) - 1)])
    check("each of them once", len({line[2] for line in lines}) == len(lines))
    hats = {line[2]: abs(float(line[1])) for line in lines[1:] if "hat" in line[2]}
    check("the bump has the largest weight", max(hats, key=hats.get) == "x:hat3#3", sorted(hats, key=hats.get)[-3:])
    found = json.loads(run("info", "bump.entropic", "--list", "--json").stdout)["list"]

    def spoken(term):
        return term["name"] + ":" + term["level"] + ("#%d" % term["atom"] if term["level"] not in
                                                     ("linear", "hat1", "legendre2", "legendre3") else "")
    check("the same as JSON",
          [(item["weights"][0], " ".join(map(spoken, item["terms"])) or "1") for item in found]
          == [(float(line[1]), line[2]) for line in lines[1:]], found[:3])


def main():
    make_tables()
    numbers_on_valid()
    classes_on_valid()
    the_other_searches()
    folds_and_page()
    stacks()
    pages_and_people()
    seconds()
    listed()
    sys.exit(end())


main()
