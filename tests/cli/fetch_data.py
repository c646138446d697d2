"""scripts/fetch-data without a network: it converts, checks and refuses workbooks and archives made here. This does not
test whether the addresses are still right."""
import gzip
import hashlib
import importlib.machinery
import importlib.util
import io
import os
import subprocess
import sys
import zipfile

from _tap import check, end

SCRIPT = os.path.join(os.environ["ENTROPIC_SOURCE"], "scripts", "fetch-data")
SHARED = os.environ.get("ENTROPIC_DATA", os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data"))


def equal(what, found, expected):
    check(what, found == expected, "found %r, expected %r" % (found, expected))


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("fetch_data", SCRIPT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fetch_data", loader))
    loader.exec_module(module)
    return module


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def workbook(rows, strings=(), sheet="xl/worksheets/data.xml"):
    """A workbook whose first sheet is not the first file; rows are the XML of their cells."""
    body = "".join("<row r=\"%d\">%s</row>" % (i, cells) for i, cells in enumerate(rows, 1))
    return zipped({
        "xl/workbook.xml": "<workbook xmlns=\"%s\" xmlns:r=\"%s\"><sheets><sheet name=\"a\" r:id=\"rId7\"/>"
                           "<sheet name=\"b\" r:id=\"rId1\"/></sheets></workbook>" % (MAIN, LINKS),
        "xl/_rels/workbook.xml.rels": "<Relationships xmlns=\"%s\"><Relationship Id=\"rId1\" Target=\"worksheets/other.xml\"/>"
                                      "<Relationship Id=\"rId7\" Target=\"%s\"/></Relationships>" %
                                      (PACKAGE, sheet.replace("xl/", "")),
        "xl/worksheets/other.xml": "<worksheet/>",
        "xl/sharedStrings.xml": "<sst xmlns=\"%s\">%s</sst>" % (MAIN, "".join("<si>%s</si>" % s for s in strings)),
        sheet: "<worksheet xmlns=\"%s\"><sheetData>%s</sheetData></worksheet>" % (MAIN, body)})


def numbers(row, number):
    return "".join("<c r=\"%s%d\"><v>%s</v></c>" % (chr(65 + i), number, v) for i, v in enumerate(row))


def cells(module):
    equal("numbers in their shortest form", [module.plain(c) for c in
          ("0.97999999999999998", " 294.0", "7", "-0.0", "1e3", ".5", "1e-7", "2.95906002455997", "-3.25")],
          ["0.98", "294", "7", "0", "1000", "0.5", "1e-07", "2.95906002455997", "-3.25"])
    equal("texts as they are", [module.plain(c) for c in ("?", " <=50K ", "2011-01-01", "nan", "inf", "1x", "")],
          ["?", "<=50K", "2011-01-01", "nan", "inf", "1x", ""])
    equal("semicolons, a mark at the start, CRLF, empty lines and columns",
          module.parse_table(b"\xef\xbb\xbfa;b;\r\n1.0;x;\r\n;;\r\n\r\n2;y;\r\n"), [["a", "b"], ["1", "x"], ["2", "y"]])
    equal("tabs and no header", module.parse_table(b"800\t0\t0.30480\n1000\t1.5\t2\n"),
          [["800", "0", "0.3048"], ["1000", "1.5", "2"]])
    equal("columns of cells", [module.column_of(r) for r in ("A1", "Z9", "AA1", "AB12")], [0, 25, 26, 27])


def workbooks(module):
    book = workbook(["<c r=\"A1\" t=\"s\"><v>1</v></c><c r=\"C1\" t=\"s\"><v>0</v></c>",
                     "<c r=\"A2\"><v>0.97999999999999998</v></c><c r=\"B2\"/><c r=\"C2\"><f>1+1</f><v>2</v></c>",
                     "",
                     "<c r=\"B4\" t=\"inlineStr\"><is><t>in</t><t>line</t></is></c><c r=\"C4\" t=\"str\"><v>text</v></c>"],
                    strings=["<r><t>ri</t></r><r><t>ch</t></r>", "<t>plain &amp; simple</t>"])
    equal("strings, gaps, formulas and empty rows", module.parse_workbook(book),
          [["plain & simple", "", "rich"], ["0.98", "", "2"], ["", "inline", "text"]])
    for what, data, words in (("what is no zip file", b"<html>not found</html>", "not a zip file"),
                              ("a zip file that is no workbook", zipped({"a.txt": "x"}), "no xl/workbook.xml")):
        try:
            module.parse_workbook(data)
            check(what + " is refused", False)
        except module.Failure as failure:
            check(what + " is refused", words in str(failure), failure)


def small_sets(module):
    """Small data sets, through the whole script."""
    table = module.Table("https://example.org/small+table.zip", "a b kind", "folder/small.csv")
    names = b"a,b,kind\n1,0.5,yes\n2,0.25,no\n"
    module.SETS = {"small": {"small.csv.gz": table},
                   "lines": {"small.libsvm": module.Lines("https://example.org/small")}}
    module.CHECKS = {"small.csv.gz": module.Sum(hashlib.sha256(names).hexdigest()),
                     "small.libsvm": module.Sum(hashlib.sha256(b"+1 1:0.5 3:1\n-1 2:1\n").hexdigest())}
    module.PAPER = ["small", "lines"]
    os.makedirs("downloads")
    with open("downloads/small+table.zip", "wb") as file:
        file.write(zipped({"folder/small.csv": "A;B;Kind\r\n1.0;0.50;yes\r\n2;.25;no\r\n"}))
    with open("downloads/small", "wb") as file:
        file.write(b"+1 1:0.5 3:1 \n-1  2:1\n")
    equal("a zip and lines are converted", module.main(["--from", "downloads", "kept"]), 0)
    with gzip.open("kept/small.csv.gz") as file:
        equal("the table", file.read(), names)
    with open("kept/small.libsvm", "rb") as file:
        equal("the lines", file.read(), b"+1 1:0.5 3:1\n-1 2:1\n")
    before = open("kept/small.csv.gz", "rb").read()
    equal("what is there is not fetched again", module.main(["--from", "missing", "kept"]), 0)
    equal("checking", module.main(["--check", "kept"]), 0)
    with open("downloads/small+table.zip", "wb") as file:
        file.write(zipped({"folder/small.csv": "a,b,kind\n1,0.5,yes\n2,0.26,no\n"}))
    equal("a wrong sum is refused", module.main(["--from", "downloads", "other", "small"]), 2)
    equal("and nothing is written", os.listdir("other"), [])
    with gzip.open("kept/small.csv.gz", "wb") as file:
        file.write(b"a,b,kind\n1,0.5,yes\n")
    equal("damage is found", module.main(["--check", "kept", "small"]), 2)
    equal("a damaged file stays if its successor is refused", module.main(["--from", "downloads", "kept", "small"]), 2)
    check("nothing half written", sorted(os.listdir("kept")) == ["small.csv.gz", "small.libsvm"], os.listdir("kept"))
    with open("downloads/small+table.zip", "wb") as file:
        file.write(zipped({"folder/small.csv": "a,b,kind\n1,0.5,yes\n2,0.25,no\n"}))
    equal("a damaged file is replaced", module.main(["--from", "downloads", "kept", "small"]), 0)
    equal("by the same bytes", open("kept/small.csv.gz", "rb").read(), before)
    with open("downloads/small+table.zip", "wb") as file:
        file.write(zipped({"folder/small.csv": "a,b,kind\n1,0.5\n"}))
    equal("a row of another length is refused", module.main(["--from", "downloads", "other", "small"]), 2)


def shapes(module):
    rule = module.Shape(2, "y", 1.5, 2)
    check("rows, mean and maximum", "2 rows" in rule.check(b"x,y\n7,1\n8,2\n"))
    for what, content in (("number of rows", b"x,y\n7,1\n"), ("mean", b"x,y\n7,1.5\n8,2\n"), ("maximum", b"x,y\n7,0.9\n8,2.1\n")):
        try:
            rule.check(content)
            check("a wrong %s is refused" % what, False)
        except module.Failure as failure:
            check("a wrong %s is refused" % what, what.split()[-1] in str(failure), failure)


def command_line():
    done = run("--from", "nowhere", "target", "energy")
    check("a download that is not there", done.returncode == 2 and "energy+efficiency.zip" in done.stderr, done.stderr)
    done = run("target", "iris")
    check("no such data set", done.returncode == 1 and "there are: energy grid" in done.stderr, done.stderr)
    done = run("--check", "nowhere")
    check("no such folder", done.returncode == 1 and "no such folder" in done.stderr, done.stderr)
    done = run("--list")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    check("the list", done.returncode == 0 and len(lines) == 19 and all(len(l) == 3 and l[2].startswith("https://")
                                                                        for l in lines), done.stdout)


def real_data():
    """Real values, in the formats in which they are published."""
    path = os.path.join(SHARED, "energy_efficiency.csv.gz")
    if not os.path.exists(path):
        check("the data at hand # SKIP there are none", True)
        return
    done = run("--check", SHARED)
    check("the data at hand pass", done.returncode == 0, done.stderr)
    with gzip.open(path, "rt") as file:
        rows = [line.strip().split(",") for line in file]
    head = "".join("<c r=\"%s1\" t=\"inlineStr\"><is><t>%s</t></is></c>" % (chr(65 + i), n) for i, n in enumerate(rows[0]))
    long_form = [["%.17g" % float(cell) for cell in row] for row in rows[1:]]
    book = workbook([head] + [numbers(row, i) for i, row in enumerate(long_form, 2)] + ["<c r=\"L900\"/>"])
    os.makedirs("published")
    with open("published/energy+efficiency.zip", "wb") as file:
        file.write(zipped({"ENB2012_data.xlsx": book}))
    done = run("--from", "published", "fetched", "energy")
    check("the real table out of a workbook in a zip has its checksum", done.returncode == 0 and
          "written, sha256 as expected" in done.stdout, done.stderr)
    with gzip.open(os.path.join(SHARED, "adult_test.csv.gz"), "rt") as file:
        lines = file.read().splitlines()[1:]
    with gzip.open(os.path.join(SHARED, "adult_train.csv.gz"), "rt") as file:
        train = file.read().splitlines()[1:]
    with open("published/adult.zip", "wb") as file:
        file.write(zipped({"adult.data": "\n".join(line.replace(",", ", ") for line in train) + "\n\n",
                           "adult.test": "|1x3 Cross validator\n" +
                                         "".join(line.replace(",", ", ") + ".\n" for line in lines)}))
    done = run("--from", "published", "fetched", "adult")
    check("two real tables out of one zip", done.returncode == 0 and done.stdout.count("written, sha256") == 2, done.stderr)


def main():
    module = load()
    cells(module)
    workbooks(module)
    shapes(module)
    real_data()
    command_line()
    small_sets(module)
    return end()


if __name__ == "__main__":
    sys.exit(main())
