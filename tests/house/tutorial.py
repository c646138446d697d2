"""The tutorial: all its cells run, docs/tutorial.md and its pictures are what they give, and the pictures show all rows."""
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

from _tap import check, end

SOURCE = os.environ["ENTROPIC_SOURCE"]
SVG = "{http://www.w3.org/2000/svg}"
# How many strokes the dots of a picture have: one for each row that it shows, counted in the tables.
DOTS = {"table": "train", "day": "train", "pressure": "train with pressure", "predicted": "test", "intervals": "every third of test"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rows(words):
    name, _, pressure = words.replace("every third of ", "").partition(" with ")
    table = [line.split(",") for line in read(os.path.join(SOURCE, "examples", "data", "weather-%s.csv" % name)).splitlines()]
    count = sum(1 for row in table[1:] if not pressure or row[table[0].index(pressure)])
    return -(-count // 3) if "third" in words else count


def beyond(root):
    """Coordinates of strokes and bars that are beyond the edge of the picture, or not numbers."""
    _, _, width, height = map(float, root.get("viewBox").split())
    places = []
    for path in root.iter(SVG + "path"):
        numbers = re.findall(r"-?[\w.]+", re.sub("[ML]", " ", path.get("d")))
        places += zip(map(float, numbers[::2]), map(float, numbers[1::2]))
    for box in root.iter(SVG + "rect"):
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        places += [(x, y), (x + float(box.get("width")), y + float(box.get("height")))]
    return [place for place in places if not (0 <= place[0] <= width + 0.1 and 0 <= place[1] <= height + 0.1)]


def look(name):
    text = read(name)
    known = os.path.join(SOURCE, "docs", "pictures", name)
    check(name + " is the one in docs/pictures", os.path.exists(known) and read(known) == text, "make regenerate writes it anew")
    root = tree.fromstring(text)
    check(name + " has a title and stays within its frame", len(root.find(SVG + "title").text) > 10 and beyond(root) == [],
          beyond(root))
    stem = name[len("tutorial-"):-len(".svg")]
    if stem in DOTS:
        found = sum(path.get("d").count("M") for path in root.iter(SVG + "path") if path.get("class").startswith("dots"))
        check(name + " has a dot for each row", found == rows(DOTS[stem]), "%d, expected %d" % (found, rows(DOTS[stem])))


def main():
    script = os.path.join(SOURCE, "scripts", "tutorial")
    done = subprocess.run([sys.executable, script, ".", os.environ["ENTROPIC"]], capture_output=True, text=True)
    check("all cells run", done.returncode == 0, done.stdout + done.stderr)
    if done.returncode == 0:
        document = read("tutorial.md")
        check("docs/tutorial.md is what they give", read(os.path.join(SOURCE, "docs", "tutorial.md")) == document,
              "make regenerate writes it anew; now it is\n" + document)
        drawn = sorted(name for name in os.listdir(".") if name.endswith(".svg"))
        shown = sorted(re.findall(r"\]\(pictures/([\w-]+\.svg)\)", document))
        check("every picture is shown, once", drawn == shown and len(drawn) >= 8, "%s, %s" % (drawn, shown))
        for name in drawn:
            look(name)
    return end()


if __name__ == "__main__":
    sys.exit(main())
