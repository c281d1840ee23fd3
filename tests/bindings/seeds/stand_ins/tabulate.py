"""tabulate.py - tabulate() of rows of text with the format "fancy_grid".

    tabulate([["a", "b"]], [], tablefmt="fancy_grid")    gives a box with two cells"""


def tabulate(rows, headers, tablefmt):
    """The table as text."""
    if headers or tablefmt != "fancy_grid":
        raise NotImplementedError("tables without headers, fancy_grid")
    cells = [[str(x).split("\n") for x in row] for row in rows]
    widths = [max(len(line) for row in cells for line in row[k]) for k in range(len(cells[0]))]

    def ruled(left, dash, middle, right):
        return left + middle.join(dash * (w + 2) for w in widths) + right

    out = [ruled("╒", "═", "╤", "╕")]
    for number, row in enumerate(cells):
        if number:
            out.append(ruled("├", "─", "┼", "┤"))
        for k in range(max(map(len, row))):
            lines = [cell[k] if k < len(cell) else "" for cell in row]
            out.append("│" + "│".join(f" {t:<{w}} " for t, w in zip(lines, widths)) + "│")
    return "\n".join([*out, ruled("╘", "═", "╧", "╛")])
