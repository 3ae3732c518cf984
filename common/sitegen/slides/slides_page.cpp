#include "common/sitegen/slides/slides_page.hpp"

#include <fmt/format.h>

#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

/// Letters grow with the screen; on paper a page is as wide as a projector's picture. Colours have a contrast
/// of at least 4.5.
constexpr const char* slide_style = R"(
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--faint:#57606a;--edge:#d0d7de;--field:#f6f8fa;--link:#10639f;--wide:90vw}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#161b22;--faint:#9da7b3;--edge:#3d444d;--field:#21262d;--link:#5db3f0}}
*{box-sizing:border-box}
html{font-size:clamp(16px,min(1.5vw,2.67vh),40px);scroll-snap-type:y proximity}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.35 system-ui,"DejaVu Sans",Arial,sans-serif;overflow-wrap:break-word}
section{min-height:100vh;padding:2.5vh 4vw;display:flex;flex-direction:column;justify-content:center;scroll-snap-align:start;border-bottom:1px solid var(--edge)}
section:focus{outline:none}
h1{font-size:2.1rem;line-height:1.15;margin:0 0 .6rem}
h2{font-size:1.6rem;line-height:1.15;margin:0 0 .4rem}
h3{font-size:1rem;margin:.7rem 0 .1rem;color:var(--faint)}
p{margin:.25rem 0}ul{margin:.25rem 0;padding-left:1.2rem}
.idea{font-size:1.15rem;margin-bottom:.6rem}
.bound,footer,small{color:var(--faint);font-size:.8rem}
.bound{margin-top:.8rem}
footer{margin-top:1rem;display:flex;justify-content:space-between;gap:1rem}
footer span{min-width:0}footer span:last-child{flex:none}
a{color:var(--link)}
sup{line-height:0}
code{font:.9em ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
figure{margin:0}
figure svg{display:block;width:100%;height:auto;max-height:64vh}
pre{margin:.3rem 0;padding:.4rem .6rem;border:1px solid var(--edge);border-radius:6px;background:var(--field);overflow-x:auto;font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:clamp(9px,calc(var(--wide)/(var(--columns)*.62)),1rem);line-height:1.25}
.halves{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem;align-items:center}
.rungs{columns:2 22rem;font-size:.85rem}.rungs li{break-inside:avoid;margin-bottom:.25rem}
@media (min-width:900px){.halves{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
@page{size:338mm 190mm;margin:10mm}
@media print{
:root{--ink:#000;--paper:#fff;--faint:#444;--edge:#999;--field:#fff;--link:#000;--wide:305mm}
html{font-size:14pt}
section{min-height:0;height:auto;padding:0;border:0;break-after:page;break-inside:avoid;display:block}
section:last-of-type{break-after:auto}
.halves{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
figure svg{max-height:110mm}pre{overflow:visible}
}
)";

/// Up and down scroll, as everywhere: a slide may be longer than a phone.
constexpr const char* slide_script = R"(
const slides = [...document.querySelectorAll("section")];
const current = () => slides.findLastIndex((slide) => slide.getBoundingClientRect().top < innerHeight / 2);
const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, Home: -slides.length, End: slides.length };
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in step)) return;
  if (event.target.closest("pre") && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  const next = slides[Math.min(Math.max(current() + step[event.key], 0), slides.length - 1)];
  location.replace("#" + next.id);
  next.focus({ preventScroll: true });
});
)";

}  // namespace

std::string slides_page(const std::string& title, const std::vector<Slide>& slides) {
  std::string body;
  std::size_t number = 0;
  for (const Slide& slide : slides)
    body += fmt::format(
        "<section id=\"{}\" tabindex=\"-1\">\n{}<footer><span>{}</span><span>{} / "
        "{}</span></footer>\n</section>\n",
        slide.id, slide.body, slide.links, ++number, slides.size());
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{}: slides</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n<script>{}</script>\n</body>\n</html>\n",
      svg::escaped(title), slide_style, body, slide_script);
}

}  // namespace ladder::report
