/** Trusted HTML made by the `html` tag. Everything else is text and gets escaped. */
export class Html {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Part = string | number | Html | readonly Part[]

/** html`<p>${text}</p>` escapes its values unless `html` made them. Attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(sourceOf)))

function sourceOf(part: Part): string {
  if (part instanceof Html) return part.source
  if (typeof part === 'object') return part.map(sourceOf).join('')
  return escapeMarkup(String(part))
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For HTML and XML, in text and in quoted attributes. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
