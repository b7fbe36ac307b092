"""Ratio against speed as an SVG: speed on a logarithmic axis, one mark a level, one line a program."""

import html
import math

WIDTH, HEIGHT = 880, 560
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 56, 56
# Colours that differ in lightness too, for eyes that do not tell red from green; each program has its own mark.
STYLES = {
    "glyd": ("#c2185b", "circle", 3.0), "zstd": ("#1565c0", "square", 1.6), "lz4": ("#ef6c00", "triangle", 1.6),
    "snappy": ("#6a1b9a", "diamond", 1.6), "gzip": ("#5d4037", "square", 1.6), "brotli": ("#2e7d32", "triangle", 1.6),
    "xz": ("#455a64", "diamond", 1.6),
}
LABEL_SIZE = 11


def _round_ticks(low, high):
    """Values 1, 2, 5 x 10^n between low and high."""
    ticks = []
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        ticks += [factor * 10**power for factor in (1, 2, 5) if low <= factor * 10**power <= high]
    return ticks


def _even_ticks(low, high):
    """About eight round values between low and high."""
    raw = (high - low) / 8
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    first = math.ceil(low / step)
    return [index * step for index in range(first, math.floor(high / step) + 1)]


class Scale:
    """From ratio and speed to places in the picture."""

    def __init__(self, points):
        speeds, ratios = [point[1] for point in points], [point[2] for point in points]
        self.low_speed, self.high_speed = min(speeds) / 1.3, max(speeds) * 1.45
        margin = max((max(ratios) - min(ratios)) * 0.07, 0.05)
        self.low_ratio, self.high_ratio = min(ratios) - margin, max(ratios) + margin

    def x(self, speed):
        share = math.log(speed / self.low_speed) / math.log(self.high_speed / self.low_speed)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, ratio):
        share = (ratio - self.low_ratio) / (self.high_ratio - self.low_ratio)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _text(x, y, words, size=12, anchor="middle", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{extra}>'
            f"{html.escape(words)}</text>")


def _axes(scale, axis_title, title, subtitle):
    out = [_text(LEFT, 22, title, 16, "start", ' font-weight="bold"'), _text(LEFT, 41, subtitle, 12, "start",
                                                                            ' fill="#555"')]
    bottom = HEIGHT - BOTTOM
    for speed in _round_ticks(scale.low_speed, scale.high_speed):
        x = scale.x(speed)
        out.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#e4e4e4"/>')
        out.append(_text(x, bottom + 18, f"{speed:g}"))
    for ratio in _even_ticks(scale.low_ratio, scale.high_ratio):
        y = scale.y(ratio)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>')
        out.append(_text(LEFT - 8, y + 4, f"{ratio:g}", 12, "end"))
    out.append(f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#333"/>')
    out.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, axis_title, 13))
    middle = (TOP + bottom) / 2
    out.append(_text(18, middle, "ratio: content size / compressed size", 13, "middle",
                     f' transform="rotate(-90 18 {middle:.1f})"'))
    return out


def _mark(shape, x, y, colour):
    paint = f'fill="{colour}" stroke="#fff" stroke-width="0.8"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6" {paint}/>'
    if shape == "square":
        return f'<rect x="{x - 3.8:.1f}" y="{y - 3.8:.1f}" width="7.6" height="7.6" {paint}/>'
    if shape == "triangle":
        return f'<path d="M{x:.1f} {y - 5:.1f}l4.8 8.6h-9.6z" {paint}/>'
    return f'<path d="M{x:.1f} {y - 5.4:.1f}l5.2 5.4l-5.2 5.4l-5.2 -5.4z" {paint}/>'


class Labels:
    """Places words beside marks where nothing else lies yet, and leaves out those for which there is no place."""

    def __init__(self, marks):
        self._taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in marks]
        self._taken.append((LEFT, HEIGHT - BOTTOM - 24, WIDTH * 0.65, HEIGHT - BOTTOM))  # the legend

    def _free(self, box):
        inside = box[0] >= LEFT and box[2] <= WIDTH - 4 and box[1] >= TOP and box[3] <= HEIGHT - BOTTOM
        return inside and not any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
                                  for other in self._taken)

    def place(self, x, y, words, colour, bold=False):
        """The text element, or '' when every place around the mark is taken."""
        width, height = len(words) * LABEL_SIZE * (0.62 if bold else 0.56), LABEL_SIZE
        for dx, dy in ((8, -4), (8, 12), (-8 - width, -4), (-8 - width, 12), (-width / 2, -9), (-width / 2, 19),
                       (9, 4), (-9 - width, 4), (10, -14), (-10 - width, 22), (10, 22), (-10 - width, -14)):
            left, base = x + dx, y + dy
            box = (left, base - height, left + width, base + 2)
            if self._free(box):
                self._taken.append(box)
                weight = ' font-weight="bold"' if bold else ""
                # A white rim keeps words readable where a line runs below them.
                rim = ' stroke="#fff" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
                return _text(left, base, words, LABEL_SIZE, "start", f' fill="{colour}"{weight}{rim}')
        return ""


def _lines_and_marks(series, scale):
    out = []
    for tool, points in series.items():
        colour, shape, width = STYLES[tool]
        places = [(scale.x(speed), scale.y(ratio)) for _, speed, ratio in points]
        if len(places) > 1:
            path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
            out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-opacity="0.65"/>')
        for (level, speed, ratio), (x, y) in zip(points, places):
            tip = html.escape(f"{tool} {level}: {speed:.1f} MB/s, ratio {ratio:.3f}")
            out.append(f"<g><title>{tip}</title>{_mark(shape, x, y, colour)}</g>")
    return out


def _labels(series, scale):
    """Names at the first mark of each program, then levels as far as there is room; ends of the lines come first."""
    marks = [(scale.x(speed), scale.y(ratio)) for points in series.values() for _, speed, ratio in points]
    labels = Labels(marks)
    out, rest = [], []
    for tool, points in series.items():
        level, speed, ratio = points[0]
        name = tool if level == "-" else f"{tool} {level}"
        out.append(labels.place(scale.x(speed), scale.y(ratio), name, STYLES[tool][0], True))
        if len(points) > 1:
            rest.append((0, tool, points[-1]))
        rest += [(1, tool, point) for point in points[1:-1]]
    for _, tool, (level, speed, ratio) in sorted(rest, key=lambda item: item[0]):
        out.append(labels.place(scale.x(speed), scale.y(ratio), level, STYLES[tool][0]))
    return [label for label in out if label]


def _legend(series):
    out, x = [], LEFT + 12
    y = HEIGHT - BOTTOM - 12
    for tool in series:
        colour, shape, _ = STYLES[tool]
        out += [_mark(shape, x, y, colour), _text(x + 10, y + 4, tool, 12, "start")]
        x += 30 + 8 * len(tool)
    return out


def draw(series, axis_title, title, subtitle):
    """The SVG's text. `series`: {tool: [(level label, MB/s, ratio)]} in the order in which marks are joined."""
    scale = Scale([point for points in series.values() for point in points])
    body = _axes(scale, axis_title, title, subtitle) + _lines_and_marks(series, scale) + _labels(series, scale)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="DejaVu Sans, Verdana, sans-serif" fill="#222">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(body + _legend(series)) + "\n</svg>\n")
