#include "common/report/html/html.hpp"

#include <fmt/format.h>

#include <sstream>

#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

using svg::escaped;

/// Colours have a contrast of at least 4.5 on light and dark pages; no meaning depends on colour alone.
constexpr const char* style = R"(
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--faint:#57606a;--edge:#d0d7de;--field:#f6f8fa;--mark:#fff3c4;--bar:#b35900}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#161b22;--faint:#9da7b3;--edge:#3d444d;--field:#21262d;--mark:#3d3114;--bar:#ffb454}}
@media print{:root{--ink:#000;--paper:#fff;--faint:#444;--edge:#999;--field:#fff;--mark:#eee;--bar:#000}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:0 1rem 3rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,"DejaVu Sans",Arial,sans-serif;overflow-wrap:break-word}
h1{font-size:1.4rem;line-height:1.25;margin:1.2rem 0 .6rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--edge);padding-bottom:.2rem}
p{margin:.5rem 0}.note{color:var(--faint);font-size:.875rem}
dl{margin:.5rem 0;display:grid;grid-template-columns:minmax(6rem,max-content) minmax(0,1fr);gap:.15rem .9rem}
dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;min-width:60%}
caption,figcaption{text-align:left;color:var(--faint);font-size:.875rem;padding:.3rem 0}
caption{position:sticky;left:0;max-width:calc(100vw - 2rem)}
th,td{padding:.25rem .6rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--edge)}
th.right,td.right{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.code{border:1px solid var(--edge);border-radius:6px;background:var(--field);font:.8125rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace}
.code ol{list-style:none;margin:0;padding:.4rem 0}
.code li{padding:0 .6rem 0 4.2em;text-indent:-4.2em;border-left:4px solid transparent;white-space:pre-wrap;overflow-wrap:anywhere}
.code .n{display:inline-block;width:3.2em;text-align:right;text-indent:0;margin-right:1em;color:var(--faint)}
.code .marked{background:var(--mark);border-left-color:var(--bar)}
.code .remark{white-space:normal;display:block;max-width:40rem;padding:0 0 .3rem;text-indent:0;font-family:system-ui,"DejaVu Sans",Arial,sans-serif}
figure{margin:1rem 0}
pre{margin:0;padding:.4rem .6rem;border:1px solid var(--edge);border-radius:6px;background:var(--field);font:.8125rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere}
a{color:inherit;white-space:nowrap}
figure svg{display:block;border:1px solid var(--edge);border-radius:6px}
.answer{margin:.4rem 0}.answer p{margin:0}.answer div{height:1.6rem;border-bottom:1px solid var(--edge)}
@page{margin:15mm}
@media print{body{max-width:none;padding:0;font-size:10pt}h1.part{break-before:page}h1:has(+h1.part){display:none}.together{break-inside:avoid}.together>:last-child{break-after:auto}h2,.answer,.answer p{break-after:avoid}.answer,.code li{break-inside:avoid}.wide{overflow:visible}.code{font-size:7.5pt}.code .remark{max-width:none}}
)";

}  // namespace

HtmlPage& HtmlPage::heading(const std::string& text) {
  body_ += fmt::format("<h2>{}</h2>\n", escaped(text));
  return *this;
}

HtmlPage& HtmlPage::part(const std::string& text) {
  body_ += fmt::format("<h1 class=\"part\">{}</h1>\n", escaped(text));
  return *this;
}

HtmlPage& HtmlPage::together() {
  body_ += "<section class=\"together\">\n";
  return *this;
}

HtmlPage& HtmlPage::end() {
  body_ += "</section>\n";
  return *this;
}

HtmlPage& HtmlPage::answer(const std::string& asked, int lines) {
  body_ += fmt::format("<div class=\"answer\"><p>{}</p>", escaped(asked));
  for (int i = 0; i < lines; ++i) body_ += "<div></div>";
  body_ += "</div>\n";
  return *this;
}

HtmlPage& HtmlPage::paragraph(const std::string& text) {
  body_ += fmt::format("<p>{}</p>\n", escaped(text));
  return *this;
}

HtmlPage& HtmlPage::note(const std::string& text) {
  body_ += fmt::format("<p class=\"note\">{}</p>\n", escaped(text));
  return *this;
}

HtmlPage& HtmlPage::facts(const std::vector<std::pair<std::string, std::string>>& pairs) {
  body_ += "<dl>\n";
  for (const auto& [word, said] : pairs)
    if (!said.empty()) body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(word), escaped(said));
  body_ += "</dl>\n";
  return *this;
}

HtmlPage& HtmlPage::table(const std::string& caption, const std::vector<Column>& columns,
                          const std::vector<std::vector<std::string>>& rows,
                          const std::vector<std::string>& pages) {
  const auto kind = [&](std::size_t i) {
    return i < columns.size() && columns[i].right ? " class=\"right\"" : "";
  };
  // A scrollable element must be reachable by the keyboard.
  body_ += fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{0}\"><table><caption>{0}</caption>\n<tr>",
      escaped(caption));
  for (std::size_t i = 0; i < columns.size(); ++i)
    body_ += fmt::format("<th scope=\"col\"{}>{}</th>", kind(i), escaped(columns[i].title));
  body_ += "</tr>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& row = rows[r];
    body_ += "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string cell = i < row.size() ? escaped(row[i]) : "";
      if (i == 0 && r < pages.size() && !pages[r].empty())
        cell = fmt::format("<a href=\"{}\">{}</a>", escaped(pages[r]), cell);
      body_ += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", kind(i), cell)
                      : fmt::format("<td{}>{}</td>", kind(i), cell);
    }
    body_ += "</tr>\n";
  }
  body_ += "</table></div>\n";
  return *this;
}

HtmlPage& HtmlPage::listing(const std::string& caption, const std::vector<SourceRow>& rows) {
  body_ += fmt::format(
      "<figure><figcaption>{}</figcaption><div class=\"code\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\"><ol>\n",
      escaped(caption), escaped(caption));
  for (const SourceRow& row : rows) {
    body_ += fmt::format("<li{}><span class=\"n\">{}{}</span>{}", row.marked ? " class=\"marked\"" : "",
                         row.marked ? "▸ " : "", row.number > 0 ? std::to_string(row.number) : "",
                         escaped(row.text));
    std::istringstream remarks(row.remark);
    for (std::string line; std::getline(remarks, line);)
      body_ += fmt::format("<span class=\"remark\">{}</span>", escaped(line));
    body_ += "</li>\n";
  }
  body_ += "</ol></div></figure>\n";
  return *this;
}

HtmlPage& HtmlPage::verbatim(const std::string& caption, const std::string& text) {
  body_ += fmt::format("<figure><figcaption>{}</figcaption><pre>{}</pre></figure>\n", escaped(caption),
                       escaped(text));
  return *this;
}

HtmlPage& HtmlPage::figure(const std::string& svg) {
  if (svg.empty()) return *this;
  body_ += "<figure>" + svg::with_own_ids(svg, ++figures_) + "</figure>\n";
  return *this;
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}</main>\n</body>\n</html>\n",
      escaped(title_), style, body_);
}

}  // namespace ladder::report
