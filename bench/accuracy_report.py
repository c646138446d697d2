"""What `make accuracy` has found, summed up: as text, as Markdown for docs/accuracy.md, and as a page."""
import html
import math
import re

from accuracy_tables import CLASSES

FLOOR = 1.0  # seconds: shorter fits count as this long when times are compared
OURS = "entropic"
MARKS = "<!-- results: written by make accuracy -->", "<!-- end of results -->"


# ---- summing up ----


def mean(values):
    return sum(values) / len(values)


def standard_error(values):
    if len(values) < 2:
        return None
    middle = mean(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values))


def geometric_mean(values):
    return math.exp(mean([math.log(value) for value in values])) if values else None


def sum_up(records):
    """Of one learner on one table."""
    good = [record for record in records if "failure" not in record]
    summary = {"runs": len(good), "failures": [record["failure"] for record in records if "failure" in record]}
    if good:
        errors, seconds = ([record[key] for record in good] for key in ("error", "fit_seconds"))
        summary.update(
            error=mean(errors),
            standard_error=standard_error(errors),
            fit_least=min(seconds),
            fit_mean=mean(seconds),
            cpu_mean=mean([record["cpu_seconds"] for record in good]),
            bytes=mean([record["bytes"] for record in good]),
        )
        for key in ("largest", "features", "logloss", "calibration", "memory"):
            if all(key in record for record in good):
                summary[key] = mean([record[key] for record in good])
    return summary


def in_common(ours, theirs, fixed):
    """Errors of the splits that both were run on; where there is only one split, all runs."""
    ours, theirs = ({r["split"]: r["error"] for r in records if "failure" not in r} for records in (ours, theirs))
    both = set(ours) & set(theirs)
    if fixed:
        return list(ours.values()), list(theirs.values())
    return [ours[k] for k in sorted(both)], [theirs[k] for k in sorted(both)]


def against(records, tables, method):
    """Ours over another's: geometric means over tables."""
    ratios, times = {}, {}
    for table in tables:
        ours, theirs = ([r for r in records if (r["table"], r["method"]) == (table["name"], m)] for m in (OURS, method))
        errors = in_common(ours, theirs, table["fixed"])
        if all(errors):
            # No wrong row at all counts as half a one, so that there is a ratio.
            least = 0.5 / table["test_rows"] if table["task"] == CLASSES else 1e-12
            ratios[table["name"]] = max(mean(errors[0]), least) / max(mean(errors[1]), least)
            times[table["name"]] = max(FLOOR, sum_up(ours)["fit_least"]) / max(FLOOR, sum_up(theirs)["fit_least"])
    return {
        "ratios": ratios,
        "times": times,
        "error_ratio": geometric_mean(list(ratios.values())),
        "time_ratio": geometric_mean(list(times.values())),
        "wins": sum(r < 1 for r in ratios.values()),
        "losses": sum(r > 1 for r in ratios.values()),
    }


def summarise(records, tables, methods):
    """tables: dictionaries with name, task, unit, fixed, train_rows, test_rows, inputs."""
    rows = {}
    for table in tables:
        found = {m: [r for r in records if (r["table"], r["method"]) == (table["name"], m)] for m in methods}
        rows[table["name"]] = {m: sum_up(runs) for m, runs in found.items() if runs}
    return {
        "tables": tables,
        "methods": list(methods),
        "results": rows,
        "against": {m: against(records, tables, m) for m in methods if m != OURS},
    }


# ---- as rows of text ----


def number(value, form="%.4f"):
    return "-" if value is None else form % value


def size(count):
    if count is None:
        return "-"
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return "%.3g %s" % (count / scale, unit) if count < 999.5 * scale else "%.0f %s" % (count / scale, unit)
    return "%.0f B" % count


def best_of(results):
    known = [result["error"] for result in results.values() if result["runs"]]
    return min(known) if known else None


def error_rows(summary):
    """The header, then a row a table: the errors of all methods, the best with a star; cells are (text, is best)."""
    rows = [[(text, False) for text in ["table", "rows", "inputs", *summary["methods"]]]]
    for table in summary["tables"]:
        results = summary["results"][table["name"]]
        best = best_of(results)
        row = [(table["name"], False), (str(table["train_rows"]), False), (str(table["inputs"]), False)]
        for method in summary["methods"]:
            result = results.get(method)
            if not result:
                row.append(("-", False))
            elif not result["runs"]:
                row.append(("failed", False))
            else:
                spread = "" if result["standard_error"] is None else " ±%.4f" % result["standard_error"]
                row.append(("%.4f%s" % (result["error"], spread), result["error"] == best))
        rows.append(row)
    return rows


def detail_rows(summary):
    rows = [
        [
            "table",
            "method",
            "runs",
            "error",
            "standard error",
            "largest",
            "fit s, least",
            "fit s, mean",
            "cpu s",
            "model",
            "ours/this",
        ]
    ]
    for table in summary["tables"]:
        for method, result in summary["results"][table["name"]].items():
            ratio = summary["against"].get(method, {}).get("ratios", {}).get(table["name"])
            failed = " (%d failed)" % len(result["failures"]) if result["failures"] else ""
            rows.append(
                [
                    table["name"],
                    method,
                    "%d%s" % (result["runs"], failed),
                    number(result.get("error"), "%.5f"),
                    number(result.get("standard_error"), "%.5f"),
                    number(result.get("largest"), "%.2f"),
                    number(result.get("fit_least"), "%.2f"),
                    number(result.get("fit_mean"), "%.2f"),
                    number(result.get("cpu_mean"), "%.2f"),
                    size(result.get("bytes")),
                    number(ratio, "%.3f"),
                ]
            )
    return rows


def largest_rows(summary):
    """The header, then a row a table of numbers: the largest residual of each method; cells as in error_rows."""
    rows = [[(text, False) for text in ["largest residual", *summary["methods"]]]]
    for table in summary["tables"]:
        found = {m: r["largest"] for m, r in summary["results"][table["name"]].items() if "largest" in r}
        if found:
            cells = [(number(found.get(m), "%.2f"), found.get(m) == min(found.values())) for m in summary["methods"]]
            rows.append([(table["name"], False), *cells])
    return rows


def against_rows(summary):
    rows = [["ours against", "tables", "error ratio", "wins", "losses", "fit time ratio", "most"]]
    for method, found in summary["against"].items():
        rows.append(
            [
                method,
                str(len(found["ratios"])),
                number(found["error_ratio"], "%.3f"),
                str(found["wins"]),
                str(found["losses"]),
                number(found["time_ratio"], "%.2f"),
                number(max(found["times"].values(), default=None), "%.2f"),
            ]
        )
    return rows


def aligned(rows):
    """Rows of text under each other: the first column left, the others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))).rstrip()
        for row in rows
    )


def starred(rows):
    return [[text + ("*" if best else " ") for text, best in row] for row in rows]


NOTES = (
    "Errors: root of the mean square over the standard deviation of the table's target, or the share of wrong classes; "
    "* is the best. Largest residuals are in the same deviations, means over the runs. The error ratio is a geometric mean over tables, below 1 where ours is better; times are ratios of "
    "the shortest fits, those below %g s counted as %g s." % (FLOOR, FLOOR)
)


def line_of(record):
    where = "%-18s split %d  %-13s" % (record["table"], record["split"], record["method"])
    if "failure" in record:
        return "%s failed: %s" % (where, record["failure"])
    return "%s error %.5f  fit %.2f s" % (where, record["error"], record["fit_seconds"])


def failures_of(summary):
    return [
        "%s, %s: %s" % (table, method, text)
        for table, results in summary["results"].items()
        for method, result in results.items()
        for text in result["failures"]
    ]


def text_of(summary, sections):
    """sections: (title, rows, note) of the other things that were measured."""
    parts = []
    if summary:
        parts = [
            aligned(starred(error_rows(summary))),
            aligned(starred(largest_rows(summary))),
            aligned(detail_rows(summary)),
            aligned(against_rows(summary)),
            NOTES,
        ]
        parts += ["FAILED " + text for text in failures_of(summary)]
    for title, rows, note in sections:
        parts.append("\n".join([title, aligned(rows)] + ([note] if note else [])))
    return "\n\n".join(parts) + "\n"


# ---- in the documentation ----


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def markdown_of(summary):
    tables = [
        markdown([[("**%s**" % text if best else text) for text, best in row] for row in rows])
        for rows in (error_rows(summary), largest_rows(summary))
    ]
    # Without times: they are those of one machine, and of how busy it was.
    return "\n\n".join([*tables, markdown([row[:5] for row in against_rows(summary)])])


def put_between_marks(text, content, marks=MARKS):
    pattern = re.compile("(%s\n).*?(%s)" % tuple(map(re.escape, marks)), re.S)
    if not pattern.search(text):
        raise SystemExit("accuracy: no lines '%s' and '%s' to write between" % marks)
    return pattern.sub(lambda found: found[1] + "\n" + content + "\n\n" + found[2], text, count=1)


# ---- as a page ----

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dde2e8; --page: #ffffff;
  --band: #f5f7f9; --ours: #0b6bcb; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #313a46; --page: #14181e; --band: #1b2129; --ours: #6cb2ff; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 72rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } p { color: var(--soft); max-width: 50rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; }
tbody tr:nth-child(even) { background: var(--band); } .best { font-weight: 700; color: var(--ours); }
svg text { fill: var(--soft); font-size: 12px; } svg line { stroke: var(--line); }
"""
COLOURS = ("#c4541f", "#7a4fc0", "#2e8b57", "#b8860b", "#c2357a", "#4a7c94")


def page_table(rows):
    cells = [[cell if isinstance(cell, tuple) else (cell, False) for cell in row] for row in rows]
    head = "".join('<th scope="col">%s</th>' % html.escape(text) for text, _ in cells[0])
    body = "\n".join(
        "<tr>%s</tr>"
        % "".join("<td%s>%s</td>" % (' class="best"' if best else "", html.escape(text)) for text, best in row)
        for row in cells[1:]
    )
    return '<div class="scroll"><table><thead><tr>%s</tr></thead><tbody>\n%s\n</tbody></table></div>' % (head, body)


def ratio_chart(summary):
    """A line a table, a dot a rival at ours over its error, on a logarithmic scale; left of 1 ours is better."""
    rivals = [m for m in summary["against"] if summary["against"][m]["ratios"]]
    names = [
        table["name"]
        for table in summary["tables"]
        if any(table["name"] in summary["against"][m]["ratios"] for m in rivals)
    ]
    if not names:
        return ""
    reach = max(abs(math.log(r)) for m in rivals for r in summary["against"][m]["ratios"].values())
    reach = max(math.log(1.25), reach) * 1.05
    left, width, step = 150, 560, 26
    height = 40 + step * len(names) + 30

    def x(ratio):
        return left + width * (0.5 + 0.5 * math.log(ratio) / reach)

    parts = [
        '<svg viewBox="0 0 %d %d" width="%d" role="img" aria-label="Ours over the error of each rival, a line a table">'
        % (left + width + 20, height, left + width + 20)
    ]
    for tick in [t for t in (0.25, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 4) if abs(math.log(t)) <= reach]:
        parts.append(
            '<line x1="%.1f" x2="%.1f" y1="30" y2="%d"%s/>'
            % (x(tick), x(tick), height - 30, ' stroke-width="2"' if tick == 1 else "")
        )
        parts.append('<text x="%.1f" y="22" text-anchor="middle">%g</text>' % (x(tick), tick))
    for i, name in enumerate(names):
        y = 40 + step * i + step / 2
        parts.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (left - 10, y + 4, html.escape(name)))
        for colour, method in zip(COLOURS, rivals):
            ratio = summary["against"][method]["ratios"].get(name)
            if ratio:
                parts.append(
                    '<circle cx="%.1f" cy="%.1f" r="5" fill="%s" fill-opacity=".85"><title>%s, %s: %.3f</title>'
                    "</circle>" % (x(ratio), y, colour, html.escape(name), html.escape(method), ratio)
                )
    for i, (colour, method) in enumerate(zip(COLOURS, rivals)):
        parts.append(
            '<circle cx="%d" cy="%d" r="5" fill="%s"/><text x="%d" y="%d">%s</text>'
            % (left + 100 * i, height - 12, colour, left + 100 * i + 9, height - 8, html.escape(method))
        )
    return "\n".join(parts) + "</svg>"


def page_of(summary, sections):
    parts = []
    if summary:
        parts += [
            "<h2>Errors</h2>",
            page_table(error_rows(summary)),
            "<p>%s</p>" % html.escape(NOTES.replace("* is the best", "the best is bold")),
            "<h2>Largest residuals</h2>",
            page_table(largest_rows(summary)),
            "<h2>Ours over each rival's error</h2>",
            '<div class="scroll">%s</div>' % ratio_chart(summary),
            page_table(against_rows(summary)),
            "<h2>All numbers</h2>",
            page_table(detail_rows(summary)),
        ]
        parts += ["<p>Failed: %s</p>" % html.escape(text) for text in failures_of(summary)]
    for title, rows, note in sections:
        parts += ["<h2>%s</h2>" % html.escape(title), page_table(rows), "<p>%s</p>" % html.escape(note) if note else ""]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Entropic: accuracy</title>\n'
        "<style>%s</style></head>\n<body>\n<h1>How good models are on real tables</h1>\n%s\n</body></html>\n"
        % (STYLE, "\n".join(parts))
    )
