"""The page of `make race`: one file, with the looks of the pages that the command draws."""

import html
import os
import re

from race_plot import legend, plot, shown
from race_report import ahead_text, conditions_text, floor_text, learner_rows, shown_columns, spread_of, title_of

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "src", "page")
OWN_STYLE = """
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem 2rem}
figure.race{max-width:none}
h3{font-size:1.125rem;font-weight:600;margin:2rem 0 .5rem}
td.note{color:var(--soft);font-size:.8125rem;margin:0}
td.lost{font-weight:600}
table.words td,table.words th{white-space:normal;min-width:7rem}
.open{fill:var(--page);stroke:currentColor;stroke-width:1.5}
"""


def looks():
    """Style and script of the command's pages."""
    texts = []
    for name in "page.css", "page.js":
        with open(os.path.join(PAGE, name), encoding="utf-8") as file:
            texts.append(file.read())
    return re.sub(r"/\*.*?\*/\s*", "", texts[0], flags=re.S), texts[1]


# ---- tables ----


def cell(text, value=None, kind=""):
    kinds = " ".join(filter(None, ["n" if value is not None else "", kind]))
    data = (
        ' data-value="%r"' % float(value)
        if isinstance(value, (int, float))
        else ' data-value=""' if value == "" else ""
    )
    return "<td%s%s>%s</td>" % (' class="%s"' % kinds if kinds else "", data, text)


def table_of(head, body, kind="sortable"):
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="a table"><table class="%s"><thead><tr>%s</tr></thead>'
        "<tbody>\n%s\n</tbody></table></div>" % (kind, "".join(head), "\n".join("<tr>%s</tr>" % row for row in body))
    )


def head_of(words, numbers):
    return [
        '<th scope="col"%s>%s</th>' % (' class="n"' if is_number else "", html.escape(word))
        for word, is_number in zip(words, numbers)
    ]


def result_table(race, titles):
    columns = shown_columns(race)
    notes = any("note" in result for result in race["results"].values())
    words = ["learner"] + ["%s%s" % (title, ", " + unit if unit else "") for _, title, unit, _ in columns]
    head = head_of(words + (["not finished"] if notes else []), [False] + [True] * len(columns) + [False])
    body = []
    for name, result in race["results"].items():
        row = '<th scope="row">%s</th>' % shown(titles[name]["title"])
        for key, _, _, form in columns:
            text = html.escape(form(result.get(key)))
            if key == "total" and "bound" in result:
                text = "more than %.0f" % result["bound"]
            if key == "fit" and result["status"] == "finished":
                text += ' <span class="pm">%s</span>' % spread_of(result, key).strip()
            row += cell(text, result.get(key, ""), "best" if name in race["best"].get(key, ()) else "")
        body.append(row + (cell(html.escape(result.get("note", "")), kind="note") if notes else ""))
    return table_of(head, body)


def score_table(races, titles):
    head = head_of(
        ["race", "column", "Entropic", "best of the others", "who", "ratio", "outcome"],
        [False, False, True, True, False, True, False],
    )
    body = []
    for race in races:
        for score in race["scores"]:
            outcome = "even" if score["even"] else "won" if score["won"] else "lost"
            body.append(
                "".join(
                    [
                        '<th scope="row">%s</th>' % html.escape(title_of(race)),
                        cell(html.escape(score["title"])),
                        cell(score["text"][0], score["ours"], "best" if score["won"] else ""),
                        cell(score["text"][1], score["theirs"], "" if score["won"] else "best"),
                        cell(html.escape(titles[score["rival"]]["title"])),
                        cell(
                            "-" if score["ratio"] is None else "%.3g" % score["ratio"],
                            "" if score["ratio"] is None else score["ratio"],
                        ),
                        cell(outcome, kind=outcome),
                    ]
                )
            )
    return table_of(head, body)


def words_table(rows):
    body = [
        '<th scope="row">%s</th>' % html.escape(row[0]) + "".join(cell(html.escape(text)) for text in row[1:])
        for row in rows[1:]
    ]
    return table_of(head_of(rows[0], [False] * len(rows[0])), body, "sortable words")


# ---- the page ----


def figure_of(races, titles):
    error = "error rate" if races[0]["task"] == "classes" else "rmse over the target's standard deviation"
    floor = min((race["floor"]["error"] for race in races if race["floor"]), default=None)
    return (
        '<figure class="race"><figcaption><span class="label">Time and error against rows.</span> Axes are logarithmic. '
        "An open mark is a run that was ended there: its time is longer. The dotted line is the error of the "
        'function that the rows were drawn from.</figcaption><div class="pair"><div><p class="yt">read + fit, seconds</p>'
        '%s<p class="xt">training rows</p></div><div><p class="yt">%s</p>%s<p class="xt">training rows</p></div></div>%s'
        "</figure>" % (plot(races, titles, "total"), error, plot(races, titles, "error", floor), legend(titles, races))
    )


def section_of(name, races, titles):
    parts = [
        '<h2 id="%s">%s</h2>' % (name, html.escape(name)),
        "<p>%s</p>" % html.escape(races[0]["about"]),
        figure_of(races, titles),
    ]
    for race in races:
        parts += [
            "<h3>%s rows</h3>" % format(race["rows"], ","),
            '<p class="note">%s test rows. %s %s</p>'
            % (format(race["test_rows"], ","), html.escape(floor_text(race)), html.escape(ahead_text(race, titles))),
            result_table(race, titles),
        ]
    return "\n".join(parts)


METHOD = """Every learner runs in a process of its own, on as many processors as it has threads. Rows, test rows and their
order are the same for all. Times are the least of the repeats, which take turns; the percentage is how much longer the
longest one was. "fit" is from data in memory, with what the learner needs before it: one-hot columns, imputation, scaling,
bins. Of the command it is the whole process without the reading that it reports. "fit cpu" is the time of processors that
the fit took; it depends less on other programs. "read" is from CSV to memory; of external memory, to batches on disk.
"predict" is from test rows in memory; of the command it is with reading and writing. Memory is the most that the process has
held, with the table. Settings are defaults where the list at the end says nothing else. Categories and missing cells go to
each learner as its documentation recommends. The least value of each column is marked, whoever has it."""


def plural(count, word):
    return "%d %s%s" % (count, word, "" if count == 1 else "s")


def score_sentence(races):
    """How many columns Entropic wins and loses."""
    scores = [score for race in races for score in race["scores"]]
    if not scores:
        return "There is no race yet that Entropic and another learner have finished."
    won, even = sum(score["won"] for score in scores), sum(score["even"] for score in scores)
    return "%s, Entropic beats the best of the others in %s and loses in %d%s." % (
        "In the one race" if len(races) == 1 else "In %d races" % len(races),
        plural(won, "column"),
        len(scores) - won - even,
        "; %d %s even" % (even, "is" if even == 1 else "are") if even else "",
    )


def page_of(summary):
    style, script = looks()
    titles, races = summary["learners"], summary["races"]
    sections = []
    for name in dict.fromkeys(race["name"] for race in races):
        sections.append(section_of(name, [race for race in races if race["name"] == name], titles))
    lead = score_sentence(races)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Entropic: races</title>\n'
        '<link rel="icon" href="data:,">\n<style>%s%s</style></head>\n<body><main>\n<h1>Races against other software</h1>\n'
        '<p class="lead">%s</p>\n<p>%s</p>\n<p>%s</p>\n%s\n<h2>Won and lost</h2>\n<p>Entropic, as the command, against the best '
        "of the others. A ratio below 1 is better.</p>\n%s\n<h2>Who raced</h2>\n%s\n</main>\n<script>%s</script></body></html>\n"
        % (
            style,
            OWN_STYLE,
            html.escape(lead),
            html.escape(conditions_text(summary)) if races else "",
            html.escape(METHOD),
            "\n".join(sections),
            score_table(races, titles),
            words_table(learner_rows(summary)),
            script,
        )
    )
