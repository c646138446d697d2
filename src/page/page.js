"use strict";
document.querySelectorAll("table.sortable").forEach(function (table) {
  var bodies = Array.from(table.tBodies).map(function (body) {
    return { body: body, rows: Array.from(body.querySelectorAll("tr:not(.group)")) };
  });
  var heads = Array.from(table.tHead.rows[0].cells);
  var words = new Intl.Collator("en", { numeric: true });
  function key(row, column, number) {
    var cell = row.cells[column];
    var text = number ? cell.dataset.value : cell.textContent.trim();
    return text === "" || text === undefined ? null : number ? Number(text) : text;
  }
  function sort(part, column, direction, number) {
    var rows = part.rows.map(function (row) { return { row: row, key: key(row, column, number) }; });
    rows.sort(function (a, b) {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      var order = number ? Math.sign(a.key === b.key ? 0 : a.key - b.key) : words.compare(a.key, b.key);
      return direction * order;
    });
    rows.forEach(function (entry) { part.body.appendChild(entry.row); });
  }
  heads.forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    while (head.firstChild) button.appendChild(head.firstChild);
    head.appendChild(button);
    button.addEventListener("click", function () {
      var before = head.getAttribute("aria-sort"), number = head.classList.contains("n");
      var after = before === "ascending" ? "descending" : before === "descending" ? null : "ascending";
      heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
      if (after === null) {
        bodies.forEach(function (part) {
          part.rows.forEach(function (row) { part.body.appendChild(row); });
        });
        return;
      }
      head.setAttribute("aria-sort", after);
      bodies.forEach(function (part) { sort(part, column, after === "ascending" ? 1 : -1, number); });
    });
  });
});
