"""Makes the models and predictions kept here: only for a new format version or a new kernel, never to make a failing
test pass.

    make.py ENTROPIC NAME-PREFIX

Old files stay: every later version must load them and predict the same. v4-constant, which has no features, is made by
tests/cli/crafted_models.py: newest(used=(False,) * 3, marks=12, classes=("large", "middle", "small"), groups=[]). v4-kept
keeps its statistics without the sums behind marginals (section msum), as early builds of 0.2 wrote them; this script makes
no such file.
"""
import random
import subprocess
import sys

entropic, prefix = sys.argv[1:]
draw = random.Random(3)


def table(path, rows, gaps):
    with open(path, "w") as file:
        file.write("length,width,colour,age,made,weight,size,kind\n")
        for _ in range(rows):
            length, width, age = draw.uniform(1, 90), draw.expovariate(0.1), draw.randint(1, 12)
            colour = draw.choice(["red", "green", "deep blue", 'so-called "pink"'])
            weight = length * width / 10 + (5 if colour == "red" else 0) + draw.gauss(0, 0.5)
            kind = "small" if weight < 10 else "middle" if weight < 60 else "large"
            made = "20%02d-%02d-%02d" % (draw.randint(0, 24), draw.randint(1, 12), draw.randint(1, 28))
            cells = ["%.4g" % length, "%.4g" % width, '"%s"' % colour.replace('"', '""'), age,
                     made + draw.choice(["", "T12:30", " 06:00:00.5"]), "%.4g" % weight, "%.4g" % (weight / age), kind]
            if gaps and draw.random() < 0.2:
                cells[draw.randrange(5)] = ""
            file.write(",".join(map(str, cells)) + "\n")


def run(*words):
    return subprocess.run([entropic, *words, "--quiet"], check=True, capture_output=True, text=True).stdout


table("train.csv.tmp", 120, True)
table(prefix + "-rows.csv", 40, True)
common = ["--features", "40", "--omega", "1.5", "--lambda", "1e-3", "--seed", "7"]
entropy = ["--select", "entropy"]
fits = {"numbers": ["--target", "weight,size", "--ignore", "kind", "--smooth", "3", *entropy, *common],
        "classes": ["--target", "kind", "--ignore", "weight,size", "--loss", "logistic", "--kernel", "cosh", *common],
        "squared": ["--target", "kind", "--ignore", "weight,size", "--loss", "squared", "--scale", "minmax",
                    "--nonzeros", "20", *common[2:]],
        "blend": ["--target", "weight", "--ignore", "size,kind", "--scale", "blend", "--kernel", "sobolev", *entropy, *common],
        "selected": ["--target", "weight,size", "--ignore", "kind", "--select", "residual", "--ensemble", "2", "--scale",
                     "quantile", *common],
        "gaps": ["--target", "weight", "--ignore", "size,kind", "--solver", "exact", *common[2:]],
        "root": ["--target", "weight", "--ignore", "size,kind", "--select", "residual", "--scale", "blend",
                 "--target-scale", "root", *common],
        "few": ["--target", "weight,size", "--ignore", "kind", "--select", "residual", "--scale", "blend", "--features",
                "4", *common[2:]],
        "few-root": ["--target", "weight", "--ignore", "size,kind", "--select", "residual", "--scale", "minmax",
                     "--target-scale", "root", "--features", "2", *common[2:]],
        "few-classes": ["--target", "kind", "--ignore", "weight,size", "--select", "residual", "--scale", "quantile",
                        "--features", "3", *common[2:]],
        "neumann": ["--target", "weight", "--ignore", "size,kind", "--kernel", "neumann", *common],
        "custom": ["--target", "weight", "--ignore", "size,kind", "--kernel", "custom", "--p", "exp(x^2) - 1 + x/10",
                   "--q", "1 + w*(1 - x)^3", *common],
        "equation": ["--target", "weight", "--ignore", "size,kind", "--kernel", "custom", "--alpha", "exp(x/2)",
                     "--beta=-w^2*(1 + x)", "--left", "1,-w", "--right", "1,0", *common],
        "parts": ["--target", "weight,size", "--ignore", "kind", "--smooth", "3", *entropy, *common],
        "huber": ["--target", "weight", "--ignore", "size,kind", "--loss", "huber", *entropy, *common],
        "exact": ["--target", "weight", "--ignore", "size,kind", "--solver", "exact", "--kernel", "laplace", *common[2:]]}
for name, options in fits.items():
    model = "%s-%s.entropic" % (prefix, name)
    run("fit", "train.csv.tmp", "-o", model, *options)
    more = ["--proba"] if name in ("classes", "squared", "few-classes") else []
    run("predict", model, prefix + "-rows.csv", "-o", "%s-%s.csv" % (prefix, name), *more)
