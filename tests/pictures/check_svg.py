#!/usr/bin/env python3
"""check_svg.py - are the SVG pictures of shardings right? check_svg.py PROGRAM

PROGRAM is svg.c, which prints them. An XML parser reads each one. Then: there are as many cells as
rows times columns; each device is named once, by its own cell; nothing overlaps or is outside of
the picture; it needs nothing from elsewhere; and what is written can be read, on light and on dark
pages."""
import collections
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
CHARACTER, FONT = 0.61, 13    # the width of one, in heights of the font
PAGES = {"white": "#ffffff", "dark grey": "#1e1e1e", "dark blue": "#0d1117", "black": "#000000"}
Box = collections.namedtuple("Box", "left top right bottom")


def luminance(colour):
    """of #rgb or #rrggbb, as WCAG 2 defines it"""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def box_of(element, anchor):
    x, y = float(element.get("x")), float(element.get("y"))
    if element.tag == SVG + "rect":
        return Box(x, y, x + float(element.get("width")), y + float(element.get("height")))
    wide = len(element.text) * CHARACTER * FONT
    left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    return Box(left, y - 0.8 * FONT, left + wide, y + 0.25 * FONT)


def walk(element, fill="#000", anchor="start"):
    """(element, its fill, its anchor) of everything that is drawn"""
    fill = element.get("fill", fill)
    anchor = element.get("text-anchor", anchor)
    yield element, fill, anchor
    for child in element:
        yield from walk(child, fill, anchor)


def apart(a, b):
    return a.right <= b.left or b.right <= a.left or a.bottom <= b.top or b.bottom <= a.top


def inside(a, b):
    return a.left >= b.left and a.right <= b.right and a.top >= b.top and a.bottom <= b.bottom


def overlaps(boxes):
    """pairs of neighbours in reading order that overlap; cells are in a grid, and texts in lines"""
    boxes = sorted(boxes, key=lambda box: (box.top, box.left))
    return [(a, b) for a, b in zip(boxes, boxes[1:]) if not apart(a, b)]


def faults_of_cell(cell):
    """of a group with its title, its area and its names"""
    title, rect, names = cell
    area, fill = box_of(rect, None), rect.get("fill")
    told = re.fullmatch(r"\[(.*)\] on CPU (.*)", title.text)
    text = "".join(line.text for line in names)
    if not told or text != "CPU " + told[2]:
        yield f"{title.text} is told of a cell with {text}"
        return
    empty = any(len(set(part.split(":"))) == 1 and ":" in part and part != ":"
                for part in told[1].split(", "))
    if (fill == "none") != empty:
        yield f"{title.text}: filled with {fill}"
    if fill != "none" and contrast(fill, names.get("fill")) < 4.5:
        yield f"{title.text}: {names.get('fill')} on {fill}"
    for line in names:
        if not inside(box_of(line, "middle"), area):
            yield f"{line.text} does not fit into {title.text}"


def faults_of(document, rows, columns, devices):
    root = xml.fromstring(document)
    whole = Box(0, 0, float(root.get("width")), float(root.get("height")))
    if root.tag != SVG + "svg" or root.get("viewBox") != f"0 0 {whole.right:g} {whole.bottom:g}":
        yield f"the root is {root.tag} {root.get('viewBox')}"
    if not root[0].tag.endswith("title") or not root[0].text:
        yield "there is no title"
    if re.search(r"href|url\(|<style|<script|@import|<image|font-face", document):
        yield "something is from elsewhere"
    cells = [e for e in root.iter(SVG + "g") if len(e) == 3 and e[0].tag == SVG + "title"]
    if len(cells) != rows * columns:
        yield f"{len(cells)} cells in place of {rows} x {columns}"
    named = re.findall(r"\d+", " ".join(line.text for cell in cells for line in cell[2])
                       .replace("CPU", ""))
    if len(named) != devices or len(set(named)) != devices:
        yield f"{len(named)} names of {devices} devices"
    for cell in cells:
        yield from faults_of_cell(cell)
    drawn = [(e, fill, box_of(e, anchor)) for e, fill, anchor in walk(root)
             if e.tag in (SVG + "rect", SVG + "text")]
    for element, _, box in drawn:
        if not inside(box, whole):
            yield f"{element.text or 'a cell'} is outside: {box}"
    for kind in ("rect", "text"):
        for a, b in overlaps([box for e, _, box in drawn if e.tag == SVG + kind]):
            yield f"two {kind}s overlap: {a} {b}"
    in_cells = {id(line) for cell in cells if cell[1].get("fill") != "none" for line in cell[2]}
    for fill in {fill for e, fill, _ in drawn if e.tag == SVG + "text" and id(e) not in in_cells}:
        for page, colour in PAGES.items():
            if contrast(fill, colour) < 4:
                yield f"{fill} can hardly be read on {page}"


def main():
    text = subprocess.run(sys.argv[1], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    pictures = re.findall(r"^(\d+) (\d+) (\d+)\n(<svg.*?</svg>\n)", text, re.M | re.S)
    faults = [f"picture {k}: {fault}" for k, (*counts, document) in enumerate(pictures, 1)
              for fault in faults_of(document, *map(int, counts))]
    if "".join(f"{a} {b} {c}\n{document}" for a, b, c, document in pictures) != text:
        faults.append("something was printed that is no picture")
    for fault in faults:
        print(fault)
    print(f"{len(pictures)} pictures, {len(faults)} faults")
    return 1 if faults or not pictures else 0


sys.exit(main())
