"""Plots of the page of `make race`: a line a learner against the rows, as SVG with the classes of the pages' style."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 380, 300, 44, 14, 10, 26
SHAPES = {  # around (0, 0)
    "circle": "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
    "square": "M-3.6 -3.6H3.6V3.6H-3.6Z",
}


def series_of(titles):
    """The number of each learner's colour: the same in all plots."""
    return {name: i for i, name in enumerate(titles)}


def shape_of(number):
    return SHAPES["circle" if number < 8 else "square"]


def points_of(races, name, key):
    """(rows, value, is it only a bound?) of one learner."""
    found = []
    for race in races:
        result = race["results"].get(name, {})
        if key in result:
            found.append((race["rows"], result[key], False))
        elif key == "total" and "bound" in result and result["bound"] > 0:
            found.append((race["rows"], result["bound"], True))
    return found


def steps(low, high):
    """Round numbers between two: powers of ten, with 2 and 5 where they are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [10.0**p for p in powers if low <= 10.0**p <= high]
    if len(ticks) < 3:
        ticks = [f * 10.0**p for p in powers for f in (1, 2, 5) if low <= f * 10.0**p <= high]
    if len(ticks) < 2:
        ticks = [f * 10.0**p / 10 for p in powers for f in range(10, 100) if low <= f * 10.0**p / 10 <= high]
        ticks = ticks[:: max(1, len(ticks) // 5)]
    return ticks


def name_of(tick):
    power = math.log10(tick)
    if tick >= 10000 and abs(power - round(power)) < 1e-9:
        return '10<tspan dy="-5" class="p">%d</tspan>' % round(power)
    return "%g" % tick if tick < 10000 else format(round(tick), ",")


def shown(title):
    """As HTML, with a place where a long word may be broken."""
    return html.escape(title).replace("GradientBoosting", "Gradient&#173;Boosting")


class Scale:
    """A logarithmic one, from values to places."""

    def __init__(self, values, start, end, room=1.15):
        self.low, self.high = min(values) / room, max(values) * room
        self.start, self.end = start, end

    def __call__(self, value):
        share = (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return self.start + share * (self.end - self.start)


def axes(x, y, sizes, floor):
    parts = ['<g class="y">']
    for tick in steps(y.low, y.high):
        parts.append(
            '<path class="g" d="M%d %.1fH%d"/><text x="%d" y="%.1f">%s</text>'
            % (LEFT, y(tick), WIDTH - RIGHT, LEFT - 6, y(tick) + 4, name_of(tick))
        )
    parts.append('</g><g class="x">')
    for tick in sizes:
        parts.append(
            '<path class="k" d="M%.1f %dv4"/><text x="%.1f" y="%d">%s</text>'
            % (x(tick), HEIGHT - BOTTOM, x(tick), HEIGHT - 6, name_of(tick))
        )
    parts.append('</g><path class="a" d="M%d %dH%d"/>' % (LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT))
    if floor:
        parts.append('<path class="a" stroke-dasharray="2 4" d="M%d %.1fH%d"/>' % (LEFT, y(floor), WIDTH - RIGHT))
    return "".join(parts)


def line_of(number, points, x, y, title):
    path = "M" + "L".join("%.1f %.1f" % (x(rows), y(value)) for rows, value, _ in points)
    marks = "".join(
        '<path class="%s" transform="translate(%.1f %.1f)" d="%s"><title>%s, %s rows: %s%.4g</title></path>'
        % (
            "open" if bound else "m",
            x(rows),
            y(value),
            shape_of(number),
            html.escape(title),
            format(rows, ","),
            "more than " if bound else "",
            value,
        )
        for rows, value, bound in points
    )
    return '<g class="s s%d"><path class="l" d="%s"/>%s</g>' % (number % 16, path, marks)


def plot(races, titles, key, floor=None):
    """One column of results against the rows; both axes are logarithmic."""
    numbers = series_of(titles)
    lines = {name: points_of(races, name, key) for name in titles}
    lines = {name: points for name, points in lines.items() if points}
    if not lines:
        return ""
    values = [value for points in lines.values() for _, value, _ in points] + ([floor] if floor else [])
    sizes = sorted({race["rows"] for race in races})
    x = Scale(sizes, LEFT, WIDTH - RIGHT, 1.4)
    y = Scale([max(value, 1e-9) for value in values], HEIGHT - BOTTOM, TOP)
    drawn = "\n".join(
        line_of(numbers[name], points, x, y, titles[name]["title"]) for name, points in reversed(lines.items())
    )
    return '<svg class="plot" viewBox="0 0 %d %d" role="img" aria-label="%s against training rows">%s\n%s</svg>' % (
        WIDTH,
        HEIGHT,
        {"total": "seconds", "error": "error"}[key],
        axes(x, y, sizes, floor),
        drawn,
    )


def legend(titles, races):
    numbers = series_of(titles)
    present = [name for name in titles if any(name in race["results"] for race in races)]
    items = "".join(
        '<li><svg class="s s%d" viewBox="0 0 30 12" aria-hidden="true"><path class="l" d="M1 6H29"/>'
        '<path class="m" transform="translate(15 6)" d="%s"/></svg><span>%s</span></li>'
        % (numbers[name] % 16, shape_of(numbers[name]), shown(titles[name]["title"]))
        for name in present
    )
    return '<ul class="legend many">%s</ul>' % items
