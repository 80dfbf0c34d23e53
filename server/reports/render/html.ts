import { HTML_POLICY, STYLE } from './html-style.ts'
import type { Labels } from './labels.ts'
import { Html, html } from './markup.ts'
import {
  CONVERSATIONS_ANCHOR,
  type PreparedParagraph,
  type PreparedQuotation,
  type PreparedReport,
  type PreparedSection,
  prepare,
  SOURCES_ANCHOR,
  type Voices,
} from './prepare.ts'
import type { ReportDocument } from './report-document.ts'

/** One self-contained page without scripts, fonts or images. `dir="auto"` gives each user text the direction of its letters. */
export function renderHtml(document: ReportDocument, { pdfUrl }: { pdfUrl?: string } = {}): string {
  const report = prepare(document)
  const { labels, title } = report
  return html`<!doctype html>
<html lang="${labels.language}" dir="${labels.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${HTML_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${opening(report, pdfUrl)}
<main>
${report.notice === null ? '' : html`<p class="notice" role="note"${fixed(labels)}>${report.notice}</p>\n`}
${report.introduction.map((text) => html`<p class="lead" dir="auto">${text}</p>\n`)}
${report.sections.map((section) => sectionOf(section, labels))}
${report.sources.length > 0 ? sourcesOf(report) : ''}
${report.conversations.length > 0 ? conversationsOf(report) : ''}
</main>
</body>
</html>
`.source
}

function opening(report: PreparedReport, pdfUrl: string | undefined): Html {
  const { labels, project, title, facts, leftOut } = report
  // No line begins with a dot on a phone.
  const keptTogether = facts.replaceAll(' ·', '\u00a0·')
  return html`<header>
<p class="project" dir="auto">${project}</p>
<h1 dir="auto">${title}</h1>
<p class="facts"${fixed(labels)}>${keptTogether}</p>
${leftOut === null ? '' : html`<p class="facts"${fixed(labels)}>${leftOut}</p>\n`}
${pdfUrl === undefined ? '' : html`<p class="facts download"${fixed(labels)}><a href="${pdfUrl}">${labels.downloadPdf}</a></p>\n`}
</header>
${report.sections.length + report.conversations.length > 0 ? themesOf(report) : ''}`
}

/** The findings at a glance, which are also the table of contents. */
function themesOf({ labels, sections, conversations }: PreparedReport): Html {
  return html`<nav aria-labelledby="themes">
<h2 id="themes"${fixed(labels)}>${labels.themes}</h2>
<ol>
${sections.map(
  ({ anchor, heading, voices }) =>
    html`<li><a href="#${anchor}" dir="auto">${heading}</a>${voices === null ? '' : meterOf(voices, labels)}</li>\n`,
)}
${conversations.length > 0 ? html`<li><a href="#${CONVERSATIONS_ANCHOR}"${fixed(labels)}>${labels.conversations}</a></li>` : ''}
</ol>
</nav>`
}

const meterOf = ({ count, of, label }: Voices, labels: Labels): Html =>
  html`<meter min="0" max="${of}" value="${count}" aria-hidden="true"></meter><span${fixed(labels)}>${label}</span>`

const sectionOf = (
  { anchor, heading, voices, opening, quotations, context }: PreparedSection,
  labels: Labels,
): Html =>
  html`<section aria-labelledby="${anchor}">
<h2 id="${anchor}" dir="auto">${heading}</h2>
${voices === null ? '' : html`<p class="voices"${fixed(labels)}>${voices.text}</p>\n`}
${paragraphsOf(opening, labels)}
${quotations.map((one) => ('erased' in one ? erased(labels) : quotationOf(one, labels)))}
${paragraphsOf(context, labels)}
</section>
`

const paragraphsOf = (paragraphs: PreparedSection['opening'], labels: Labels): Html =>
  html`${paragraphs.map((one) => ('erased' in one ? erased(labels) : paragraphOf(one)))}`

const paragraphOf = ({ text, citations }: PreparedParagraph): Html => {
  const marks = citations.map(({ label, description, href }) => {
    const link = html`<a href="${href ?? ''}" aria-label="${description}" rel="noopener">${label}</a>`
    return html` <bdi class="marks">[${href === null ? label : link}]</bdi>`
  })
  return html`<p dir="auto">${text}${marks}</p>\n`
}

const quotationOf = ({ anchor, text, attribution, href }: PreparedQuotation, labels: Labels): Html =>
  html`<figure id="${anchor}" dir="auto">
<blockquote${href === null || href.startsWith('#') ? '' : html` cite="${href}"`}>${text}</blockquote>
<figcaption dir="${labels.direction}">${labels.dash} ${linked(isolated(attribution), href)}</figcaption>
</figure>
`

const erased = (labels: Labels): Html => html`<p class="erased"${fixed(labels)}>[${labels.erased}]</p>\n`

function conversationsOf({ labels, conversations }: PreparedReport): Html {
  return html`<section aria-labelledby="${CONVERSATIONS_ANCHOR}">
<h2 id="${CONVERSATIONS_ANCHOR}"${fixed(labels)}>${labels.conversations}</h2>
<ol class="conversations">
${conversations.map(
  ({ anchor, number, name, facts, href }) =>
    html`<li id="${anchor}" value="${number}">${linked(isolated([name]), href)}<span>${facts.map((fact) => html`, <bdi>${fact}</bdi>`)}</span></li>\n`,
)}
</ol>
</section>`
}

const sourcesOf = ({
  labels,
  sources,
}: PreparedReport): Html => html`<section aria-labelledby="${SOURCES_ANCHOR}">
<h2 id="${SOURCES_ANCHOR}"${fixed(labels)}>${labels.sources}</h2>
${sources.map((one) => quotationOf(one, labels))}
</section>
`

/** Each text keeps its own direction and does not reorder the others. */
const isolated = (texts: readonly string[]): Html =>
  html`${texts.map((text, at) => html`${at > 0 ? ', ' : ''}<bdi>${text}</bdi>`)}`

const linked = (content: Html, href: string | null): Html =>
  href === null ? content : html`<a href="${href}" rel="noopener">${content}</a>`

/** Tells screen readers that a fixed text is English on a page in a language without translation. */
const fixed = ({ labelLanguage, language }: Labels): Html =>
  labelLanguage === language ? html`` : html` lang="${labelLanguage}" dir="auto"`
