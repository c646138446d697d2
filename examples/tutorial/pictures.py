"""The pictures of the tutorial, as SVG without any package: text of 14 px in a frame of 480, so that a narrow window can
show them, in light and dark. Coordinates have one digit after the point, so the same numbers give the same bytes."""
import html

WIDTH = 480
STYLE = """svg{--page:#fdfdfb;--ink:#1d2329;--soft:#59636d;--line:#e3e6e8;--axis:#8a939b;--a:#4374ca;--b:#ad3800;--pale:#b9cbe8;
font:14px system-ui,sans-serif}
@media (prefers-color-scheme:dark){svg{--page:#15181b;--ink:#e4e7e9;--soft:#a0a9b1;--line:#2b3035;--axis:#79828a;--a:#7ba4ee;
--b:#e8803c;--pale:#36507c}}
text{fill:var(--soft)}.name{fill:var(--ink)}.middle{text-anchor:middle}.end{text-anchor:end}
path{fill:none}.line{stroke:var(--line)}.axis{stroke:var(--axis)}.dash{stroke:var(--axis);stroke-dasharray:5 4}
.dots{stroke-width:4.4;stroke-linecap:round;stroke-opacity:.6}.bars{stroke-width:1.5}
.a{stroke:var(--a)}.b{stroke:var(--b)}rect.a{fill:var(--a);stroke:none}rect.b{fill:var(--b);stroke:none}
rect.pale{fill:var(--pale)}rect.page{fill:var(--page)}"""


def number(value):
    text = "%.1f" % value
    return "0" if text == "-0.0" else text[:-2] if text.endswith(".0") else text


class Picture:
    """A picture in the making: what it says, its height, and its elements."""

    def __init__(self, title, height):
        self.title, self.height, self.parts = title, height, []

    def text(self, x, y, words, kind=""):
        self.parts.append('<text x="%s" y="%s" class="%s">%s</text>'
                          % (number(x), number(y), kind, html.escape(words, quote=False)))

    def path(self, points, kind):
        """Strokes from (x0, y0) to (x1, y1); a stroke without length is a dot."""
        lines = "".join("M%s %sL%s %s" % tuple(map(number, p)) for p in points)
        self.parts.append('<path class="%s" d="%s"/>' % (kind, lines))

    def box(self, x, y, width, height, kind, style=""):
        self.parts.append('<rect x="%s" y="%s" width="%s" height="%s" class="%s"%s/>'
                          % (*map(number, (x, y, width, height)), kind, style and ' style="%s"' % style))

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">\n'
                       "<title>%s</title>\n<style>%s</style>\n" % (WIDTH, self.height, WIDTH, self.height,
                                                                   html.escape(self.title), STYLE))
            file.write('<rect width="%d" height="%d" rx="8" fill="var(--page)"/>\n' % (WIDTH, self.height))
            file.write("\n".join(self.parts) + "\n</svg>\n")


class Axes:
    """A frame with a horizontal and a vertical axis: (low, high, step, name) each."""

    def __init__(self, title, across, up, height=340):
        self.picture = Picture(title, height)
        self.across, self.up = across, up
        self.left, self.right, self.top, self.bottom = 52, WIDTH - 18, 34, height - 52

    def x(self, value):
        low, high = self.across[:2]
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value):
        low, high = self.up[:2]
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def draw(self):
        for axis, at, place in ((self.across, self.x, "middle"), (self.up, self.y, "end")):
            value = axis[0]
            while value <= axis[1] + 1e-9:
                p = at(value)
                if place == "middle":
                    self.picture.path([(p, self.top, p, self.bottom)], "line")
                    self.picture.text(p, self.bottom + 18, number(value), place)
                else:
                    self.picture.path([(self.left, p, self.right, p)], "line")
                    self.picture.text(self.left - 7, p + 5, number(value), place)
                value += axis[2]
        self.picture.text((self.left + self.right) / 2, self.picture.height - 12, self.across[3], "middle")
        self.picture.text(10, 20, self.up[3], "name")

    def dots(self, xs, ys, kind="a"):
        self.picture.path([(self.x(x), self.y(y)) * 2 for x, y in zip(xs, ys)], "dots " + kind)

    def bars(self, xs, lower, upper, kind="a"):
        self.picture.path([(self.x(x), self.y(a), self.x(x), self.y(b)) for x, a, b in zip(xs, lower, upper)], "bars " + kind)

    def line(self, start, end, kind="dash"):
        self.picture.path([(self.x(start[0]), self.y(start[1]), self.x(end[0]), self.y(end[1]))], kind)

    def save(self, path):
        self.picture.save(path)


def points(path, title, across, up, groups, diagonal=False):
    """Dots; groups has (xs, ys) in the first colour, then in the second."""
    axes = Axes(title, across, up)
    axes.draw()
    if diagonal:
        axes.line((across[0], across[0]), (across[1], across[1]))
    for (xs, ys), kind in zip(groups, "ab"):
        axes.dots(xs, ys, kind)
    axes.save(path)


def intervals(path, title, across, up, xs, lower, upper, ys):
    """Each row's interval as a bar with the truth as a dot: in the second colour where it is outside."""
    axes = Axes(title, across, up)
    axes.draw()
    rows = list(zip(xs, lower, upper, ys))
    for kind, which in (("a", True), ("b", False)):
        chosen = [row for row in rows if (row[1] <= row[3] <= row[2]) == which]
        axes.bars([r[0] for r in chosen], [r[1] for r in chosen], [r[2] for r in chosen], kind)
        axes.dots([r[0] for r in chosen], [r[3] for r in chosen], kind)
    axes.save(path)


def lengths(path, title, heading, names, values, inner=None, form="%.2f"):
    """Horizontal bars with their numbers; `inner` is the part of each that is dark."""
    picture = Picture(title, 44 + 28 * len(names))
    picture.text(10, 22, heading, "name")
    scale = 250 / max(values)
    for i, (name, value) in enumerate(zip(names, values)):
        y = 40 + 28 * i
        picture.text(158, y + 14, name, "end name")
        picture.box(166, y, scale * value, 18, "pale" if inner is not None else "a")
        if inner is not None:
            picture.box(166, y, scale * inner[i], 18, "a")
        picture.text(174 + scale * value, y + 14, form % value)
    picture.save(path)


def steps(path, title, heading, names, values, base, form="%+.1f"):
    """How a sum is made up: from the base by each value in turn; what is below zero has the second colour."""
    picture = Picture(title, 92 + 28 * len(names))
    picture.text(10, 22, heading, "name")
    sums = [base]
    for value in values:
        sums.append(sums[-1] + value)
    low, high = min(sums), max(sums)

    def x(value):
        return 196 + (value - low) / (high - low) * 210

    ends = [("mean", base, 40)] + [("prediction", sums[-1], 40 + 28 * (len(names) + 1))]
    for name, value, y in ends:
        picture.text(110, y + 14, name, "end name")
        picture.path([(x(value), y, x(value), y + 18)], "axis")
        picture.text(x(value) + 6, y + 14, "%.1f" % value, "name")
    for i, (name, value) in enumerate(zip(names, values)):
        y = 68 + 28 * i
        start, end = sorted((x(sums[i]), x(sums[i + 1])))
        picture.text(110, y + 14, name, "end name")
        picture.box(start, y, end - start, 18, "a" if value >= 0 else "b")
        picture.path([(x(sums[i]), y - 10, x(sums[i]), y + 18)], "axis")
        if value >= 0:
            picture.text(end + 6, y + 14, form % value)
        else:
            picture.text(start - 6, y + 14, form % value, "end")
    picture.save(path)


def cells(path, title, across, up, heights, most):
    """A map: heights[row][column] over evenly spaced cells, from -most (second colour) to most (first colour)."""
    axes = Axes(title, across, up, 380)
    rows, columns = len(heights), len(heights[0])
    wide = (axes.right - axes.left) / columns
    tall = (axes.bottom - axes.top) / rows
    axes.draw()
    axes.picture.box(axes.left, axes.top, axes.right - axes.left, axes.bottom - axes.top, "page")
    for i, line in enumerate(heights):
        for j, height in enumerate(line):
            share = min(abs(height) / most, 1)
            axes.picture.box(axes.left + j * wide, axes.bottom - (i + 1) * tall, wide, tall, "a" if height >= 0 else "b",
                             "opacity:%.2f" % share)
    for kind, sign, x in (("b", "\u2212", 330), ("a", "+", 400)):
        axes.picture.box(x, 9, 14, 14, kind)
        axes.picture.text(x + 20, 21, sign + number(most))
    axes.save(path)
