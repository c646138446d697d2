"""A second reader of model files, written from docs/model-format.md alone. Its predictions are compared with the
library's."""
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from decimal import Decimal, localcontext

import _kernels
from _tap import check, end

DRIVER = os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "python-model")
# Families with formulas here; those of others are asked of the library.
WRITTEN = ("centred", "sobolev", "laplace", "cosh", "brownian", "bridge", "category", "neumann")


class Bytes:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, size):
        assert self.at + size <= len(self.data)
        self.at += size
        return self.data[self.at - size:self.at]

    def u8(self):
        return self.take(1)[0]

    def u32(self):
        return struct.unpack("<I", self.take(4))[0]

    def u64(self):
        return struct.unpack("<Q", self.take(8))[0]

    def f64(self):
        return struct.unpack("<d", self.take(8))[0]

    def doubles(self, number):
        return list(struct.unpack("<%dd" % number, self.take(8 * number)))

    def count(self):
        value, shift = 0, 0
        while True:
            byte = self.u8()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        coded = self.count()
        return -(coded // 2) - 1 if coded % 2 else coded // 2

    def text(self):
        return self.take(self.count()).decode()

    def names(self):
        return [self.text() for _ in range(self.count())]


def nested(body):
    """The sections of some bytes; of COMP there may be many."""
    found = {"COMP": []}
    while body.at < len(body.data):
        tag = body.take(4).decode()
        part = Bytes(body.take(body.u64()))
        if tag == "COMP":
            found[tag].append(part)
        else:
            assert tag not in found
            found[tag] = part
    return found


def sections(data):
    assert data[:8] == b"\x89ENT\r\n\x1a\n"
    head = Bytes(data[8:20])
    version = head.u32()
    assert version in (1, 2, 3, 4, 5, 6, 7, 8) and head.u64() == len(data)
    assert zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0]
    found = nested(Bytes(data[20:-4]))
    assert version >= 7 or not found["COMP"]
    assert version >= 8 or "MEAN" not in found
    return version, found


class Pair:
    """A custom kernel by p and q, in 50 digits: p and q cancel where x and y are close."""

    def __init__(self, texts, w):
        self.codes = [compile(text.replace("^", "**"), text, "eval") for text in texts]
        self.names = {"w": Decimal(w), "exp": Decimal.exp, "sqrt": Decimal.sqrt, "__builtins__": {}}

    def at(self, x):
        return [Decimal(eval(code, self.names, {"x": Decimal(x)})) for code in self.codes]

    def wedge(self, x, y):
        (p, q), (right_p, right_q) = self.at(x), self.at(y)
        return right_p * q - p * right_q

    def combination(self, a, b):
        def value(x):
            with localcontext() as context:
                context.prec = 50
                p, q = self.at(x)
                return 0, float(a * p + b * q)
        return 1, value

    def first_levels(self):
        (p0, q0), (p1, q1) = self.at(0), self.at(1)
        if p0 == 0:
            return [self.combination((q1 / p1).sqrt(), 0)]
        det = p0 * q1 - q0 * p1
        a, b = (q1 - q0) / det, (p0 - p1) / det  # 1 at both ends; everywhere?
        p, q = self.at(Decimal("0.3"))
        if abs(a * p + b * q - 1) < Decimal("1e-40"):
            def unit(a, b):
                norm = (b * b * q0 / p0 + 2 * a * b + a * a * p1 / q1).sqrt()
                return self.combination(a / norm, b / norm)
            other, more = a + b * q0 / p0, -b - a * p1 / q1
            return [unit(a, b), unit(other, more) if other > 0 else unit(-other, -more)]
        k00, k01, k11 = p0 * q0, p0 * q1, p1 * q1
        middle, radius = (k00 + k11) / 2, (((k00 - k11) / 2) ** 2 + k01 * k01).sqrt()
        levels = []
        for value, sign in ((middle + radius, 1), (middle - radius, -1)):
            first, second = k01, value - k00
            first, second = (first, second) if second > 0 else (-first, -second)
            size = (first * first + second * second).sqrt() * value.sqrt()
            assert first * sign > 0
            levels.append(self.combination(second * q1 / size, first * p0 / size))
        return levels

    def hat(self, level, unit):
        cells, h = 1 << (level - 1), Decimal(0.5**level)

        def value(x):
            with localcontext() as context:
                context.prec = 50
                atom = min(math.floor(cells * x), cells - 1)
                z, x = (2 * atom + 1) * h, Decimal(x)
                left, right, whole = self.wedge(z - h, z), self.wedge(z, z + h), self.wedge(z - h, z + h)
                height = self.wedge(z - h, x) / left if x <= z else self.wedge(x, z + h) / right
                return atom, float(height if unit else height * (left * right / whole).sqrt())
        return value

    def kernel(self, low, high):
        with localcontext() as context:
            context.prec = 50
            return float(self.at(low)[0] * self.at(high)[1])


class Axis:
    """One input: its levels as functions from x to (atom, value), with their numbers of atoms, and its kernel."""

    def __init__(self, family, basis, depth, smooth, marks, w, atoms, pair=None):
        self.family, self.interior, self.w, self.atoms, self.smooth = family, basis == 1, w, atoms, smooth
        unit, self.missing, self.pair = marks & 1, marks & 2, pair
        if pair is not None:
            with localcontext() as context:
                context.prec = 50
                first = [] if self.interior else pair.first_levels()
            self.levels = first + [(1 << (l - 1), pair.hat(l, unit)) for l in range(1, depth + 1)]
        elif family in WRITTEN:
            first = [] if self.interior else self.first_levels(w, smooth)
            hats = [] if family == "category" else [(1 << (l - 1), self.hat(l, unit)) for l in range(1, depth + 1)]
            self.levels = first + hats
        else:
            asked = _kernels.Axis(family, w, self.interior, depth)
            self.levels = [(number, lambda x, l=l: asked.atom(l, x)) for l, number in enumerate(asked.atoms)]
        if self.missing:
            present = [(number, self.present(level)) for number, level in self.levels[1:]]
            self.levels = self.levels[:1] + present + [(1, lambda x: (0, math.sqrt(w) if math.isnan(x) else 0.0))]

    @staticmethod
    def present(level):
        return lambda x: (0, 0.0) if math.isnan(x) else level(x)

    def first_levels(self, w, smooth):
        one, root = (1, lambda x: (0, 1.0)), math.sqrt(w)
        if self.family == "centred":
            atoms = [(1, lambda x, j=j: (0, self.smooth_atom(j, x))) for j in range(2, smooth + 1)]
            return [one, (1, lambda x: (0, root * (x - 0.5)))] + atoms
        if self.family == "sobolev":
            return [one, (1, lambda x: (0, root * x))]
        if self.family == "laplace":
            plus, minus = math.sqrt(2 * (1 + math.exp(-w))), math.sqrt(-2 * math.expm1(-w))
            return [(1, lambda x: (0, (math.exp(-w * x) + math.exp(-w * (1 - x))) / plus)),
                    (1, lambda x: (0, (math.exp(-w * (1 - x)) - math.exp(-w * x)) / minus))]
        if self.family == "cosh":
            scale = math.sqrt(w / math.sinh(w))
            return [(1, lambda x: (0, scale * math.cosh(w * (x - 0.5)))),
                    (1, lambda x: (0, scale * math.sinh(w * (x - 0.5))))]
        if self.family == "neumann":
            first, second = math.sqrt(math.exp(-w) / math.cosh(w)), math.sqrt(math.tanh(w)) / math.sinh(w)
            return [(1, lambda x: (0, first * math.cosh(w * x))), (1, lambda x: (0, second * math.sinh(w * (1 - x))))]
        if self.family == "brownian":
            return [(1, lambda x: (0, root * x))]
        if self.family == "category":
            return [one, (self.atoms, lambda x: (self.cell(x), root / 2) if self.cell(x) < self.atoms else (0, 0.0))]
        return []

    def cell(self, x):
        return min(math.floor(x * (self.atoms + 1)), self.atoms)

    def smooth_atom(self, j, x):
        before, value, t = 1.0, 2 * x - 1, 2 * x - 1
        for i in range(2, j + 1):
            before, value = value, ((2 * i - 1) * t * value - (i - 1) * before) / i
        return math.sqrt(self.w * (2 * j + 1) / (3 * 4**j)) * value

    def hat(self, level, unit):
        cells, h, w = 1 << (level - 1), 0.5**level, self.w
        c = {"bridge": h / 2, "laplace": math.tanh(w * h), "cosh": w / 2 * math.tanh(w * h),
             "neumann": math.tanh(w * h) / 2}.get(self.family, w * h / 2)
        scale = 1.0 if unit else math.sqrt(c)

        def value(x):
            atom = min(math.floor(cells * x), cells - 1)
            f = cells * x - atom
            t = 2 * min(f, 1 - f)
            if self.family in ("laplace", "cosh", "neumann"):
                t = math.sinh(w * h * t) / math.sinh(w * h)
            return atom, scale * t
        return value

    def kernel(self, x, y):
        if self.missing and (math.isnan(x) or math.isnan(y)):
            return 1 + (self.w if math.isnan(x) and math.isnan(y) else 0)
        w, low, high = self.w, min(x, y), max(x, y)
        if self.family == "centred":
            return 1 + w / 4 - w * (high - low) / 2 + sum(self.smooth_atom(j, x) * self.smooth_atom(j, y)
                                                          for j in range(2, self.smooth + 1))
        if self.family == "category":
            return 1 + (w / 4 if self.cell(x) == self.cell(y) < self.atoms else 0)
        if self.family == "custom":
            assert not self.interior
            return self.pair.kernel(low, high)
        assert self.family == "laplace" and not self.interior
        return math.exp(-w * (high - low))


class Model:
    def __init__(self, path):
        with open(path, "rb") as file:
            version, part = sections(file.read())
        self.read_info(part["INFO"], version)
        self.read_schema(part["SCHM"], version)
        self.read_means(part["MEAN"] if "MEAN" in part else None)
        features, scores = self.read_component(part, version), self.number_of_scores()
        assert self.exact == (self.solver == 4)
        self.members = self.read_frozen(part["frzn"], features, scores) if "frzn" in part else []
        self.more = [Component(self, nested(body), version) for body in part["COMP"]]
        if "marg" in part and self.more:
            self.read_joint_marginals(part["marg"])
        elif "marg" in part:
            self.read_marginals(part["marg"])
        if "msum" in part:  # sums, which tests/cli/forgotten.py and model_statistics look at
            self.marginals = {input: dict.fromkeys(order) for input, order in self.atoms_in_use().items()}
            part["msum"].at = len(part["msum"].data)
        self.intervals = self.read_intervals(part["intv"]) if "intv" in part else None
        self.member_effects = self.read_member_effects(part["memb"], scores) if "memb" in part else None
        self.whole = all(section.at == len(section.data) for tag, section in part.items() if tag != "COMP")

    def read_means(self, part):
        """Sets of categories with their means by key, and which input has what of which set."""
        self.means, self.mean_sets, self.mean_inputs = [], [], []
        if part is not None:
            self.means = part.doubles(part.count())
            for _ in range(part.count()):
                first, second, keys = part.count(), part.count(), []
                for _ in range(part.count()):
                    keys.append((keys[-1] + 1 if keys else 0) + part.count())
                of = [first] if second == 0 else [first, second - 1]
                rows = [part.doubles(len(self.means)) for _ in keys]
                amounts = part.doubles(len(keys))
                assert all(amount >= 0 for amount in amounts)
                self.mean_sets.append((of, {k: row + [a] for k, row, a in zip(keys, rows, amounts)}))
            self.mean_inputs = [(part.count(), part.count(), part.count()) for _ in range(part.count())]
        needed = [i for i, made in enumerate(self.made) if made and self.used[i]]
        assert [input for input, _, _ in self.mean_inputs] == needed

    def fill(self, row):
        """The row with the inputs that are made of categories; nan, or a code that is none, is not known."""
        row = list(row)
        for input, number, column in self.mean_inputs:
            of, values = self.mean_sets[number]
            key = 0
            for i in of:
                levels = len(self.inputs[i][2])
                key = key * levels + int(row[i]) if key is not None and 0 <= row[i] < levels else None
            row[input] = values.get(key, self.means + [0])[column]
        return row

    def number_of_scores(self):
        return len(self.targets) if self.task == 1 else 1 if len(self.classes) == 2 else len(self.classes)

    def read_component(self, part, version):
        self.read_scaler(part["SCAL"])
        self.read_kernel(part["KERN"])
        self.exact = "PNTS" in part
        assert self.exact != ("DSGN" in part)
        if self.exact:
            features = part["PNTS"].count()
            self.points = [part["PNTS"].doubles(len(self.inputs)) for _ in range(features)]
        else:
            features = self.read_design(part["DSGN"])
        bounded = version >= 4 and part["WGTS"].u8()
        self.scores, self.bounds = [], []
        for _ in range(self.number_of_scores()):
            offset = part["WGTS"].f64()
            self.bounds.append(part["WGTS"].doubles(2) if bounded else [-math.inf, math.inf])
            self.scores.append((offset, part["WGTS"].doubles(features)))
        self.beyond = [part["BYND"].u8() for _ in self.inputs] if "BYND" in part else [0] * len(self.inputs)
        return features

    def read_joint_marginals(self, part):
        """For each input the means of the atoms of all components, and of their products."""
        parts = [of.atoms_in_use() for of in [self] + self.more if not of.exact]
        self.joint = {}
        for input in parts[0]:
            count = sum(len(uses[input]) for uses in parts)
            means = part.doubles(count)
            self.joint[input] = (means, [part.doubles(u + 1) for u in range(count)])

    def read_frozen(self, part, features, scores):
        """(lambda, features) of the members."""
        members = []
        for _ in range(part.count()):
            lam, listed, at = part.f64(), part.u8(), -1
            chosen = []
            for _ in range(part.count() if listed else 0):
                at += 1 + part.count()
                chosen.append(at)
            assert lam >= 0 and at < features
            members.append((lam, chosen if listed else list(range(features))))
        exponents = [part.signed() for _ in range(features)] + [part.signed()]
        for _ in range(scores):
            exponents.append(part.signed())
            assert math.isfinite(part.f64())
        assert all(abs(e) <= 400 for e in exponents)
        self.missing_factors = factors = part.doubles(len(self.inputs)) if part.u8() else []
        weights = part.doubles(len(self.classes)) if part.u8() else []
        assert all(f >= 1 for f in factors) and all(w > 0 for w in weights)
        return members

    def atoms_in_use(self):
        """For each input its atoms in use, (level, atom), in the order of marginals."""
        atoms_of = lambda input, level: self.axes[input].levels[level][0]  # noqa: E731
        uses = {input: set() for input in self.base}
        for input, base in self.base.items():
            if base is not None and any(self.axes[input].levels[base][1](x)[1] != 1 for x in (0.125, 0.5, 0.75)):
                uses[input].add((base, 0))
        for terms, columns in self.groups:
            for member in columns:
                for input, level in reversed(terms):
                    uses[input].add((level, member % atoms_of(input, level)))
                    member //= atoms_of(input, level)
        return {input: sorted(used, key=lambda use: (atoms_of(input, use[0]), use)) for input, used in sorted(uses.items())}

    def read_marginals(self, part):
        """For each input, of the atoms in use the mean and that of the square: {(level, atom): (mean, square)}."""
        atoms_of = lambda input, level: self.axes[input].levels[level][0]  # noqa: E731
        self.marginals = {}
        for input, order in self.atoms_in_use().items():
            levels = sorted({level for level, _ in order}, key=lambda level: (atoms_of(input, level), level))
            found = {}
            for use in order:
                mean, square = part.f64(), 0.0
                for level in levels[:levels.index(use[0]) + 1]:
                    place = part.count()
                    mates = [atom for of, atom in order if of == level]
                    assert place <= len(mates)
                    product = part.f64() if place else 0.0
                    assert math.isfinite(product)
                    if level == use[0]:
                        assert place == 0 or mates[place - 1] == use[1]
                        square = product
                found[use] = (mean, square)
            self.marginals[input] = found

    def read_member_effects(self, part, scores):
        """For each member the coefficients of atoms: {(input, score, level, atom): coefficient}."""
        members = [{} for _ in range(part.count())]
        for input, found in self.marginals.items():
            for score in range(scores if found else 0):
                exponent = part.signed()
                assert abs(exponent) <= 960
                for level, atom in found:
                    for member in members:
                        value = part.signed()
                        assert abs(value) <= 1 << 26
                        member[input, score, level, atom] = math.ldexp(value, exponent - 26)
        assert len(members) >= 2
        return members

    def main_coefficients(self):
        """The same of the model itself, from its weights and marginals."""
        found = {}
        for terms, columns in self.groups:
            for member, feature in columns.items():
                atoms, rest = [], member
                for input, level in reversed(terms):
                    atoms.append((input, level, rest % self.axes[input].levels[level][0]))
                    rest //= self.axes[input].levels[level][0]
                active = {input for input, _ in terms}
                atoms += [(input, level, 0) for input, level in self.base.items()
                          if input not in active and (level, 0) in self.marginals[input]]
                for own in atoms:
                    others = math.prod(self.marginals[i][level, atom][0] for i, level, atom in atoms if i != own[0])
                    for score, (_, weights) in enumerate(self.scores):
                        key = own[0], score, own[1], own[2]
                        found[key] = found.get(key, 0.0) + weights[feature] * others
        return found

    def member_effects_error(self):
        """How far the mean of the members is from the model, relative to the largest coefficient."""
        wanted, worst = self.main_coefficients(), 0.0
        if any(set(member) < set(wanted) for member in self.member_effects):
            return math.inf
        for key in self.member_effects[0]:
            mean = math.fsum(member[key] for member in self.member_effects) / len(self.member_effects)
            size = max(abs(member[other]) for member in self.member_effects for other in member if other[:2] == key[:2])
            worst = max(worst, abs(mean - wanted.get(key, 0.0)) / (size or 1.0))
        return worst

    def read_intervals(self, part):
        """(rows, [(deviation, factors, quantiles) of each target]); a factor is (axis, knots, values, missing)."""
        rows, found = part.count(), []
        for _ in range(len(self.targets)):
            deviation, factors = part.f64(), []
            for _ in range(part.count()):
                axis, knots = part.count(), part.count()
                at, values, missing = part.doubles(knots), part.doubles(knots), part.f64()
                assert 2 <= knots <= 16 and at == sorted(set(at)) and min(values + [missing]) > 0
                assert axis == 0 or self.used[axis - 1]
                factors.append((axis, at, values, missing))
            quantiles = part.doubles(256)
            assert deviation >= 0 and len(factors) <= 3 and quantiles == sorted(quantiles) and quantiles[0] >= 0
            found.append((deviation, factors, quantiles))
        return rows, found

    def read_info(self, part, version):
        self.task, self.loss, self.solver, self.converged, self.validation = (part.u8() for _ in range(5))
        self.rows, self.folds, self.validation_rows = (part.count() for _ in range(3))
        assert self.validation < (4, 4, 4, 5, 5, 5, 5, 5)[version - 1]
        assert self.folds >= (0, 2, 0, 2, 1)[self.validation]
        self.seed = part.u64()
        self.lam, self.inverse_temperature, self.nonzeros, self.error, self.log_loss = part.doubles(5)
        self.root = None
        kind = part.u8() + (version == 3) if version >= 3 else 0
        if kind:
            self.root = (kind == 2, part.f64(), part.f64())
        self.width = None
        if self.loss == 4:
            self.width = part.f64()
            assert version >= 6 and self.task == 1 and self.width >= 0

    def read_schema(self, part, version):
        self.inputs, self.used, self.kinds, self.made = [], [], [], []
        for _ in range(part.count()):
            name, marks = part.text(), part.u8()
            assert marks < (2, 4, 4, 16, 16, 16, 16, 32)[version - 1] and (marks & 4 or not marks & 8)
            self.made.append(bool(marks & 16))
            assert marks & ~4 == 16 or not marks & 16
            self.used.append(not marks & 4)
            categories = part.names() if self.used[-1] else []
            self.kinds.append("category" if categories or marks & 8 else "date" if marks & 2 else "number")
            missing = marks & 1
            atoms = len(categories) + missing if categories else 0
            self.inputs.append((name, missing, categories, atoms))
        self.targets = part.names()
        self.classes = part.names()

    def read_scaler(self, part):
        self.scaling = part.u8()
        self.knots = []
        for (_, _, categories, _), used in zip(self.inputs, self.used):
            number = part.count() if used and not categories else 0
            self.knots.append((part.doubles(number), part.doubles(number)))

    def read_kernel(self, part):
        self.axes = {}
        left = [i for i, used in enumerate(self.used) if used]
        while left:
            run = part.count()
            family, basis, depth, smooth, marks = (part.u8() for _ in range(5))
            w, pair = part.f64(), None
            if _kernels.NUMBERED[family] == "custom":
                assert part.u8() == 1  # p and q; equations are not solved here
                pair = Pair([part.text(), part.text()], w)
            for i in left[:run]:
                self.axes[i] = Axis(_kernels.NUMBERED[family], basis, depth, smooth, marks, w, self.inputs[i][3], pair)
            left = left[run:]

    def read_design(self, part):
        part.u8(), part.u8()
        self.base, left = {}, [i for i, used in enumerate(self.used) if used]
        while left:
            run, level = part.count(), part.count()
            self.base.update({i: level - 1 if level > 0 else None for i in left[:run]})
            left = left[run:]
        self.groups, features = [], 0
        for _ in range(part.count()):
            part.signed()
            terms, after = [], 0
            for _ in range(part.count()):
                after += part.count()
                terms.append((after, part.count()))
                after += 1
            members, after = [], 0
            for _ in range(part.count()):
                after += part.count()
                members.append(after)
                after += 1
            atoms = math.prod(self.axes[i].levels[level][0] for i, level in terms)
            columns = {member: features + k for k, member in enumerate(members or range(atoms))}
            features += len(columns)
            self.groups.append((terms, columns))
        return features

    def scale(self, i, v):
        _, missing, categories, atoms = self.inputs[i]
        if not self.used[i]:
            return None
        if categories:
            cell = int(v) if v < len(categories) else atoms  # not for nan
            if math.isnan(v) and missing:
                cell = atoms - 1
            return (cell + 0.5) / (atoms + 1)
        at, height = self.knots[i]
        if math.isnan(v) and self.axes[i].missing:
            return v
        if math.isnan(v) or len(at) == 1:
            return 0.5
        if not at:
            return min(max(v, 0.0), 1.0)
        if v < at[0] or v > at[-1]:
            return 0.0 if v < at[0] else 1.0
        for k in range(len(at) - 1):
            if v < at[k + 1]:
                return height[k] + (height[k + 1] - height[k]) * (v - at[k]) / (at[k + 1] - at[k])
        return height[-1]

    def go_on(self, i, v):
        """A scaled value whose line may go on outside the knots, by at most one range."""
        at = self.knots[i][0]
        if not (v < at[0] or v > at[-1]):
            return self.scale(i, v)
        distance = max(at[0] - v, v - at[-1]) / (at[-1] - at[0])
        step = (1 if self.scaling == 1 else 0.5) * min(distance, 1)
        return -step if v < at[0] else 1 + step

    def is_line(self, terms):
        if len(terms) != 1 or not self.beyond[terms[0][0]]:
            return False
        atoms, value = self.axes[terms[0][0]].levels[terms[0][1]]
        low, middle, high = (value(x)[1] for x in (0.0, 0.5, 1.0))
        return atoms == 1 and middle == 0 and low == -high != 0 and value(0.25)[1] == low / 2

    def features(self, x, row=None):
        """(feature, value) of the features that can be non-zero."""
        if self.exact:
            for k, point in enumerate(self.points):
                clamped = [min(max(p, 0.0), 1.0) for p in point]
                yield k, math.prod(self.axes[i].kernel(a, b) for i, (a, b) in enumerate(zip(x, clamped)))
            return
        for terms, columns in self.groups:
            levels, number, value = dict(self.base), 0, 1.0
            for i, level in terms:
                levels[i] = level
                number = number * self.axes[i].levels[level][0] + self.axes[i].levels[level][1](x[i])[0]
            for i, level in levels.items():
                far = row is not None and self.is_line(terms) and i == terms[0][0]
                value *= self.axes[i].levels[level][1](self.go_on(i, row[i]) if far else x[i])[1]
            if number in columns:
                yield columns[number], value

    def own_scores(self, row):
        x = [self.scale(i, v) for i, v in enumerate(row)]
        z = list(self.features(x, row))
        return [offset + math.fsum(weights[k] * value for k, value in z) for offset, weights in self.scores]

    def predict(self, row):
        scores = [math.fsum(of) for of in zip(*(part.own_scores(row) for part in [self] + self.more))]
        if self.root:
            below, origin, rise = self.root
            scores = [origin + (-1 if below else 1) * (max(s, 0) ** 2 + rise) for s in scores]
        if self.task == 1:
            return [min(max(s, lower), upper) for s, (lower, upper) in zip(scores, self.bounds)]
        scores = [self.inverse_temperature * s for s in ([0.0] + scores if len(self.classes) == 2 else scores)]
        top = max(scores)
        weights = [math.exp(s - top) for s in scores]
        return [w / sum(weights) for w in weights]


class Component(Model):
    """A further component: it shares the schema of the model."""

    def __init__(self, model, part, version):
        self.task, self.inputs, self.used, self.kinds = model.task, model.inputs, model.used, model.kinds
        self.targets, self.classes = model.targets, model.classes
        self.read_component(part, version)
        assert not any(offset for offset, _ in self.scores) and not any(map(math.isfinite, sum(self.bounds, [])))
        assert all(section.at == len(section.data) for tag, section in part.items() if tag != "COMP")


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run([DRIVER, folder], check=True, capture_output=True, text=True).stdout
        model, name, worst, rows = None, "", 0.0, 0
        for line in out.splitlines() + ["model"]:
            if line.startswith("model"):
                if model is not None:
                    check("%s: %d rows as predicted" % (name, rows), rows == 40 and worst <= 1e-12, "off by %g" % worst)
                name, worst, rows = line[6:], 0.0, 0
                if name:
                    model = Model(os.path.join(folder, name + ".entropic"))
                    check(name + ": every section is read to its end", model.whole)
                    check(name + ": a root only where it was asked for", (model.root is not None) == name.endswith("root"))
                    check(name + ": inputs without use only where features are few",
                          all(model.used) != name.startswith("few"), model.used)
                    check(name + ": names", [i[0] for i in model.inputs] == ["number", "category", "gaps", "steps"]
                          and model.inputs[1][2] == (["0", "1", "2", "3"] if model.used[1] else [])
                          and model.kinds == ["number", "category", "number", "number"] and model.targets[0] == "y1"
                          and [i[1] for i in model.inputs] == [0, 1, 1, 0] and model.rows == 120)
                    check(name + ": bounds only of numbers", model.task == 1 or not any(map(math.isfinite, sum(model.bounds, []))))
                continue
            values, predictions = line.split("=")
            expected = [float(v) for v in predictions.split()]
            found = model.predict([float(v) for v in values.split()])
            size = max(1.0, *(abs(v) for v in expected))
            errors = [abs(a - b) / size for a, b in zip(found, expected)]
            worst = max(worst, *errors) if len(found) == len(expected) and all(e == e for e in errors) else math.inf
            rows += 1
    models = {line[6:] for line in out.splitlines() if line.startswith("model ")}
    check("there was a model of every kernel", models >= set(_kernels.kernels()), models)
    return end()


if __name__ == "__main__":
    sys.exit(main())
