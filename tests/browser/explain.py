"""The page of `entropic explain --html` in a real browser: sliders are moved, and what the page then shows is compared with
`entropic predict`; the pictures with `entropic explain`; names of any kind do nothing. With AXE=FILE, axe-core's
axe.min.js, it also looks for what screen readers stumble over."""
import csv
import functools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import _browser
import _look
from _look import check, equal
from _tap import end, skip

ENTROPIC = os.environ["ENTROPIC"]
MARKUP = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
QUOTES = "\"quotes\" 'more' & `ticks` ${1} \\"
LONG = "x" * 10000
RIGHT = "\u202eדירה\u05d0 abc"
LANDS = ["<b>north</b>", "south", "east & west", "'quoted'"]
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "PageUp": 33, "End": 35, "Home": 36}


def write(path, head, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head] + rows)


def run(*words):
    return subprocess.run([ENTROPIC, *words], check=True, capture_output=True, text=True).stdout


def numbers_table(path):
    """A skewed target of numbers, dates, categories and missing values, under names of all kinds."""
    draw, rows = random.Random(1), []
    for i in range(400):
        day, land = draw.randrange(0, 700), draw.choice(LANDS)
        x, y, z, w = (draw.random() for _ in range(4))
        count = (4 * math.sin(5 * x) + 6 * y * z + 9 * x * y * z + LANDS.index(land) + day / 150 + int(8 * w) / 3 + 3 + 0.2 * draw.gauss(0, 1)) ** 2
        date = time.strftime("%Y-%m-%d", time.gmtime((17000 + day) * 86400))
        rows.append(["%.6g" % x, "%.6g" % y, "" if i % 7 == 0 else "%.6g" % z, int(8 * w), date, "" if i % 11 == 0 else land,
                     "%.6g" % count])
    write(path, [MARKUP, QUOTES, LONG, RIGHT, "day", "land", "count"], rows)


def classes_table(path):
    draw, rows = random.Random(2), []
    for _ in range(400):
        a, b, c = (draw.gauss(0, 1) for _ in range(3))
        rows.append(["%.6g" % a, "%.6g" % b, "%.6g" % c, "one" if a * b > 0.3 else "two" if c + a > 0 else "<i>three</i>"])
    write(path, ["a", "b", "c", "kind"], rows)


def wide_table(path):
    draw, rows = random.Random(3), []
    for _ in range(120):
        x = ["%.3f" % draw.random() for _ in range(500)]
        rows.append(x + ["%.6g" % (sum(map(float, x[:50])) + 3 * float(x[7]) + 0.1 * draw.gauss(0, 1))])
    write(path, ["column %d" % i for i in range(500)] + ["y"], rows)


def dates_table(path):
    """A season, working days and hours; some dates are missing."""
    draw, rows = random.Random(4), []
    for i in range(700):
        seconds = 1420070400 + draw.randrange(0, 3 * 365 * 96) * 900
        when, load = time.gmtime(seconds), draw.random()
        y = 4 * math.sin(when.tm_yday / 58) + 3 * (when.tm_wday > 4) + 2 * math.cos((when.tm_hour + when.tm_min / 60) / 4) \
            + 2 * load * (when.tm_wday > 4) + seconds / 5e7 + 0.2 * draw.gauss(0, 1)
        rows.append(["" if i % 23 == 0 else time.strftime("%Y-%m-%d %H:%M", when), "%.5f" % load, "%.6g" % y])
    write(path, ["when", "load", "y"], rows)


def make(folder, name, table, *options):
    data, model, page = (os.path.join(folder, name + ending) for ending in (".csv", ".entropic", ".html"))
    table(data)
    run("fit", data, "-o", model, "--quiet", *options)
    run("explain", model, *([data] if name != "wide" else []), "--html", page)
    return {"data": data, "model": model, "page": page, "address": "file://" + page}


# What the page shows: settings, and all that follows from them.
STATE = """(() => {
  const values = Object.fromEntries([...document.querySelectorAll('.control')].map(control => {
    const box = control.querySelector('input:not([type=range], [type=checkbox])'), select = control.querySelector('select');
    return [control.dataset.input, select ? select.selectedOptions[0].text : box.value];
  }));
  const keyed = (id) => Object.fromEntries([...document.querySelectorAll('#' + id + ' tr[data-key]')].map(row => [row.dataset.key, Number(row.dataset.value)]));
  const interval = document.getElementById('interval');
  return {values, hash: document.getElementById('link').hash, effects: keyed('contributions'), probabilities: keyed('probabilities'),
          prediction: document.getElementById('prediction').dataset.value, shown: document.querySelector('#prediction b').textContent,
          lower: interval && Number(interval.dataset.lower), upper: interval && Number(interval.dataset.upper),
          set: interval && interval.dataset.set};
})()"""


@functools.lru_cache(None)
def inputs_of(model):
    return json.loads(run("export", model, "--lang", "json", "-o", "-"))["inputs"]


def names_of(model):
    return [entry["name"] for entry in inputs_of(model)]


def columns_of(model):
    """The columns of a table, each with its control: inputs that are parts of a date share that of the date."""
    columns = {}
    for i, entry in enumerate(inputs_of(model)):
        columns.setdefault(entry.get("column", entry["name"]), str(i))
    return columns


def predicted(made, folder, state, *options):
    """What the command says of the row that is set on the page."""
    names, path, out = names_of(made["model"]), os.path.join(folder, "row.csv"), os.path.join(folder, "out.csv")
    columns = columns_of(made["model"])
    values = [state["values"][control] for control in columns.values()]
    write(path, list(columns), [["" if value == "(missing)" else value for value in values]])
    run("predict", made["model"], path, "-o", out, "--effects", "--quiet", *options)
    csv.field_size_limit(1 << 20)
    with open(out, newline="", encoding="utf-8") as file:
        head, row = list(csv.reader(file))
    return names, dict(zip(head, row)), row


def close(found, wanted):
    return math.isfinite(found) and abs(found - wanted) <= 1e-6 * max(abs(wanted), 1e-3)


def compare(what, made, folder, browser):
    state = browser.run(STATE)
    names, said, row = predicted(made, folder, state, "--interval", "0.9")
    check(what + ": the prediction", close(float(state["prediction"]), float(said["prediction"])), (state, said["prediction"]))
    shown = float(state["shown"].replace(",", "").replace("−", "-"))
    check(what + ": as it is shown", abs(shown - float(said["prediction"])) <= 5e-6 * abs(shown), (state["shown"], said))
    check(what + ": its interval", close(state["lower"], float(said["lower"])) and close(state["upper"], float(said["upper"])),
          (state["lower"], state["upper"], said))
    effects = row[-len(names) - 1:]  # the base, then the inputs: names are not to be relied on here
    check(what + ": contributions", close(state["effects"]["base"], float(effects[0])) and all(
        close(state["effects"]["e%d" % i], float(effects[1 + i])) for i in range(len(names))), (state["effects"], effects))
    parts = sum(value for key, value in state["effects"].items() if key != "score")
    check(what + ": they add up to the score", close(parts, float(said["score"])) and close(state["effects"]["score"], parts),
          (parts, said["score"]))
    return state


def press(browser, slider, *keys):
    browser.run("document.getElementById(%r).focus()" % slider)
    for key in keys:
        browser.press(key, KEYS[key])


def numbers_page(browser, made, folder):
    browser.open(made["address"], 1440)
    equal("the model uses all inputs, in their order", names_of(made["model"]),
          [MARKUP, QUOTES, LONG, RIGHT, "day", "day:yearday", "day:weekday", "land"])
    equal("a control for each column", sorted(browser.run(STATE)["values"]), ["0", "1", "2", "3", "4", "7"])
    first = compare("at the start", made, folder, browser)
    press(browser, "set-0", "ArrowRight", "PageUp", "PageUp")
    second = compare("after keys on a slider", made, folder, browser)
    check("the slider moved", first["values"]["0"] != second["values"]["0"], second["values"])
    press(browser, "set-3", "End")
    press(browser, "set-4-slider", "Home", "PageUp")
    moved = compare("a whole number and a date", made, folder, browser)
    check("the slider moved the date", re.fullmatch(r"20\d\d-\d\d-\d\d", moved["values"]["4"])
          and moved["values"]["4"] != first["values"]["4"], moved["values"])
    x, y = browser.run("(() => { const box = document.getElementById('set-1').getBoundingClientRect();"
                       "scrollBy(0, box.top - 300); const now = document.getElementById('set-1').getBoundingClientRect();"
                       "return [now.left + now.width * 0.8, now.top + now.height / 2]; })()")
    browser.click(x, y)
    browser.run("(() => { const select = document.getElementById('set-7'); select.value = '2';"
                "select.dispatchEvent(new Event('change')); })()")
    third = compare("a click, and a category", made, folder, browser)
    check("the click moved the slider", third["values"]["1"] != second["values"]["1"], third["values"])
    browser.run("document.querySelector('[data-input=\"2\"] input[type=checkbox]').click()")
    browser.run("(() => { const select = document.getElementById('set-7'); select.value = 'missing';"
                "select.dispatchEvent(new Event('change')); })()")
    fourth = compare("missing values", made, folder, browser)
    equal("they are missing", (fourth["values"]["2"], fourth["values"]["7"]), ("", "(missing)"))
    browser.run("(() => { const start = document.getElementById('start'); start.value = '3';"
                "start.dispatchEvent(new Event('change')); })()")
    deadline = time.monotonic() + 5
    while browser.run("location.hash !== document.getElementById('link').hash") and time.monotonic() < deadline:
        time.sleep(0.05)
    check("the address follows", browser.run("location.hash === document.getElementById('link').hash"))
    fifth = compare("a row of the data", made, folder, browser)
    check("it is another row", fifth["values"] != fourth["values"], fifth)
    typed(browser, made, folder)
    browser.open("about:blank", 390)
    browser.open(made["address"] + fourth["hash"], 390)
    equal("a link holds the settings", browser.run(STATE)["values"], fourth["values"])
    browser.open("about:blank", 390)
    browser.open(made["address"] + "#row=00000000,1,2", 390)
    check("a link of another model is said to be one", "another model" in browser.run("document.body.innerText"))
    equal("nothing on the console", browser.complaints(), [])


def typed(browser, made, folder):
    for text, invalid in ("nonsense", "true"), ("0.25", "false"):
        browser.run("(() => { const box = document.querySelector('[data-input=\"0\"] input[type=text]'); box.value = %r;"
                    "box.dispatchEvent(new Event('change')); })()" % text)
        equal("typing " + text, browser.run("document.querySelector('[data-input=\"0\"] input[type=text]')"
                                            ".getAttribute('aria-invalid')"), invalid)
    equal("a typed number is set", compare("a typed number", made, folder, browser)["values"]["0"], "0.25")


DATE = "document.querySelector('.control.date input:not([type=range], [type=checkbox])')"


def set_date(browser, text):
    browser.run("(() => { const box = %s; box.value = %r; box.dispatchEvent(new Event('change')); })()" % (DATE, text))


def dates_page(browser, made, folder, whole):
    """One control for a date. Whatever it is set to, the page says what `predict` says of that date."""
    inputs, what = inputs_of(made["model"]), "a date and its parts" if whole else "parts of a date"
    browser.open(made["address"], 1440)
    equal(what + ": inputs", [entry["name"] for entry in inputs],
          (["when"] if whole else []) + ["when:yearday", "when:weekday", "when:hour", "load"])
    equal(what + ": one control, and one for the number", browser.run("document.querySelectorAll('.control').length"), 2)
    equal(what + ": of date and time", browser.run(DATE + ".type"), "datetime-local")
    equal(what + ": with a slider if there is a curve", browser.run("document.querySelectorAll('.date [type=range]').length"),
          1 if whole else 0)
    first = compare(what + ": at the start", made, folder, browser)
    for text in ("2016-02-29T13:45", "2016-03-01T00:00", "2015-12-31T23:59", "2017-01-01T12:30:15", "1999-12-31T06:15",
                 "2100-02-28T18:00", "2100-03-01T18:00", "2016-06-18T23:59:59.75"):
        set_date(browser, text)
        state = compare(what + ": " + text, made, folder, browser)
        equal(what + ": it stays as typed", state["values"][columns_of(made["model"])["when"]], text)
    said = browser.run("document.querySelector('.control.date .made').textContent")
    equal(what + ": its parts are said", said, "day 170 of the year, Saturday, hour 24")
    set_date(browser, "")
    equal(what + ": no date is none", browser.run(DATE + ".getAttribute('aria-invalid')"), "true")
    if whole:
        press(browser, "set-0-slider", "Home", "PageUp", "ArrowRight")
        moved = compare(what + ": the slider", made, folder, browser)
        check(what + ": it moved", moved["values"]["0"] not in (first["values"]["0"], ""), moved["values"])
    set_date(browser, "2016-10-08T09:30")
    linked = browser.run(STATE)
    browser.run("document.querySelector('.control.date input[type=checkbox]').click()")
    gone = compare(what + ": missing", made, folder, browser)
    equal(what + ": it is missing", gone["values"][columns_of(made["model"])["when"]], "")
    browser.run("document.querySelector('.control.date input[type=checkbox]').click()")
    equal(what + ": and back", browser.run(STATE)["values"], linked["values"])
    choose(browser, "start", "4")
    compare(what + ": a row of the data", made, folder, browser)
    with open(made["data"], newline="") as file:
        rows = list(csv.DictReader(file))
    number = int(re.search(r"row (\d+) ", browser.run("document.getElementById('start').selectedOptions[0].text"))[1])
    write(os.path.join(folder, "one.csv"), ["when", "load"], [[rows[number - 1]["when"], rows[number - 1]["load"]]])
    wanted = run("predict", made["model"], os.path.join(folder, "one.csv"), "--quiet").split()[1]
    check(what + ": that very row", close(float(browser.run(STATE)["prediction"]), float(wanted)), wanted)
    browser.open("about:blank", 390)
    browser.open(made["address"] + linked["hash"], 390)
    equal(what + ": a link holds the date", browser.run(STATE)["values"], linked["values"])
    compare(what + ": after a link", made, folder, browser)
    equal(what + ": nothing on the console", browser.complaints(), [])


def plain_date(browser, made, folder):
    """A date without parts, and without times."""
    browser.open(made["address"], 390)
    equal("a date alone: of days", browser.run(DATE + ".type"), "date")
    equal("a date alone: no parts are said", browser.run("document.querySelectorAll('.made').length"), 0)
    for text in "2017-05-17", "2030-01-01":
        set_date(browser, text)
        equal("a date alone: " + text, compare("a date alone", made, folder, browser)["values"]["4"], text)


def hostile(browser, made):
    browser.open(made["address"], 1440)
    equal("names are no markup", browser.run("[document.images.length, document.querySelectorAll('main b').length - 1,"
                                             "document.scripts.length]"), [0, 0, 2])
    words = browser.run("document.body.textContent")
    check("they stand as they are", MARKUP[:40] in words and QUOTES in words and "<b>north</b>" in words)
    equal("names of any direction are kept apart", browser.run("[...document.querySelectorAll('*')].filter(element =>"
          "[...element.childNodes].some(node => node.nodeType === 3 && node.data.includes('דיר')) &&"
          "!element.closest('bdi, option, title, script')).map(element => element.outerHTML)"), [])
    policy = browser.run("document.querySelector('meta[http-equiv]').content")
    check("the policy allows this script alone", "default-src 'none'" in policy and "unsafe" not in policy, policy)
    blocked = browser.run("new Promise(done => { window.ran = 0; const script = document.createElement('script');"
                          "script.textContent = 'window.ran = 1'; document.body.append(script); done(window.ran); })")
    equal("and no other", blocked, 0)


def numbers_in(made):
    with open(made["page"], encoding="utf-8") as file:
        return json.loads(re.search(r'id="numbers">(.*?)</script>', file.read(), re.S)[1])


def pictures(browser, made):
    """Curves and maps against effects that the command prints: those of a row are sums over what is drawn."""
    browser.open(made["address"], 1440)
    page = numbers_in(made)
    report = json.loads(run("explain", made["model"], made["data"], "--json"))
    for key, name in ("F", "first"), ("T", "total"), ("o", "own"), ("v", "covariance"):
        check("shares: " + name, all(close(mine[key], theirs[name]) or abs(mine[key] - theirs[name]) <= 1e-6
                                     for mine, theirs in zip(page["inputs"], report["inputs"])))
    equal("inputs in that order", [entry["n"][:100] for entry in page["inputs"]], [entry["name"][:100] for entry in report["inputs"]])
    sets, pairs = sum(entry["S"] for entry in page["sets"]), sum(entry["S"] for entry in page["pairs"])
    check("sets of more inputs make up the rest", page["setCount"] > 0 and abs(sets - report["higher"]) <= 1e-5 and
          abs(sum(entry["F"] for entry in page["inputs"]) + pairs + sets - 1) <= 1e-5, (sets, report["higher"]))
    # Over the model's own marginals, main effects have mean zero.
    land = next(entry for entry in page["inputs"] if entry["k"] == "c")
    mean = sum(share * effect for share, effect in zip(land["s"], land["y"][0]))
    check("a category's effects have mean zero", abs(mean) <= 2e-3 * max(map(abs, land["y"][0])), mean)
    drawn = browser.run("document.querySelectorAll('#curves figure svg.curve').length + document.querySelectorAll('#curves .categories').length")
    equal("each input has a picture", drawn, len(page["inputs"]))
    equal("each picture has a table", browser.run("[...document.querySelectorAll('figure.effect')].filter(f => f.querySelector('svg') && !f.querySelector('details')).length"), 0)
    cells = browser.run("(() => { const details = document.querySelector('#curves details'); details.open = true;"
                        "return new Promise(done => setTimeout(() => done([...details.querySelectorAll('tbody tr')].map(r => r.cells[1].textContent)), 50)); })()")
    effects = page["inputs"][0]["y"][0]
    check("a table has the numbers of its picture", len(cells) == len(effects) and all(
        abs(float(cell.replace(",", "").replace("−", "-")) - effect) <= 1e-5 * abs(effect) + 1e-9 for cell, effect in zip(cells, effects)), (cells, effects))
    check("missing has a mark of its own", browser.run("document.querySelectorAll('.curve path.gap').length") >= 1)
    check("cells without rows are marked", browser.run("document.querySelectorAll('.map .empty').length") >= 1)


def rows_said(made, folder, rows):
    """What predict --effects writes of some rows of numbers, in the order of the exported inputs: a list a row."""
    path, out = os.path.join(folder, "rows.csv"), os.path.join(folder, "rows.out.csv")
    write(path, names_of(made["model"]), rows)
    run("predict", made["model"], path, "-o", out, "--effects", "--quiet")
    with open(out, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def curves_are_effects(made, folder):
    """In a model without products, a contribution is the effect of its input alone: the curve."""
    page = numbers_in(made)
    start = page["start"][0][1:]
    for entry in page["inputs"][:3]:
        rows = [[x if i == entry["i"] else value for i, value in enumerate(start)] for x in entry["x"]]
        head, *said = rows_said(made, folder, rows)
        column = head.index("effect_" + entry["n"])
        check("the curve of " + entry["n"], len(said) > 10 and all(
            abs(float(row[column]) - y) <= 5e-6 * max(map(abs, entry["y"][0])) for row, y in zip(said, entry["y"][0])),
              [(x, row[column], y) for x, row, y in zip(entry["x"], said, entry["y"][0])])


def maps_are_effects(made, folder):
    """In a model of pairs, differences of differences of scores are those of a map."""
    page = numbers_in(made)
    start, count = page["start"][0][1:], len(names_of(made["model"]))
    for pair in page["pairs"][:2]:
        a, b = (page["inputs"][pair[key]]["i"] for key in "ab")
        xs, ys = (page["grids"][str(pair[key])]["x"] for key in "ab")
        corners = [(i, j) for i in (2, len(xs) - 2) for j in (1, len(ys) - 3)]
        rows = [[xs[i] if k == a else ys[j] if k == b else value for k, value in enumerate(start)] for i, j in corners]
        said = rows_said(made, folder, rows)[1:]
        for score, z in enumerate(pair["z"]):
            scores = [float(row[-3 * (count + 2):][score * (count + 2)]) for row in said]
            drawn = [z[i * len(ys) + j] for i, j in corners]
            found, wanted = (v[0] - v[1] - v[2] + v[3] for v in (drawn, scores))
            check("a map of class %d" % score, abs(found - wanted) <= 1e-3 * max(map(abs, z)) + 1e-9, (found, wanted))


def classes_page(browser, made, folder):
    browser.open(made["address"], 1440)
    for score in 0, 2:
        browser.run("(() => { const select = document.getElementById('score'); select.value = '%d';"
                    "select.dispatchEvent(new Event('change')); })()" % score)
        press(browser, "set-%d" % (score // 2), "PageUp", "PageUp", "ArrowLeft")
        state = browser.run(STATE)
        names, said, row = predicted(made, folder, state, "--proba")
        equal("class %d: the prediction" % score, state["shown"], said["prediction"])
        chances = [float(value) for key, value in said.items() if key.startswith("p_")]
        check("class %d: probabilities" % score, len(chances) == 3 and all(
            close(state["probabilities"]["p%d" % k], chance) for k, chance in enumerate(chances)), (state, chances))
        width = len(names) + 2  # of each class: score, base, effects
        block = row[-3 * width:][score * width:(score + 1) * width]
        check("class %d: contributions" % score, close(state["effects"]["base"], float(block[1])) and all(
            close(state["effects"]["e%d" % i], float(block[2 + i])) for i in range(len(names))), (state["effects"], block, said))
        names, said, row = predicted(made, folder, state, "--interval", "0.9")
        check("class %d: the set" % score, state["set"] is not None, (state, said))
    browser.run("(() => { const select = document.getElementById('scale'); select.value = 'answer';"
                "select.dispatchEvent(new Event('change')); })()")
    ticks = browser.run("[...document.querySelectorAll('#curves svg.curve .y text')].map(text => Number(text.textContent))")
    check("probabilities along curves", ticks and all(0 <= tick <= 1 for tick in ticks), ticks)
    equal("nothing on the console", browser.complaints(), [])


# Of each curve: its line and its band, as points of the picture; of each bar its fold models' line.
BANDS = """[...document.querySelectorAll('#curves figure.effect')].map(figure => {
  const points = (path) => path ? path.getAttribute('d').slice(1).replace('z', '').split('L').map(point => point.split(' ').map(Number)) : null;
  return {name: figure.querySelector('.label bdi').textContent, line: points(figure.querySelector('svg.curve path.l')),
          band: points(figure.querySelector('svg.curve .s0 path.b')), missing: figure.querySelectorAll('svg.curve .s1 rect.b').length,
          bars: figure.querySelectorAll('.categories rect.fold').length};
})"""


def choose(browser, control, value):
    browser.run("(() => { const select = document.getElementById('%s'); select.value = '%s';"
                "select.dispatchEvent(new Event('change')); })()" % (control, value))


def band_error(drawn, line, low, high):
    """How far the area that is drawn is from one between low and high, on the scale of the line; in points of the picture."""
    count = len(line)
    if drawn["band"] is None or len(drawn["band"]) != 2 * count or len(drawn["line"]) != count:
        return math.inf
    top, bottom = line.index(max(line)), line.index(min(line))
    slope = (drawn["line"][top][1] - drawn["line"][bottom][1]) / (line[top] - line[bottom])
    put = [drawn["line"][bottom][1] + slope * (value - line[bottom]) for value in high + low[::-1]]
    across = [point[0] for point in drawn["line"]]
    return max(abs(x - wanted) + abs(y - at) for (x, y), wanted, at in zip(drawn["band"], across + across[::-1], put))


def bands(browser, made):
    browser.open(made["address"], 1440)
    page = numbers_in(made)
    equal("the page knows its fold models", page["members"], 3)
    note = browser.run("document.getElementById('bands').textContent")
    check("and says what bands are", "spread of the 3 fold models" in note and "not a confidence interval" in note, note)
    by_name = {entry["n"][:20]: entry for entry in page["inputs"]}
    sign, origin, bias = page["root"]
    squared = lambda value: origin + sign * (max(value, 0) ** 2 + bias)  # noqa: E731
    for scale, change in ("effect", lambda value: value), ("answer", lambda value: squared(page["base"][0] + value)):
        choose(browser, "scale", scale)
        for drawn in browser.run(BANDS):
            entry = by_name[drawn["name"][:20]]
            count = len(entry["x"])
            if entry["k"] == "c":
                equal("bars have their fold models, missing too: " + scale, drawn["bars"], count + entry["m"])
                continue
            line, low, high = ([change(value) for value in values[:count]] for values in (entry["y"][0], *entry["b"][0]))
            error = band_error(drawn, line, low, high)
            check("the band of %s: %s" % (ascii(drawn["name"][:20]), scale), error <= 0.1, error)
            equal("and where it is missing", drawn["missing"], entry["m"])
    choose(browser, "scale", "effect")
    heads, cells = browser.run("(() => { const details = document.querySelector('#curves details'); details.open = true; return new Promise(done => setTimeout("
                               "() => done([[...details.querySelectorAll('th[scope=col]')].map(h => h.textContent), [...details.querySelectorAll('tbody tr')].map(r => [r.cells[2].textContent, r.cells[3].textContent])]), 50)); })()")
    equal("tables have columns of them", heads[2:4], ["lowest fold model", "highest fold model"])
    shown = [float(value.replace(",", "").replace("−", "-")) for ends in cells for value in ends]
    wanted = [value for ends in zip(*page["inputs"][0]["b"][0]) for value in ends]
    check("with the numbers of the picture", len(shown) == len(wanted) and all(
        abs(a - b) <= 1e-5 * abs(b) + 1e-9 for a, b in zip(shown, wanted)), (shown, wanted))
    equal("nothing on the console", browser.complaints(), [])


def bands_of_classes(browser, made):
    """Scores have bands; probabilities of three classes have none, and the page says why."""
    browser.open(made["address"], 390)
    check("classes: scores have bands", all(drawn["band"] for drawn in browser.run(BANDS)))
    choose(browser, "scale", "answer")
    note = browser.run("document.getElementById('bands').textContent")
    check("classes: probabilities have none", note.startswith("No bands here") and not any(drawn["band"] for drawn in browser.run(BANDS)), note)
    equal("nothing on the console", browser.complaints(), [])


def no_bands(browser, made):
    browser.open(made["address"], 1440)
    check("a single fit has no bands", numbers_in(made)["members"] == 0 and not any(drawn["band"] for drawn in browser.run(BANDS)) and
          browser.run("document.getElementById('bands') === null && document.body.textContent.includes('Curves have no bands')"))


def packed(browser, made, folder):
    """A model whose scaler is packed predicts what it predicted before."""
    with open(made["page"], encoding="utf-8") as file:
        check("its scaler is packed", "unpackKnots(packed.knots)" in file.read())
    for keys in ("PageUp",), ("ArrowLeft", "ArrowLeft"), ("End",):
        slider = browser.run("[...document.querySelectorAll('.control input[type=range]')][%d].id" % len(keys))
        press(browser, slider, *keys)
        state = browser.run(STATE)
        said = dict(zip(*rows_said(made, folder, [state["hash"].split(",")[1:]])))
        check("500 inputs: the prediction after " + keys[0], close(float(state["prediction"]), float(said["prediction"])) and
              close(state["effects"]["score"], float(said["score"])), (state["prediction"], said["prediction"]))


def wide_page(browser, made, folder):
    size = os.path.getsize(made["page"])
    check("500 inputs: below 1 MB", size < 1000000, size)
    started = time.monotonic()
    browser.open(made["address"], 1440)
    while not browser.run("document.getElementById('answers') !== null") and time.monotonic() - started < 5:
        time.sleep(0.02)  # the model is unpacked
    check("500 inputs: drawn at once", time.monotonic() - started < 5, time.monotonic() - started)
    count = "[document.querySelectorAll('#ranking tbody tr').length, document.querySelectorAll('#curves figure').length,"\
            "document.querySelectorAll('.control').length]"
    equal("500 inputs: the first twenty", browser.run(count), [20, 20, 20])
    packed(browser, made, folder)
    browser.run("[...document.querySelectorAll('#curves button.more')].pop().click()")
    equal("more on demand", browser.run(count)[1], 40)
    browser.run("(() => { const filter = document.getElementById('filter'); filter.value = 'Column 77';"
                "filter.dispatchEvent(new Event('input')); })()")
    found = browser.run(count)
    check("a filter finds one by its name", found[0] == found[1] == 1, found)
    browser.run("(() => { const filter = document.getElementById('filter'); filter.value = 'none of them';"
                "filter.dispatchEvent(new Event('input')); })()")
    check("or says that there is none", "No name has" in browser.run("document.getElementById('curves').innerText"))
    equal("500 inputs: nothing on the console", browser.complaints(), [])


def axe(browser, made):
    path = os.environ.get("AXE", "")
    if not os.path.isfile(path):
        skip("nothing that screen readers stumble over", "no axe-core: AXE=FILE names its axe.min.js")
        return
    browser.call("Page.setBypassCSP", enabled=True)
    for dark in False, True:
        browser.open(made["address"], 1440, dark=dark)
        with open(path, encoding="utf-8") as file:
            browser.run(file.read() + ";0")
        faults = browser.run("axe.run().then(found => found.violations.filter(v => v.impact === 'serious' || v.impact === 'critical')"
                             ".map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))]))")
        equal("nothing that screen readers stumble over, " + ("dark" if dark else "light"), faults, [])
    browser.call("Page.setBypassCSP", enabled=False)


def main():
    program = _browser.find()
    if program is None:
        print("1..0 # SKIP no Chromium here")
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        plain = make(folder, "numbers", numbers_table, "--target", "count", "--features", "120", "--target-scale", "root")
        kinds = make(folder, "classes", classes_table, "--target", "kind", "--features", "40", "--max-order", "2")
        folds = make(folder, "folds", numbers_table, "--target", "count", "--features", "40", "--ensemble", "3", "--target-scale", "root",
                     "--without", "day:yearday,day:weekday")
        when = make(folder, "dates", dates_table, "--target", "y", "--features", "80")
        parts = make(folder, "parts", dates_table, "--target", "y", "--features", "80", "--without", "when")
        votes = make(folder, "votes", classes_table, "--target", "kind", "--features", "20", "--ensemble", "2")
        wide = make(folder, "wide", wide_table, "--target", "y", "--features", "520", "--select", "entropy", "--lambda", "0.01",
                    "--omega", "1", "--max-order", "1", "--scale", "blend")
        browser = _browser.Browser(program, folder)
        try:
            for width in 390, 1440:
                for dark in False, True:
                    _look.look(browser, plain["address"], width, dark, "explain")
                _look.look(browser, folds["address"], width, width == 390, "explain-folds")
                _look.look(browser, kinds["address"], width, width == 390, "explain-classes")
                _look.look(browser, when["address"], width, width == 1440, "explain-dates")
                _look.look(browser, parts["address"], width, width == 390, "explain-parts")
            numbers_page(browser, plain, folder)
            dates_page(browser, when, folder, True)
            dates_page(browser, parts, folder, False)
            plain_date(browser, folds, folder)
            hostile(browser, plain)
            pictures(browser, plain)
            bands(browser, folds)
            bands_of_classes(browser, votes)
            no_bands(browser, plain)
            curves_are_effects(wide, folder)
            maps_are_effects(kinds, folder)
            classes_page(browser, kinds, folder)
            wide_page(browser, wide, folder)
            axe(browser, plain)
        finally:
            browser.close()
    return end()


if __name__ == "__main__":
    sys.exit(main())
