/* How pages look and how their tables are sorted. Neither holds < or &, so that pages stay well-formed XML. */
#include "report/parts.h"

/* The colours of series were searched for: they start from those of Okabe and Ito, and have three to one at least
 * against the page and a distance of 23 at least (CIE 1976) from each other, also as people see them who lack the cones
 * for red or for green (Machado, Oliveira and Fernandes, 2009). */
const char *const ent_page_style[] = {
    ":root{color-scheme:light dark;--page:#fdfdfb;--ink:#1d2329;--soft:#59636d;--line:#d9dcdf;--axis:#8a939b;"
    "--best:#e3efe6;--link:#0b5c99;",
    "--s0:#4374ca;--s1:#ad3800;--s2:#0ea374;--s3:#82176b;--s4:#c68700;--s5:#453732;--s6:#4529b3;--s7:#099ab5}",
    "@media "
    "(prefers-color-scheme:dark){:root{--page:#15181b;--ink:#e4e7e9;--soft:#a0a9b1;--line:#33393f;--axis:#79828a;"
    "--best:#1f3a2a;--link:#7cc0f2;",
    "--s0:#5e8bd3;--s1:#d76016;--s2:#54b96d;--s3:#d280a4;--s4:#dfdc44;--s5:#f0e7cf;--s6:#806ffd;--s7:#4ae5ff}}",
    "*{box-sizing:border-box}",
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}",
    "body{margin:0;background:var(--page);color:var(--ink);font:1.0625rem/1.6 Charter,\"Bitstream Charter\","
    "\"Iowan Old Style\",\"Palatino Linotype\",\"URW Palladio L\",P052,Georgia,serif;overflow-wrap:break-word}",
    "main{max-width:58rem;margin:0 auto;padding:3rem 1.5rem 2rem}",
    "h1,h2{line-height:1.25;font-weight:600;text-wrap:balance}",
    "h1{font-size:2rem;margin:0 0 .75rem}",
    "h2{font-size:1.35rem;margin:3rem 0 .75rem}",
    "p{max-width:42rem;margin:.75rem 0}",
    ".lead{font-size:1.1875rem;color:var(--soft);margin-bottom:1.75rem}",
    ".facts,figure,footer,.note{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\","
    "\"Noto Sans\",Arial,sans-serif}",
    ".facts{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1.5rem 0;padding:1rem 0;border:solid var(--line);"
    "border-width:1px 0}",
    ".facts dt{font-size:.8125rem;color:var(--soft)}",
    ".facts dd{margin:0;font-size:1.125rem;font-variant-numeric:tabular-nums}",
    "figure{margin:1.75rem 0 2.25rem;max-width:46rem;break-inside:avoid}",
    "figcaption{max-width:46rem;font-size:.9375rem;line-height:1.45;margin-bottom:.75rem}",
    ".label{font-weight:600}",
    ".panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:0 2rem}",
    ".panels figure{min-width:0;max-width:28rem;margin:1.25rem 0}",
    ".plot{display:block;width:100%;height:auto;font-variant-numeric:tabular-nums}",
    ".plot text{fill:var(--soft);font-size:12px}",
    ".wide text{font-size:13px}",
    ".plot .p{font-size:75%}",
    ".y text{text-anchor:end}",
    ".x text{text-anchor:middle}",
    ".narrow{display:none}",
    "@media (max-width:38rem){.wide{display:none}.narrow{display:block}}",
    "figure .yt,figure .xt{max-width:none;margin:0;font-size:.8125rem;line-height:1.4;color:var(--soft)}",
    "figure .xt{text-align:center}",
    ".g{stroke:var(--line)}",
    ".a,.k{stroke:var(--axis)}",
    ".s{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}",
    ".s0{color:var(--s0)}.s1{color:var(--s1)}.s2{color:var(--s2)}.s3{color:var(--s3)}"
    ".s4{color:var(--s4)}.s5{color:var(--s5)}.s6{color:var(--s6)}.s7{color:var(--s7)}",
    ".l{stroke-width:1.9}",
    ".d .l{stroke-dasharray:5 5}",
    ".e{stroke-width:1.3;opacity:.8}",
    ".b{fill:currentColor;stroke:none;opacity:.16}",
    ".m{fill:currentColor;fill-rule:evenodd;stroke:var(--page);stroke-width:1.6;paint-order:stroke}",
    ".h{fill:transparent;stroke:none}",
    ".legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:.75rem 0 0;padding:0;"
    "font-size:.875rem;line-height:1.5}",
    ".legend li{display:flex;align-items:center;gap:.5rem;min-width:0}",
    ".legend svg{flex:none;width:30px;height:12px}",
    ".note{font-size:.8125rem;line-height:1.5;color:var(--soft);margin:.625rem 0}",
    "figure.table{max-width:none}",
    /* Shadows at the ends behind which there is more: a cover that moves with the table over one that does not. */
    ".scroll{overflow-x:auto;max-width:100%;background:"
    "linear-gradient(to left,var(--page) 40%,transparent) right/2.5rem 100% no-repeat local,"
    "linear-gradient(to left,var(--line),transparent) right/1rem 100% no-repeat scroll}",
    ".sortable th:first-child{position:sticky;left:0;background:var(--page)}",
    "table{border-collapse:collapse;font-size:.9375rem;line-height:1.4;font-variant-numeric:tabular-nums}",
    "th,td{padding:.4375rem .875rem;text-align:left;vertical-align:baseline;font-weight:400}",
    "th:first-child,td:first-child{padding-left:.25rem}",
    ".sortable thead th{font-weight:600;border-bottom:1.5px solid var(--axis);vertical-align:bottom}",
    ".sortable tbody tr{border-bottom:1px solid var(--line)}",
    ".sortable td,.sortable th{white-space:nowrap}",
    ".n,thead .n button{text-align:right}",
    ".best{background:var(--best);font-weight:600}",
    ".pm{color:var(--soft);font-weight:400}",
    "thead button{all:unset;box-sizing:border-box;cursor:pointer;width:100%;border-radius:2px}",
    "thead button:hover{color:var(--link)}",
    "button:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}",
    /* Beside numbers the arrow stands before the title, so that titles and numbers end alike. */
    "thead :not(.n) button::after,.n button::before{content:\"\\2195\";display:inline-block;width:1.25em;"
    "text-align:center;color:var(--axis);font-weight:400}",
    "thead [aria-sort=ascending] button::after,[aria-sort=ascending].n button::before{content:\"\\2191\";"
    "color:var(--ink)}",
    "thead [aria-sort=descending] button::after,[aria-sort=descending].n button::before{content:\"\\2193\";"
    "color:var(--ink)}",
    "thead .n button::after{content:none}",
    ".bars{width:100%}",
    ".bars th,.bars td{padding:.25rem .75rem .25rem 0;vertical-align:middle}",
    ".bars thead th{font-size:.8125rem;color:var(--soft)}",
    ".bars tbody th{width:32%;line-height:1.3;overflow-wrap:anywhere}",
    ".bars td{white-space:nowrap;text-align:right;width:1%;padding-right:0}",
    ".bars .bar{width:auto;padding-right:.75rem}",
    ".bar svg{display:block;width:100%;min-width:6rem;height:1rem}",
    ".bar rect{fill:currentColor;stroke:none;opacity:.85}",
    ".bar line{vector-effect:non-scaling-stroke}",
    ".w{stroke:var(--ink);stroke-width:1.5}",
    ".z{stroke:var(--axis)}",
    "footer{margin-top:3.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.8125rem;color:var(--soft)}",
    "@media (max-width:38rem){main{padding:1.75rem 1rem 1.5rem}h1{font-size:1.625rem}h2{font-size:1.25rem;"
    "margin-top:2.25rem}.lead{font-size:1.125rem}th,td{padding:.4375rem .625rem}.bars tbody th{width:36%}}",
    "@media print{:root{--page:#fff;--ink:#000;--soft:#444;--line:#ccc;--axis:#777;--best:#eee;"
    "--s0:#4374ca;--s1:#ad3800;--s2:#0ea374;--s3:#82176b;--s4:#c68700;--s5:#453732;--s6:#4529b3;--s7:#099ab5}",
    "body{font-size:10.5pt}main{max-width:none;padding:0}.scroll{overflow:visible}thead button::before,thead "
    "button::after{content:none}"
    "h2,figcaption{break-after:avoid}tr,.panels figure{break-inside:avoid}}",
    NULL,
};

/* Without it the tables are tables all the same. A click sorts upwards, the next downwards, the third restores what was;
 * what is empty comes last. */
const char *const ent_page_script[] = {
    "\"use strict\";",
    "document.querySelectorAll(\"table.sortable\").forEach(function (table) {",
    "  var body = table.tBodies[0], original = Array.from(body.rows);",
    "  var heads = Array.from(table.tHead.rows[0].cells);",
    "  var words = new Intl.Collator(\"en\", { numeric: true });",
    "  function key(row, column, number) {",
    "    var cell = row.cells[column];",
    "    var text = number ? cell.dataset.value : cell.textContent.trim();",
    "    return text === \"\" || text === undefined ? null : number ? Number(text) : text;",
    "  }",
    "  function sort(column, direction, number) {",
    "    var rows = original.map(function (row) { return { row: row, key: key(row, column, number) }; });",
    "    rows.sort(function (a, b) {",
    "      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);",
    "      var order = number ? Math.sign(a.key === b.key ? 0 : a.key - b.key) : words.compare(a.key, b.key);",
    "      return direction * order;",
    "    });",
    "    rows.forEach(function (entry) { body.appendChild(entry.row); });",
    "  }",
    "  heads.forEach(function (head, column) {",
    "    var button = document.createElement(\"button\");",
    "    button.type = \"button\";",
    "    while (head.firstChild) button.appendChild(head.firstChild);",
    "    head.appendChild(button);",
    "    button.addEventListener(\"click\", function () {",
    "      var before = head.getAttribute(\"aria-sort\"), number = head.classList.contains(\"n\");",
    "      var after = before === \"ascending\" ? \"descending\" : before === \"descending\" ? null : \"ascending\";",
    "      heads.forEach(function (other) { other.removeAttribute(\"aria-sort\"); });",
    "      if (after === null) {",
    "        original.forEach(function (row) { body.appendChild(row); });",
    "        return;",
    "      }",
    "      head.setAttribute(\"aria-sort\", after);",
    "      sort(column, after === \"ascending\" ? 1 : -1, number);",
    "    });",
    "  });",
    "});",
    NULL,
};
