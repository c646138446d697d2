"""Cases of tables.py: the layout of files. pandas writes the files of PANDAS, so it must be installed."""
import gzip
import inspect
import io

HEADLESS = "no header found: line 1 is read as data"
NUMBERS = "line 1 is read as names, although they are numbers; --header no reads it as data"


def lines(head, row="%d,%d,%s", classes=("0.5", "1.5", "2.5", "4.5"), rows=6, end="\n"):
    """The lines of a head, and rows of two numbers and something else."""
    body = [row % (i * 7 % 11, i * i % 13, classes[i % len(classes)]) for i in range(rows)]
    return end.join([*head, *body, ""])


ABY = "a:number b:number y:number:target"
X123 = "x1:number x2:number x3:number:target"
CLASSES = ("u", "v", "u", "w")
QUOTED = '"%d","%d","%s"'


def case(name, file, options="--target y", columns=ABY, **more):
    return {"name": name, "file": file, "options": options, "columns": columns, **more}


def failure(name, file, message, options="--target y", status=2, **more):
    return {"name": name, "file": file, "options": options, "status": status, "message": message, **more}


HEADERS = [
    case("header over numbers", lines(["a,b,y"]), rows=6),
    case("numbers without names", lines([]), "--target 3", X123, rows=6, notices=[HEADLESS]),
    case("numbers, told that there is no header", lines([]), "--target 3 --header no", X123, rows=6),
    case("numbers, told that there is a header", lines(["5,6,7"]), "--target 7 --header yes",
         "5:number 6:number 7:number:target", rows=6),
    case("names above texts", lines(["a,b,y"], "r%d,s%d,%s", rows=9), columns="a:category b:category y:number:target",
         rows=9),
    case("numeric names and a text target", lines(["0,1,target"], classes=CLASSES), "--target target",
         "0:number 1:number target:category:target", rows=6, classes=["u", "v", "w"]),
    case("numeric names and a number to predict", lines(["0,1,target"]), "--target target",
         "0:number 1:number target:number:target", rows=6),
    case("numeric names, a name for --ignore", lines(["0,1,k,target"], "%d,%d,%s,p", CLASSES, 9),
         "--ignore k --target 4 --task classification", None, status=2, message="expected two classes or more"),
    case("numeric names, a name for --weights", "0,w,t\n1,2,u\n2,1,v\n3,1,u\n5,3,v\n4,1,u\n",
         "--weights w --target 3", "0:number w:number:weight t:category:target", rows=5),
    case("numeric names, a name for --groups", "0,g,t\n1,p,u\n2,q,v\n3,p,u\n5,q,v\n4,r,u\n",
         "--groups g --target 3", "0:number g:category:group t:category:target", rows=5),
    case("numeric names, a name for --categorical", "0,c,t\n1,7,u\n2,8,v\n3,7,u\n5,8,v\n4,7,u\n",
         "--categorical c --target 3", "0:number c:category t:category:target", rows=5),
    case("numeric names, names in a list with blanks", "0,k,l,t\n1,7,9,u\n2,8,6,v\n3,7,5,u\n5,8,5,v\n4,7,7,u\n",
         ["--ignore", "k, l", "--target", "4"], "0:number k:-:ignored l:-:ignored t:category:target", rows=5),
    case("texts below a name the user gives", "u,v,u\nv,u,u\nu,u,v\nv,v,v\nu,v,v\n", "--target w --header no", None,
         status=1, message="no column w; there are x1, x2, x3\n"),
    case("counting names, a name that is a number", lines(["0,1,2,3"], "%d,%d,%s,1.5", rows=7), "--target 2",
         "0:number 1:number 2:number:target 3:constant", rows=7,
         notices=[NUMBERS, "column 2 is the one with that name, number 3", "1 input dropped, the same in every row"]),
    case("counting names, the last of them", "0,1,2,3\n1,5,2,8\n4,4,1,6\n2,8,9,7\n7,7,3,3\n", "--target 3",
         "0:number 1:number 2:number 3:number:target", rows=4,
         notices=[NUMBERS, "column 3 is the one with that name, number 4"]),
    case("counting names, the first of them", "0,1,2,3\n1,5,2,8\n4,4,1,6\n2,8,9,7\n7,7,3,3\n", "--target 0",
         "0:number:target 1:number 2:number 3:number", rows=4, notices=[NUMBERS]),
    case("counting names, one number too large to be a name", "0,1,2\n1,5,2\n4,4,1\n2,8,9\n", "--target 3", X123, rows=4,
         notices=[HEADLESS]),
    case("many counting names", "0,1,2,3,4,5\n1,5,2,8,2,2\n4,4,1,6,3,4\n2,8,9,7,1,1\n7,7,3,3,5,2\n", "--target 6",
         "0:number 1:number 2:number 3:number 4:number 5:number:target", rows=4,
         notices=[NUMBERS]),
    case("many counting names that are data", "0,1,2,3,4,5\n1,5,2,8,2,2\n4,4,1,6,3,4\n2,8,9,7,1,1\n7,7,3,3,5,2\n",
         "--target 6 --header no", None, rows=5),
    case("years as names", "2019,2020,2021\n1.5,2.5,3.5\n2,4,1\n3,1,2\n4,2,2\n", "--target 2021",
         "2019:number 2020:number 2021:number:target", rows=4, notices=[NUMBERS]),
    failure("a number beyond the columns is no name among fractions", "10,2.5,3\n4,5,6\n7,8,1\n2,2,2\n",
            "FILE: no column 10; there are 3", "--target 10", 1),
    case("numbers of rows that count are data", "1,2,3\n4,5,6\n7,8,1\n2,2,2\n", "--target 3", X123, rows=4,
         notices=[HEADLESS]),
    case("a list of columns is no cell", "1,2;3,5;7,5\n4,5;6,5;1,5\n2,5;1,5;3,5\n3,5;9,5;5,5\n", "--target 3 --ignore 1,2",
         None, status=2, message="has no inputs"),
    case("a word for a number in the first row of data", lines(["unknown,1.5,2.5", "unknown,2.5,1"]), "--target 3",
         "x1:category x2:number x3:number:target", rows=8, notices=[HEADLESS, "but these are not: 'unknown' (2, first in line 1)"]),
    case("a word among groups", lines(["a,g,y"], rows=150) + "1,rest,2\n", "--target y --groups g",
         "a:number g:category:group y:number:target", rows=151),
    failure("no such name in a file without names", lines([]),
            "FILE: no column price; there are x1, x2, x3, as line 1 is read as data (--header yes reads it as names)",
            "--target price", 1),
    failure("no such name in a file with names", lines(["a,b,y"]), "FILE: no column price; there are a, b, y\n",
            "--target price", 1),
    case("first name empty", lines([",b,y"]), columns="x1:number b:number y:number:target", rows=6),
    case("first name empty beside x1", lines([",x1,y"]), columns="x1.1:number x1:number y:number:target", rows=6,
         notices=["1 column without a name: the first is called x1.1"]),
    case("two empty names beside x2", "x2,,,y\n1,2,3,4\n2,5,2,5\n6,3,1,1\n", columns=
         "x2:number x2.1:number x3:number y:number:target", notices=["1 column without a name: the first is called x2.1"]),
    case("a name twice", lines(["a,a,y"]), columns="a:number a.1:number y:number:target",
         notices=["a column has the same name as an earlier one and is renamed a.1"]),
    case("names twice and thrice", "a,b,a,b,a,y\n1,2,3,4,5,6\n5,7,1,2,3,3\n6,4,2,9,8,1\n", columns=
         "a:number b:number a.1:number b.1:number a.2:number y:number:target",
         notices=["3 columns have the same names as earlier ones and are renamed a.1, b.1, a.2"]),
    case("a name twice beside one with .1", "a,a.1,a,y\n1,2,3,4\n5,7,1,2\n6,4,2,9\n", columns=
         "a:number a.1:number a.2:number y:number:target", notices=["renamed a.2"]),
    case("the target's name twice", "y,a,y\n1,2,3\n5,7,1\n6,4,2\n", columns="y:number:target a:number y.1:number",
         notices=["renamed y.1"]),
    case("a second name by its new name", "y,a,y\n1,2,3\n5,7,1\n6,4,2\n", "--target y.1",
         "y:number a:number y.1:number:target", notices=["renamed y.1"]),
    case("seven names the same", "a,a,a,a,a,a,a,y\n1,2,3,4,5,6,7,8\n2,3,4,5,6,7,8,1\n3,1,2,2,1,1,5,4\n", columns=None,
         notices=["6 columns have the same names as earlier ones and are renamed a.1, a.2, a.3, a.4, a.5 and 1 more"]),
    case("names alike but for their case", "a,A,y\n1,2,3\n5,7,1\n6,4,2\n", columns="a:number A:number y:number:target"),
]

TITLES = [
    case("sep=;", "sep=;\r\n" + lines(["a;b;y"], "%d,5;%d;%s", ("0,5", "2,5", "1,5"), end="\r\n"), rows=6),
    case("sep=,", "sep=,\n" + lines(["a,b,y"]), rows=6),
    case("sep= and a tab", "sep=\t\n" + lines(["a\tb\ty"], "%d\t%d\t%s"), rows=6),
    case("sep=\\t", "sep=\\t\n" + lines(["a\tb\ty"], "%d\t%d\t%s"), rows=6),
    case("SEP=| after a byte-order mark", "\ufeffSEP=|\n" + lines(["a|b|y"], "%d|%d|%s"), rows=6),
    case("sep= in quotes", '"sep=;"\n' + lines(["a;b;y"], "%d;%d;%s"), rows=6),
    case("sep=; before texts with other delimiters", "sep=;\na;b;y\np,q,r;1;2\ns,t,u;3;1\np,q,r;2;2\n",
         columns="a:category b:number y:number:target", rows=3),
    case("sep=; without names", "sep=;\n" + lines([], "%d;%d;%s"), "--target 3", X123, rows=6,
         notices=["no header found: line 2 is read as data"]),
    case("sep=; and a title", "sep=;\nSales of May\n" + lines(["a;b;y"], "%d;%d;%s"), rows=6,
         notices=["1 line above the header skipped; the first is 'Sales of May'"]),
    case("sep as a name", "sep,b,y\n1,2,3\n2,3,1\n5,1,2\n", columns="sep:number b:number y:number:target"),
    case("a title", "Sales of May\n" + lines(["a,b,y"]), rows=6,
         notices=["1 line above the header skipped; the first is 'Sales of May'"]),
    case("a title and an empty line", "Sales of May\n\n" + lines(["a,b,y"]), rows=6,
         notices=["2 lines above the header skipped; the first is 'Sales of May'"]),
    case("an empty line, a title, empty lines", "\n\nSales of May\n\n\n" + lines(["a,b,y"]), rows=6,
         notices=["5 lines above the header skipped; the first is 'Sales of May'"]),
    case("a title of three lines", "Sales of May\nBranch: 5\nmade on 2024-06-01\n" + lines(["a,b,y"]), rows=6,
         notices=["3 lines above the header skipped; the first is 'Sales of May'"]),
    case("a title in one cell of many", "Sales of May,,\n,,\n" + lines(["a,b,y"]), rows=6,
         notices=["2 lines above the header skipped; the first is 'Sales of May'"]),
    case("a title of two cells above four", "Branch,Berlin\na,b,c,y\n1,2,3,4\n2,2,1,5\n3,1,1,1\n", columns=
         "a:number b:number c:number y:number:target", notices=["the first is 'Branch,Berlin'"]),
    case("a title with commas above semicolons", "Export, 3 May 2024\nStation, Berlin\na;y\n1,5;2\n2,5;3\n3,5;1\n",
         columns="a:number y:number:target", rows=3, notices=["the first is 'Export, 3 May 2024'"]),
    case("a title above two columns", "Heights\na,y\n1,2\n2,5\n3,1\n", columns="a:number y:number:target", rows=3,
         notices=["the first is 'Heights'"]),
    case("a title of many cells above the name the user gives", "made, on, Monday\na,b,c,y\n1,2,3,4\n2,2,1,5\n3,1,1,1\n",
         columns="a:number b:number c:number y:number:target", notices=["the first is 'made, on, Monday'"]),
    case("a title in quotes over two lines", '"Sales\nof May"\n' + lines(["a,b,y"]), rows=6,
         notices=["2 lines above the header skipped; the first is '"]),
    case("a title, CRLF", "Sales of May\r\n\r\n" + lines(["a,b,y"], end="\r\n"), rows=6,
         notices=["2 lines above the header skipped; the first is 'Sales of May'"]),
    case("a title and lines that end with CR", "Sales of May\r\r" + lines(["a,b,y"], end="\r"), rows=6,
         notices=["2 lines above the header skipped; the first is 'Sales of May'"]),
    case("a title, tabs", "Sales of May\n" + lines(["a\tb\ty"], "%d\t%d\t%s"), rows=6,
         notices=["1 line above the header skipped"]),
    case("a title above texts", "Sales of May\n" + lines(["a,b,y"], "r%d,s%d,%s", CLASSES, 9),
         columns="a:category b:category y:category:target", rows=9, notices=["1 line above the header skipped"]),
    case("a title above numeric names", "Sales of May\n" + lines(["0,1,target"], classes=CLASSES), "--target target",
         "0:number 1:number target:category:target", rows=6, notices=["1 line above the header skipped"]),
    case("a title, gzipped", gzip.compress(("Sales of May\n" + lines(["a,b,y"])).encode()), ending=".csv.gz", rows=6,
         notices=["1 line above the header skipped"]),
    case("a title, and comments", "# made by hand\nSales of May\n" + lines(["a,b,y"]), rows=6,
         notices=["2 lines above the header skipped; the first is 'Sales of May'"]),
    failure("lines are counted from the top of the file", "Sales\n\nof May\n" + lines(["a,b,y"], rows=3) + "1,2\n",
            "FILE, line 8: found 2 fields, expected 3"),
    failure("too few names are no title", "a,b\n1,2,3\n2,3,4\n5,1,1\n",
            "FILE, line 2: found 3 fields, expected 2; column 3 ('3') is too many", "--target b"),
    failure("names one too few are no title", "a b y\n1 1 2 3\n2 2 3 4\n4 5 1 1\n",
            "FILE, line 2: found 4 fields, expected 3; column 4 ('3') is too many", "--target y"),
    failure("two numbers of rows may be an accident", "a,b\n1,2,3\n2,3,4\n",
            "FILE, line 2: found 3 fields, expected 2; column 3 ('3') is too many", "--target b"),
    failure("names of rows that come again are none", '"a" "b" "y"\n"p" 1 2 3\n"q" 2 3 4\n"p" 5 1 1\n',
            "FILE, line 2: found 4 fields, expected 3; column 4 ('3') is too many", "--target y"),
    case("names of rows, as R writes them", '"a" "b" "y"\n' + "".join('"%d" %d %d %d.5\n' % (
        i + 1, i * 7 % 11, i * 5 % 13, i * i % 17) for i in range(25)), "--target y",
         "x1:identifier a:number b:number y:number:target", rows=25,
         notices=["line 1 has one name fewer than the rows have cells: the first column is read as row names",
                  "1 input dropped, for numbering or naming the rows: x1"]),
    case("names of rows without quotes, with tabs, beside x1", "x1\tb\ty\n" + "".join("%d\t%d\t%d\t%d.5\n" % (
        i + 1, i * 7 % 11, i * 5 % 13, i * i % 17) for i in range(25)), "--target y",
         "x1.1:identifier x1:number b:number y:number:target", rows=25,
         notices=["line 1 has one name fewer", "called x1.1", "for numbering or naming the rows: x1.1"]),
    case("numbers of rows from 0 above fixed widths", "    a   b     y\n" + "".join("%-3d %2d  %2d  %2d.5\n" % (
        i, i * 7 % 11, i * 5 % 13, i * i % 17) for i in range(25)), "--target y",
         "x1:identifier a:number b:number y:number:target", rows=25,
         notices=["line 1 has one name fewer", "for numbering or naming the rows: x1"]),
    case("names of rows that are words", '"a","k","y"\n' + "".join('"Mazda %d",%d,"%s",%d.5\n' % (
        i + 1, i * 7 % 11, "uvw"[i % 3], i * i % 17) for i in range(25)), "--target y",
         "x1:identifier a:number k:category y:number:target", rows=25,
         notices=["line 1 has one name fewer", "for numbering or naming the rows: x1"]),
    case("names of rows of the file to predict", lines(["a,b,y"]), predict='"b" "a"\n"1" 1 2\n"2" 3 4\n', rows=2,
         notices=["line 1 has one name fewer"]),
    failure("names one too few above texts are no title", "a,b\no,q,w\nr,s,v\nr,t,u\np,s,v\nr,s,v\np,t,u\n",
            "FILE, line 2: found 3 fields, expected 2; column 3 ('w') is too many", "--target b"),
    case("a title of the file that validates", lines(["a,b,y"]), "--target y --valid OTHER",
         other="Sales of June\n" + lines(["a,b,y"]), rows=6, notices=["other.csv: 1 line above the header skipped"]),
    case("numeric names of the file that validates", lines(["0,1,target"], classes=CLASSES),
         "--target target --valid OTHER", "0:number 1:number target:category:target",
         other=lines(["0,1,target"], classes=CLASSES), rows=6),
    case("a title of the file to predict", lines(["a,b,y"]), predict="Sales of June\n\na,b\n1,2\n3,4\n", rows=2,
         notices=["2 lines above the header skipped; the first is 'Sales of June'"]),
    case("numeric names of the file to predict", lines(["0,1,target"], classes=CLASSES), "--target target",
         "0:number 1:number target:category:target", predict="0,1\n1,2\n3,4\n", rows=2),
]

UTF16 = "a,b,y\n1,2,\u00fc\n2,3,\u6f22\U0001f600\n5,1,\u00fc\n7,2,\u6f22\U0001f600\n"
ENCODINGS = [
    case("byte-order mark", "\ufeff" + lines(["a,b,y"]), rows=6),
    case("UTF-16, little-endian", b"\xff\xfe" + UTF16.encode("utf-16-le"), columns="a:number b:number y:category:target",
         rows=4, classes=["\u00fc", "\u6f22\U0001f600"]),
    case("UTF-16, big-endian", b"\xfe\xff" + UTF16.encode("utf-16-be"), columns="a:number b:number y:category:target",
         rows=4, classes=["\u00fc", "\u6f22\U0001f600"]),
    case("UTF-16, gzipped", gzip.compress(b"\xff\xfe" + UTF16.encode("utf-16-le")), ending=".csv.gz",
         columns="a:number b:number y:category:target", rows=4, classes=["\u00fc", "\u6f22\U0001f600"]),
    case("UTF-16, CRLF, tabs, a title", "Verk\u00e4ufe\r\n".encode("utf-16") +
         lines(["a\tb\ty"], "%d\t%d\t%s", end="\r\n").encode("utf-16-le"), rows=6, notices=["the first is 'Verk\u00e4ufe'"]),
    case("UTF-16 of many chunks", ("a,b,y\n" + "".join("%d,%d,\u00fc%s\n" % (i % 97, i % 89, "xy"[i % 2])
                                                        for i in range(30000))).encode("utf-16"),
         columns="a:number b:number y:category:target", rows=30000, classes=["\u00fcx", "\u00fcy"]),
    case("UTF-16 through a pipe", b"\xfe\xff" + UTF16.encode("utf-16-be"), columns="a:number b:number y:category:target",
         rows=4, classes=["\u00fc", "\u6f22\U0001f600"], pipe=True),
    case("UTF-16 through a pipe, text where numbers were", ("a,b,y\n" + "".join(
        "%d,%s,%d\n" % (i % 97, "q" if 9000 < i < 9900 else i % 89, i % 83) for i in range(10000))).encode("utf-16"),
         columns="a:number b:category y:number:target", rows=10000, pipe=True,
         notices=["column b: 91.01 % of its values are numbers, but these are not: 'q' (899, first in line 9003)"]),
    case("a title through a pipe", "Sales of May\n\n" + lines(["a,b,y"]), rows=6, pipe=True,
         notices=["2 lines above the header skipped"]),
    case("UTF-16 LIBSVM", "1 1:0.5 2:2\n-1 1:2 2:1\n1 1:1\n-1 1:3 2:1\n".encode("utf-16"), "", ending=".libsvm",
         columns="label:number x1:number x2:number", rows=4),
    failure("UTF-16 with an odd byte", "a,y\n1,2\n".encode("utf-16") + b"1",
            "FILE, line 3, byte 19: the file ends in the middle of a character, expected UTF-16 text"),
    failure("UTF-16 with half a pair", "a,y\n1,\ud83d2\n".encode("utf-16", "surrogatepass"),
            "FILE, line 2, byte 15: there is half of a surrogate pair, expected UTF-16 text"),
    failure("UTF-16 with a row too short", "a,b,y\n1,2,3\n1,2\n".encode("utf-16"),
            "FILE, line 3: found 2 fields, expected 3"),
]

TWINS = [
    case("classes that differ by case", lines(["a,b,y"], classes=("Yes", "yes", "no")), columns=
         "a:number b:number y:category:target", classes=["Yes", "no", "yes"],
         notices=["classes of y differ only by case or blanks: 'Yes' and 'yes'"]),
    case("classes that differ by blanks", lines(["a,b,y"], '%d,%d,"%s"', ("yes", " yes", "no")), columns=None,
         notices=["classes of y differ only by case or blanks: 'yes' and ' yes'"]),
    case("classes that differ by the case of other letters", lines(["a,b,y"], classes=("\u00d6l", "\u00f6l", "\u0434\u0430",
         "\u0414\u0430", "\u00d7", "\u00f7"), rows=12), columns=None,
         notices=["case or blanks: '\u00d6l' and '\u00f6l', '\u0434\u0430' and '\u0414\u0430'"]),
    case("classes that differ by a blank that does not break", lines(["a,b,y"], classes=("yes", "yes\u00a0", "no")),
         columns=None, notices=["case or blanks: 'yes' and 'yes\u00a0'"]),
    case("classes three times", lines(["a,b,y"], classes=("Yes", "yes", "YES", "no")), columns=None,
         notices=["'Yes' and 'yes', 'Yes' and 'YES'"]),
    case("inputs may differ by case", lines(["a,y,b"], classes=("Yes", "yes", "no")), columns=
         "a:number y:number:target b:category"),
    case("classes in a name with case", lines(["a,b,My Target"], classes=("Y", "y", "n")), ["--target", "My Target"],
         None, notices=["classes of My Target differ only by case or blanks: 'Y' and 'y'"]),
]

WRITTEN = [
    case("semicolons", lines(["a;b;y"], "%d;%d;%s"), rows=6),
    case("tabs", lines(["a\tb\ty"], "%d\t%d\t%s"), rows=6),
    case("pipes", lines(["a|b|y"], "%d|%d|%s"), rows=6),
    case("blanks", lines(["a b y"], "%d  %d %s"), rows=6),
    case("a delimiter of the user's", lines(["a:b:y"], "%d:%d:%s"), "--target y --delimiter :", rows=6),
    case("decimal commas", lines(["a;b;y"], "%d,5;%d,25;%s", ("0,5", "1,5", "2,75")), rows=6),
    case("decimal commas in quotes", lines(["a,b,y"], '"%d,5","%d,25","%s"', ("0,5", "1,5", "2,75")),
         "--target y --decimal comma --delimiter comma", None, status=1, message="decimal and delimiter are both ','"),
    case("CRLF", lines(["a,b,y"], end="\r\n"), rows=6),
    case("CR", lines(["a,b,y"], end="\r"), rows=6),
    case("no line feed at the end", lines(["a,b,y"]).rstrip("\n"), rows=6),
    case("empty lines in between and at the end", lines(["a,b,y"]).replace("\n", "\n\n") + "\n\n", rows=6),
    case("lines of blanks", lines(["a,b,y"]) + "  \n\t\n", rows=6),
    case("lines of delimiters at the end", lines(["a,b,y"]) + ",,\n,,\n", rows=6,
         notices=["2 rows without a target dropped"]),
    case("quotes around all", lines(['"a","b","y"'], QUOTED), rows=6),
    case("single quotes", lines(["'a','b','y'"], "'%d','%d','%s'"), rows=6),
    case("an apostrophe before a name", lines(["a,b,y"], classes=("u", "'t Hooft", "v", "u")), columns="a:number b:number y:category:target",
         rows=6),
    case("apostrophes before a name and behind another", lines(["a,b,y"], classes=("u", "'t Hooft", "v", "the boys'")),
         columns="a:number b:number y:category:target", rows=6),
    case("a cell that is an apostrophe", lines(["a,b,y"], classes=("u", "'", "v", "u")), columns="a:number b:number y:category:target",
         rows=6),
    case("delimiters and quotes in quotes", lines(['a,b,"y, or ""so"""'], QUOTED), ["--target", 'y, or "so"'],
         ["a:number", "b:number", 'y, or "so":number:target'], rows=6),
    case("line feeds in quotes", lines(['a,b,"y\nz"'], QUOTED), ["--target", "y\nz"],
         ["a:number", "b:number", "y\nz:number:target"], rows=6),
    case("blanks around fields", lines([" a , b , y "], " %d , %d , %s "), rows=6),
    case("comments", "# by hand\n" + lines(["a,b,y"]).replace("\n", "\n# more\n", 2), rows=6),
    case("comments of another kind", "% by hand\n" + lines(["a,b,y"]), "--target y --comment %", rows=6),
    case("delimiters at the ends of lines", lines(["a,b,y,,"], "%d,%d,%s,,"), rows=6,
         notices=["2 trailing columns without a name or a value dropped"]),
    case("delimiters at the ends of lines, and decimal commas", lines(["b;y;;"], "%d,5;%d%s", (";;",), rows=30),
         columns="b:number y:number:target", rows=30,
         notices=["2 trailing columns without a name or a value dropped"]),
    case("LIBSVM", "1 1:0.5 3:2\n-1 2:1 3:1\n1 1:1\n-1 2:3\n", "", "label:number x1:number x2:number x3:number", rows=4),
    case("LIBSVM from zero", "1 0:0.5 2:2\n-1 1:1 2:1\n1 0:1\n-1 1:3\n", "--from-zero",
         "label:number x1:number x2:number x3:number", rows=4),
    failure("a row too short", lines(["a,b,y"]) + "1,2\n", "FILE, line 8: found 2 fields, expected 3"),
    failure("a row too long", lines(["a,b,y"]) + "1,2,3,4\n", "FILE, line 8: found 4 fields, expected 3"),
    failure("a quote never closed", lines(["a,b,y"]) + '1,"2,3\n', "FILE, line 8, column 2: a quote is opened"),
    failure("empty", "", "FILE is empty, expected rows"),
    failure("a header alone", "a,b,y\n", "FILE has a header and no rows, expected some"),
]

LEVELS = [
    case("a second line of names", "a,a,b,y\np,q,p,\n1,2,3,4\n2,5,1,7\n4,4,2,1\n", columns=
         "a_p:number a_q:number b_p:number y:number:target", rows=3,
         notices=["line 2 ('p,q,p,') is read as names, too, which are appended to those above it"]),
    case("a second and a third line of names", "a,a,a,y\np,p,q,\nr,s,r,\n1,2,3,4\n2,5,1,7\n4,4,2,1\n", columns=
         "a_p_r:number a_p_s:number a_q_r:number y:number:target", rows=3,
         notices=["line 2 ('p,p,q,')", "line 3 ('r,s,r,')"]),
    case("units", "a,b,y\nkg,m,s\n1,2,3\n2,5,1\n4,4,2\n", rows=3,
         notices=["line 2 ('kg,m,s') has no numbers but stands above some: it is skipped"]),
    case("units below a title and an empty line", "A title\n\na,b,y\n\nkg,m,s\n\n1,2,3\n2,5,1\n4,4,2\n", rows=3,
         notices=["2 lines above the header", "line 5 ('kg,m,s') has no number"]),
    case("units of the file to predict", "a,b,y\nkg,m,s\n1,2,3\n2,5,1\n4,4,2\n", predict="a,b\nkg,m\n1,2\n", rows=1,
         notices=["line 2 ('kg,m') has no number"]),
    case("a first row without numbers", "a,b,y\nu,,v\nw,2,u\nu,3,v\nw,1,u\n", columns=
         "a:category b:number y:category:target", rows=4),
    case("a first row of missing values", "a,b,y\nNA,?,3\n1,2,5\n3,1,1\n5,3,2\n", rows=4),
]

CASES = HEADERS + LEVELS + TITLES + ENCODINGS + TWINS + WRITTEN

try:
    import numpy as np
    import pandas as pd
except ImportError as missing:
    SKIPPED = "as pandas writes them: %s" % missing
else:
    SKIPPED = None


def pandas_cases():
    """The output of DataFrame.to_csv."""
    def written(frame, **options):
        if options.get("compression") or options.get("encoding"):
            target = io.BytesIO()
            frame.to_csv(target, **options)
            return target.getvalue()
        return frame.to_csv(**options)

    rows = 25
    a, b = np.arange(rows) * 7 % 11 + 0.5, np.arange(rows) * 5 % 13
    plain = pd.DataFrame({"a": a, "b": b, "y": a - b})
    texts = pd.DataFrame({"a": a, "c": [("red", "green", "dark blue")[i % 3] for i in range(rows)], "y": a - b})
    gaps = plain.copy()
    gaps.loc[3, "a"] = gaps.loc[5, "b"] = np.nan
    aby = "a:number b:number y:number:target"
    index = "1 input dropped, for numbering or naming the rows: "
    arrays = pd.DataFrame(np.column_stack([a, b, a - b]))
    mixed = pd.DataFrame(np.column_stack([a, b]))
    mixed["target"] = ["no", "yes"] * (rows // 2) + ["no"]
    levels = pd.DataFrame(np.column_stack([a, b, a - b]),
                          columns=pd.MultiIndex.from_tuples([("in", "a"), ("in", "b"), ("y", "")]))
    named = levels.copy()
    named.index.name = "id"
    dates = plain.assign(d=pd.date_range("2024-01-01", periods=rows, freq="7D"))
    days = plain.set_index(pd.Index(dates["d"]))
    grouped = texts.set_index(["c", pd.Index(np.arange(rows) // 2, name="n")])
    return [
        case("pandas: index=False", written(plain, index=False), rows=rows),
        case("pandas: with its index", written(plain), columns="x1:identifier " + aby, rows=rows,
             notices=[index + "x1"]),
        case("pandas: with its index beside x1", written(plain.rename(columns={"a": "x1"})), columns=
             "x1.1:identifier x1:number b:number y:number:target", rows=rows,
             notices=[index + "x1.1", "1 column without a name: the first is called x1.1"]),
        case("pandas: written twice, so that there are two indices", written(pd.read_csv(io.StringIO(written(plain)))),
             columns=None, rows=rows, notices=["2 inputs dropped, for numbering or naming the rows"]),
        case("pandas: from an array", written(arrays, index=False), "--target 2",
             "0:number 1:number 2:number:target", rows=rows, notices=[NUMBERS, "column 2 is the one with that name, number 3"]),
        case("pandas: from an array, with its index", written(arrays), "--target 2",
             "x1:identifier 0:number 1:number 2:number:target", rows=rows,
             notices=[NUMBERS, "column 2 is the one with that name, number 4", index + "x1"]),
        case("pandas: from an array and a target", written(mixed, index=False), "--target target",
             "0:number 1:number target:category:target", rows=rows, classes=["no", "yes"]),
        case("pandas: from an array, header=False", written(arrays, index=False, header=False), "--target 3", X123,
             rows=rows, notices=[HEADLESS]),
        case("pandas: strings", written(texts, index=False), columns="a:number c:category y:number:target", rows=rows),
        case("pandas: categories", written(texts.astype({"c": "category"}), index=False), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: booleans", written(plain.assign(y=b > 5), index=False), columns=
             "a:number b:number y:category:target", rows=rows, classes=["False", "True"]),
        case("pandas: dates", written(dates, index=False), columns=aby + " d:date", rows=rows,
             notices=["--time d validates forward"]),
        case("pandas: dates with date_format", written(dates, index=False, date_format="%Y-%m-%dT%H:%M"), columns=
             aby + " d:date", rows=rows, notices=["--time d validates forward"]),
        case("pandas: dates as index", written(days), columns="d:date " + aby, rows=rows,
             notices=["--time d validates forward"]),
        case("pandas: NaN", written(gaps, index=False), rows=rows, json={"missing": 2}),
        case("pandas: NaN, na_rep NA", written(gaps, index=False, na_rep="NA"), rows=rows, json={"missing": 2}),
        case("pandas: NaN, na_rep nan", written(gaps, index=False, na_rep="nan"), rows=rows, json={"missing": 2}),
        case("pandas: NaN, na_rep NULL", written(gaps, index=False, na_rep="NULL"), rows=rows, json={"missing": 2}),
        case("pandas: NaN, na_rep -999", written(gaps, index=False, na_rep="-999"), "--target y --missing -999",
             rows=rows, json={"missing": 2}),
        case("pandas: sep ; and decimal ,", written(plain, index=False, sep=";", decimal=","), rows=rows),
        case("pandas: sep tab", written(plain, index=False, sep="\t"), rows=rows),
        case("pandas: sep |", written(plain, index=False, sep="|"), rows=rows),
        case("pandas: sep ; and decimal , and quotes", written(texts, index=False, sep=";", decimal=",", quoting=2), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: QUOTE_ALL", written(plain, index=False, quoting=1), rows=rows),
        case("pandas: QUOTE_NONNUMERIC", written(texts, index=False, quoting=2), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: QUOTE_NONE", written(texts, index=False, quoting=3), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: quotechar '", written(texts, index=False, quoting=1, quotechar="'"), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: texts with commas, quotes and line feeds",
             written(texts.replace({"c": {"red": 'r,"e"\nd'}}), index=False), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: columns of two levels", written(levels, index=False), columns=
             "in_a:number in_b:number y:number:target", rows=rows,
             notices=["line 2 ('a,b,') is read as names, too"]),
        case("pandas: columns of two levels, with its index", written(levels), columns=
             "x1:identifier in_a:number in_b:number y:number:target", rows=rows,
             notices=["line 2 (',a,b,') is read as names, too", index + "x1"]),
        case("pandas: columns of two levels, with a name for its index", written(named), columns=
             "id:identifier in_a:number in_b:number y:number:target", rows=rows,
             notices=["line 2 (',a,b,') is read as names, too", "line 3 ('id,,,')", index + "id"]),
        case("pandas: rows of two levels", written(grouped), columns="c:category n:number a:number y:number:target",
             rows=rows),
        case("pandas: equal names", written(pd.concat([plain[["a"]], plain[["b", "y"]], plain[["a"]] * 2], axis=1),
                                            index=False), columns="a:number b:number y:number:target a.1:number",
             rows=rows, notices=["renamed a.1"]),
        case("pandas: utf-16", written(texts, index=False, encoding="utf-16"), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: utf-8-sig", written(texts, index=False, encoding="utf-8-sig"), columns=
             "a:number c:category y:number:target", rows=rows),
        case("pandas: gzip", written(plain, index=False, compression="gzip"), ending=".csv.gz", rows=rows),
        case("pandas: utf-16 and gzip", written(plain, index=False, compression="gzip", encoding="utf-16"),
             ending=".csv.gz", rows=rows),
        case("pandas: float_format", written(plain, index=False, float_format="%.3e"), rows=rows),
        case("pandas: lines end with CRLF", written(plain, index=False, **line_end("\r\n")), rows=rows),
        case("pandas: lines end with CR", written(plain, index=False, **line_end("\r")), rows=rows),
        case("pandas: index_label", written(plain, index_label="row"), columns="row:identifier " + aby, rows=rows,
             notices=[index + "row"]),
        case("pandas: nullable integers", written(gaps.astype({"b": "Int64"}), index=False), rows=rows,
             json={"missing": 2}),
        case("pandas: years as names", written(arrays.rename(columns={0: 2019, 1: 2020, 2: 2021}), index=False),
             "--target 2021", "2019:number 2020:number 2021:number:target", rows=rows, notices=[NUMBERS]),
    ]


def line_end(text):
    """The option has had two names."""
    known = inspect.signature(pd.DataFrame.to_csv).parameters
    return {"lineterminator" if "lineterminator" in known else "line_terminator": text}


if SKIPPED is None:
    CASES += pandas_cases()
