import { createHash } from 'node:crypto'

/** Uses logical properties (inline-start, not left), so that one style sheet works for both directions. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5a6472;--line:#d5dae1;--paper:#fff;--accent:#1f5673;--tint:#f3f6f9}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#a3adba;--line:#39424f;--paper:#14181e;--accent:#8cc4e0;--tint:#1c222b}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:1.0625rem/1.65 Charter,"Bitstream Charter","Sitka Text",Cambria,"Noto Serif",serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{max-width:42rem;margin:0 auto;padding:3.5rem 1.25rem 5rem;overflow-wrap:anywhere}
h1,h2,.project,.facts,.notice,.voices,nav,.marks,footer,.conversations,.erased{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif}
h1{font-size:2.25rem;line-height:1.2;letter-spacing:-.01em;margin:.35rem 0 1rem;text-wrap:balance}
h2{font-size:1.4rem;line-height:1.3;margin:3.25rem 0 .9rem;text-wrap:balance;scroll-margin-top:1rem}
p{margin:0 0 1em}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}
.project{color:var(--accent);font-size:.95rem;font-weight:600;margin:0}
.facts{color:var(--soft);font-size:.95rem;margin:0 0 1.75rem}
.facts+.facts{margin-top:-1.25rem}
.notice{background:var(--tint);border-inline-start:3px solid var(--accent);color:var(--soft);font-size:.875rem;line-height:1.55;margin:0 0 2.25rem;padding:.75rem 1rem}
nav{border-block:1px solid var(--line);font-size:.95rem;margin:0 0 2.5rem;padding:1.1rem 0}
nav h2{color:var(--soft);font-size:.875rem;margin:0 0 .4rem}
nav ol{column-gap:1rem;display:grid;grid-template-columns:fit-content(50%) minmax(6rem,1fr) max-content;list-style:none;margin:0;padding:0}
nav li{align-items:center;display:grid;grid-column:1/-1;grid-template-columns:subgrid;padding:.3rem 0}
nav a{text-decoration:none}
nav span{color:var(--soft);font-size:.85rem;font-variant-numeric:tabular-nums}
meter{appearance:none;background:var(--line);block-size:.55rem;border:0;border-radius:.3rem;display:block;inline-size:100%;overflow:hidden}
meter::-webkit-meter-inner-element{block-size:100%}
meter::-webkit-meter-bar{background:var(--line);block-size:100%;border:0;border-radius:.3rem;grid-row:1/-1}
meter::-webkit-meter-optimum-value{background:var(--accent);border-radius:.3rem;min-block-size:.55rem}
meter::-moz-meter-bar{background:var(--accent);border-radius:.3rem}
@media (max-width:34rem){nav ol{grid-template-columns:minmax(0,1fr) max-content}nav a{grid-column:1/-1}}
.voices{color:var(--soft);font-size:.9rem;margin:-.5rem 0 1rem}
:target{background:var(--tint);outline:.4rem solid var(--tint)}
nav a:hover,nav a:focus{text-decoration:underline}
.lead{font-size:1.15rem;line-height:1.6}
.marks{color:var(--soft);font-size:.72em;white-space:nowrap}
.marks a{text-decoration:none}
.marks a:hover,.marks a:focus{text-decoration:underline}
figure{border-inline-start:2px solid var(--line);margin:1.6rem 0;padding-inline-start:1.1rem}
blockquote{font-style:italic;margin:0}
figcaption{color:var(--soft);font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;font-size:.85rem;margin-top:.3rem;text-align:match-parent}
.erased{color:var(--soft);font-size:.9rem}
.conversations{font-size:.95rem;list-style-position:outside;margin:0;padding-inline-start:2.2em}
.conversations li{margin:0 0 .55rem;scroll-margin-top:1rem}
.conversations li::marker{color:var(--soft);font-variant-numeric:tabular-nums}
.conversations span{color:var(--soft)}
@media print{
@page{size:A4;margin:22mm 20mm 24mm}
:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--accent:#1f5673;--tint:#fff}
html{font-size:10.5pt}body{max-width:none;padding:0}
h1,h2,nav h2{break-after:avoid}figure,li,.notice{break-inside:avoid}p,blockquote{orphans:2;widows:2}
a{text-decoration:none}.download{display:none}
}
`

/** For the page and for the response that serves it: no scripts, no loading, only this style sheet. */
export const HTML_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
