import { hash } from 'node:crypto'

/** The page by language. Browsers in other languages show English. */
const TEXTS: Record<string, { title: string; text: string }> = {
  en: {
    title: 'This link does not work',
    text: 'Please check the letters and digits, or ask the people who gave you the link for a new one.',
  },
  de: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Bitte prüfen Sie die Buchstaben und Ziffern, oder fragen Sie dort nach einem neuen Link, wo Sie ihn erhalten haben.',
  },
  nl: {
    title: 'Deze link werkt niet',
    text: 'Controleer de letters en cijfers, of vraag een nieuwe link aan degene van wie u hem hebt gekregen.',
  },
  fr: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Vérifiez les lettres et les chiffres, ou demandez un nouveau lien aux personnes qui vous l’ont donné.',
  },
  es: {
    title: 'Este enlace no funciona',
    text: 'Compruebe las letras y los números, o pida un enlace nuevo a quien se lo dio.',
  },
  it: {
    title: 'Questo link non funziona',
    text: 'Controlli le lettere e i numeri, oppure chieda un nuovo link a chi glielo ha dato.',
  },
}

const STYLE = `
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100svh; display: grid; place-items: center }
main { max-width: 32rem; padding: 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }
`

export const UNKNOWN_LINK_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`

/** Nothing of the request is repeated on the page. */
export function renderUnknownLink(acceptLanguage = ''): string {
  const wanted = acceptLanguage.split(',').map((entry) => entry.trim().slice(0, 2).toLowerCase())
  const language = wanted.find((code) => Object.hasOwn(TEXTS, code)) ?? 'en'
  const { title, text } = TEXTS[language] as (typeof TEXTS)[string]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`
}
