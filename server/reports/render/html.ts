import { HTML_POLICY, STYLE } from './html-style.ts'
import { Html, html } from './markup.ts'
import {
  CONVERSATIONS_ANCHOR,
  type Mark,
  type PreparedParagraph,
  type PreparedQuotation,
  type PreparedReport,
  type PreparedSection,
  prepare,
} from './prepare.ts'
import type { ReportDocument } from './report-document.ts'
import type { Words } from './words.ts'

/**
 * The report as one page that needs nothing else: no script, no font, no picture.
 * Texts of people carry `dir="auto"`, which sets each one's direction by its own letters and isolates it from its neighbours.
 */
export function renderHtml(document: ReportDocument): string {
  const report = prepare(document)
  const { words, title } = report
  return html`<!doctype html>
<html lang="${words.language}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${HTML_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${opening(report)}
<main>
${report.introduction.map((text) => html`<p class="lead" dir="auto">${text}</p>\n`)}
${report.sections.map((section) => sectionOf(section, words))}
${report.conversations.length > 0 ? conversationsOf(report) : ''}
</main>
</body>
</html>
`.source
}

function opening(report: PreparedReport): Html {
  const { words, project, title, facts, leftOut, notice } = report
  return html`<header>
<p class="project" dir="auto">${project}</p>
<h1 dir="auto">${title}</h1>
<p class="facts"${fixed(words)}>${facts}</p>
${leftOut === null ? '' : html`<p class="facts"${fixed(words)}>${leftOut}</p>\n`}
${notice === null ? '' : html`<p class="notice" role="note"${fixed(words)}>${notice}</p>\n`}
</header>
${report.sections.length + report.conversations.length > 0 ? contentsOf(report) : ''}`
}

function contentsOf({ words, sections, conversations }: PreparedReport): Html {
  return html`<nav aria-labelledby="contents">
<h2 id="contents"${fixed(words)}>${words.contents}</h2>
<ol>
${sections.map(({ anchor, heading }) => html`<li><a href="#${anchor}" dir="auto">${heading}</a></li>\n`)}
${conversations.length > 0 ? html`<li><a href="#${CONVERSATIONS_ANCHOR}"${fixed(words)}>${words.conversations}</a></li>` : ''}
</ol>
</nav>`
}

const sectionOf = ({ anchor, heading, paragraphs, quotations }: PreparedSection, words: Words): Html =>
  html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}" dir="auto">${heading}</h2>
${paragraphs.map((one) => ('erased' in one ? erased(words) : paragraphOf(one)))}
${quotations.map((one) => ('erased' in one ? erased(words) : quotationOf(one, words)))}
</section>
`

const paragraphOf = ({ text, marks }: PreparedParagraph): Html =>
  html`<p dir="auto">${text}${marks.map((mark) => html` ${markOf(mark)}`)}</p>\n`

const markOf = ({ label, description, href }: Mark): Html =>
  html`<bdi class="marks">[${
    href === null ? label : html`<a href="${href}" aria-label="${description}" rel="noopener">${label}</a>`
  }]</bdi>`

const quotationOf = ({ text, attribution, href }: PreparedQuotation, words: Words): Html =>
  html`<figure dir="auto">
<blockquote${href === null ? '' : html` cite="${href}"`}>${text}</blockquote>
<figcaption dir="${words.direction}">${words.dash} ${linked(isolated(attribution), href)}</figcaption>
</figure>
`

const erased = (words: Words): Html => html`<p class="erased"${fixed(words)}>[${words.erased}]</p>\n`

function conversationsOf({ words, conversations }: PreparedReport): Html {
  return html`<section aria-labelledby="${CONVERSATIONS_ANCHOR}">
<h2 id="${CONVERSATIONS_ANCHOR}"${fixed(words)}>${words.conversations}</h2>
<ol class="conversations">
${conversations.map(
  ({ anchor, title, facts, href }) =>
    html`<li id="${anchor}">${linked(isolated([title]), href)}<span>${facts.map((fact) => html`, <bdi>${fact}</bdi>`)}</span></li>\n`,
)}
</ol>
</section>`
}

/** Each in its own direction, without moving the others. */
const isolated = (texts: readonly string[]): Html =>
  html`${texts.map((text, at) => html`${at > 0 ? ', ' : ''}<bdi>${text}</bdi>`)}`

const linked = (content: Html, href: string | null): Html =>
  href === null ? content : html`<a href="${href}" rel="noopener">${content}</a>`

/** Words that are ours, in English on a page of a language that has none here, say so to whoever reads aloud. */
const fixed = ({ spoken, language }: Words): Html =>
  spoken === language ? html`` : html` lang="${spoken}" dir="auto"`
