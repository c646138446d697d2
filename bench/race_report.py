"""What `make race` has found, summed up: who has won each column, as text and as Markdown for docs/races.md."""

from accuracy_report import aligned, markdown, mean, number, put_between_marks, size, starred
from race_learners import LEARNERS, OURS
from race_tables import ABOUT

MAIN = OURS[0]
FINISHED = "finished"
MARKS = "<!-- results: written by make race -->", "<!-- end of results -->"

# key, title, unit, how a number is written; less is better in each
COLUMNS = (
    ("total", "read + fit", "s", lambda value: seconds(value)),
    ("fit", "fit", "s", lambda value: seconds(value)),
    ("cpu", "fit cpu", "s", lambda value: seconds(value)),
    ("predict", "predict", "s", lambda value: seconds(value)),
    ("memory", "memory", "", lambda value: size(value)),
    ("error", "error", "", lambda value: number(value, "%.4f")),
    ("logloss", "log loss", "", lambda value: number(value, "%.4f")),
)
ENDED = {
    "time": "not finished: %(phase)s took more than %(bound).0f s",
    "memory": "not finished: %(phase)s took more memory than its cap of %(cap)s",
    "failed": "failed: %(message)s",
    "skipped": "not run: %(message)s",
}


def seconds(value):
    return "-" if value is None else "%.3g" % value if value < 99.95 else "%.0f" % value


# ---- summing up ----


def sum_up(records):
    """Of one learner on one table: the least of repeated times, and how far they spread."""
    good = [r for r in records if r["status"] == FINISHED]
    if not good:
        return unfinished(records[-1])
    found = {"status": FINISHED, "runs": len(good)}
    times = {
        "fit": [r["fit_seconds"] for r in good],
        "predict": [r["predict_seconds"] for r in good],
        "total": [r["read_seconds"] + r["fit_seconds"] for r in good],
        "cpu": [r["fit_cpu_seconds"] for r in good],
    }
    for key, values in times.items():
        found[key] = min(values)
        found[key + "_most"] = max(values)
    found["memory"] = max(r["memory"] for r in good)
    for key in ("error", "logloss"):
        if all(key in r for r in good):
            found[key] = mean([r[key] for r in good])
    found["others"] = mean([r["others"] for r in good])
    return found


def unfinished(record):
    phase = {"read-test": "reading", "read": "reading", "fit": "the fit", "predict": "the prediction"}
    said = {
        "phase": phase.get(record.get("phase"), "its start"),
        "message": record.get("message", ""),
        "bound": record["cap_seconds"],
        "cap": size(record["cap_memory"]),
    }
    found = {"status": record["status"], "runs": 0, "note": ENDED[record["status"]] % said}
    if record["status"] == "time" and record.get("phase") == "fit":
        found["bound"] = record["cap_seconds"]  # the fit takes at least as long
    return found


def winners(results):
    """Of each column the learners with the least value, which may be several."""
    best = {}
    for key, *_ in COLUMNS:
        values = {name: r[key] for name, r in results.items() if key in r and r["status"] == FINISHED}
        if len(values) > 1:
            best[key] = [name for name, value in values.items() if value == min(values.values())]
    return best


def scores(results, best):
    """Ours against the best of the others, column by column; lost columns are told like won ones."""
    found = []
    ours = results.get(MAIN)
    for key, title, _, form in COLUMNS:
        others = {n: r[key] for n, r in results.items() if n not in OURS and key in r and r["status"] == FINISHED}
        if not others or not ours or key not in ours:
            continue
        rival = min(others, key=others.get)
        found.append(
            {
                "column": key,
                "title": title,
                "ours": ours[key],
                "rival": rival,
                "theirs": others[rival],
                "ratio": ours[key] / others[rival] if others[rival] > 0 else None,
                "won": ours[key] < others[rival],
                "even": ours[key] == others[rival],
                "text": (form(ours[key]), form(others[rival])),
            }
        )
    return found


def better_and_faster(results):
    """The others whose error is no larger and whose fit took no longer than ours."""
    ours = results.get(MAIN, {})
    if ours.get("status") != FINISHED:
        return []
    return [
        name
        for name, r in results.items()
        if name not in OURS and r["status"] == FINISHED and r["error"] <= ours["error"] and r["fit"] <= ours["fit"]
    ]


def summarise(records, tables):
    """tables: their descriptions. Races are sorted by table and rows, learners by error."""
    races = []
    order = {name: i for i, name in enumerate(ABOUT)}
    for table in sorted(tables, key=lambda t: (order.get(t["name"], len(order)), t["name"], t["rows"])):
        own = [r for r in records if (r["table"], r["digest"]) == (table["name"], table["digest"])]
        found = {
            n: sum_up([r for r in own if r["learner"] == n]) for n in LEARNERS if any(r["learner"] == n for r in own)
        }
        if not found:
            continue
        results = dict(
            sorted(found.items(), key=lambda item: (item[1].get("error", 9e9), list(LEARNERS).index(item[0])))
        )
        best = winners(results)
        races.append(
            {
                **{k: table[k] for k in ("name", "rows", "test_rows", "inputs", "task", "floor", "bytes")},
                "about": ABOUT.get(table["name"], "A real table; see docs/accuracy.md."),
                "results": results,
                "best": best,
                "scores": scores(results, best),
                "ahead": better_and_faster(results),
            }
        )
    used = [n for n in LEARNERS if any(n in race["results"] for race in races)]
    last = {n: [r for r in records if r["learner"] == n][-1] for n in used}
    learners = {
        n: {
            "title": LEARNERS[n].title,
            "version": last[n]["version"],
            "settings": last[n]["settings"],
            "categories": LEARNERS[n].categories,
            "missing": LEARNERS[n].missing,
            "parallel": LEARNERS[n].parallel,
        }
        for n in used
    }
    return {"races": races, "learners": learners, **conditions(records)}


def conditions(records):
    ran = [r for r in records if "others" in r]
    return {
        "machine": records[-1]["machine"] if records else {},
        "dates": sorted({r["date"] for r in records}),
        "threads": sorted({r["threads"] for r in records}),
        "caps": sorted({(r["cap_seconds"], r["cap_memory"]) for r in records}),
        "others": mean([r["others"] for r in ran]) if ran else 0.0,
        "others_most": max((r["others"] for r in ran), default=0.0),
    }


# ---- as rows of text ----


def title_of(race):
    return "%s, %s rows" % (race["name"], format(race["rows"], ","))


def shown_columns(race):
    return [c for c in COLUMNS if any(c[0] in r for r in race["results"].values())]


def spread_of(result, key):
    """How much longer the longest run was than the shortest, in percent."""
    return (
        ""
        if result["runs"] < 2 or key + "_most" not in result
        else " +%.0f%%" % (100 * (result[key + "_most"] / result[key] - 1) if result[key] > 0 else 0)
    )


def result_rows(race, titles):
    """The header, then a row a learner: cells are (text, is the best)."""
    columns = shown_columns(race)
    rows = [
        [("learner", False)]
        + [("%s%s" % (title, ", " + unit if unit else ""), False) for _, title, unit, _ in columns]
        + [("", False)]
    ]
    for name, result in race["results"].items():
        cells = [
            (
                form(result.get(key)) + (spread_of(result, key) if key == "fit" else ""),
                name in race["best"].get(key, ()),
            )
            for key, _, _, form in columns
        ]
        rows.append([(titles[name]["title"], False), *cells, (result.get("note", ""), False)])
    return rows


def score_rows(races, titles):
    """Entropic, as the command, against the best of the others in each column."""
    rows = [["race", "column", "Entropic", "best of the others", "", "ratio", ""]]
    for race in races:
        for score in race["scores"]:
            rows.append(
                [
                    title_of(race),
                    score["title"],
                    score["text"][0],
                    score["text"][1],
                    titles[score["rival"]]["title"],
                    number(score["ratio"], "%.3g"),
                    "even" if score["even"] else "won" if score["won"] else "lost",
                ]
            )
    return rows


def ahead_text(race, titles):
    if race["results"].get(MAIN, {}).get("status") != FINISHED:
        return "Entropic has not finished."
    if not race["ahead"]:
        return "No other learner has both a shorter fit and a smaller error than Entropic."
    return "Shorter fit and smaller error than Entropic: %s." % ", ".join(titles[n]["title"] for n in race["ahead"])


def floor_text(race):
    floor = race["floor"]
    if not floor:
        return ""
    loss = ", log loss %.4f" % floor["logloss"] if "logloss" in floor else ""
    return "The function that the rows were drawn from has error %.4f%s." % (floor["error"], loss)


def learner_rows(summary):
    rows = [["learner", "version", "settings", "categories", "missing cells", "threads"]]
    for learner in summary["learners"].values():
        rows.append(
            [
                learner["title"],
                learner["version"],
                learner["settings"],
                learner["categories"],
                learner["missing"],
                "all" if learner["parallel"] else "one",
            ]
        )
    return rows


SHARED = 0.1  # processors that others keep busy: with more of them the machine was shared


def conditions_text(summary):
    machine = summary["machine"]
    shared = " The machine was shared, so times are longer than on a quiet one, and unevenly so." * (
        summary["others"] > SHARED
    )
    return (
        "%s, %d cores, %.0f GB; %s threads for each learner; %s. Other programs kept %.2f of the cores busy on average "
        "during the runs, at most %.2f."
        % (
            machine["processor"],
            machine["cores"],
            machine["memory"] / 2**30,
            " and ".join(map(str, summary["threads"])),
            " to ".join(sorted({summary["dates"][0], summary["dates"][-1]})),
            summary["others"],
            summary["others_most"],
        )
    ) + shared


def line_of(record):
    where = "%-14s %9d rows  %-17s run %d " % (record["table"], record["rows"], record["learner"], record["repeat"] + 1)
    if record["status"] != FINISHED:
        return where + unfinished(record)["note"]
    return "%s read %.2f s  fit %.2f s  predict %.3f s  %s  error %.5f" % (
        where,
        record["read_seconds"],
        record["fit_seconds"],
        record["predict_seconds"],
        size(record["memory"]),
        record["error"],
    )


def text_of(summary):
    parts = []
    titles = summary["learners"]
    for race in summary["races"]:
        parts.append(
            "%s\n%s\n%s" % (title_of(race), aligned(starred(result_rows(race, titles))), ahead_text(race, titles))
        )
    if parts:
        parts += [
            aligned(score_rows(summary["races"], titles)),
            aligned(learner_rows(summary)),
            conditions_text(summary),
        ]
    return "\n\n".join(parts) + "\n"


# ---- in the documentation ----


def markdown_of(summary):
    titles = summary["learners"]
    parts = [conditions_text(summary), "### Won and lost", markdown(score_rows(summary["races"], titles))]
    for race in summary["races"]:
        rows = [[("**%s**" % text if best else text) for text, best in row] for row in result_rows(race, titles)]
        parts += [
            "### %s" % title_of(race),
            " ".join(filter(None, [floor_text(race), ahead_text(race, titles)])),
            markdown(rows),
        ]
    return "\n\n".join([*parts, "### Who raced", markdown(learner_rows(summary))])


def write_docs(path, summary):
    with open(path, encoding="utf-8") as file:
        old = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(put_between_marks(old, markdown_of(summary), MARKS))
