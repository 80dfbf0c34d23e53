import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** The texts of the page, in the browser's language; English for other languages. */
const WORDS = {
  en: [
    'Withdraw your recording',
    'Everything you said or wrote will be erased: audio, transcript, summary, and quotations in reports. This can’t be undone.',
    'Withdraw now',
    'Your recording has been withdrawn. Everything is being erased.',
    'This link is not valid, or the recording has already been withdrawn.',
    'Something went wrong. Please try again.',
  ],
  de: [
    'Aufnahme zurückziehen',
    'Alles, was Sie gesagt oder geschrieben haben, wird gelöscht: Ton, Text, Zusammenfassung und Zitate in Berichten. Das lässt sich nicht rückgängig machen.',
    'Jetzt zurückziehen',
    'Die Aufnahme ist zurückgezogen. Alles wird gelöscht.',
    'Dieser Link ist nicht gültig, oder die Aufnahme wurde schon zurückgezogen.',
    'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  ],
  nl: [
    'Opname intrekken',
    'Alles wat u hebt gezegd of geschreven wordt gewist: geluid, tekst, samenvatting en citaten in rapporten. Dit kan niet ongedaan worden gemaakt.',
    'Nu intrekken',
    'De opname is ingetrokken. Alles wordt gewist.',
    'Deze link is niet geldig, of de opname is al ingetrokken.',
    'Het is niet gelukt. Probeer het nog eens.',
  ],
  fr: [
    'Retirer votre enregistrement',
    'Tout ce que vous avez dit ou écrit est effacé : audio, texte, résumé et citations dans les rapports. C’est irréversible.',
    'Retirer maintenant',
    'L’enregistrement est retiré. Tout est en cours d’effacement.',
    'Ce lien n’est pas valable, ou l’enregistrement a déjà été retiré.',
    'Cela n’a pas fonctionné. Veuillez réessayer.',
  ],
  es: [
    'Retirar su grabación',
    'Todo lo que dijo o escribió se borra: audio, texto, resumen y citas en los informes. No se puede deshacer.',
    'Retirar ahora',
    'La grabación se ha retirado. Todo se está borrando.',
    'Este enlace no es válido o la grabación ya se retiró.',
    'No ha funcionado. Inténtelo de nuevo.',
  ],
  it: [
    'Ritirare la registrazione',
    'Tutto ciò che ha detto o scritto viene cancellato: audio, testo, riassunto e citazioni nei rapporti. Non si può annullare.',
    'Ritira ora',
    'La registrazione è stata ritirata. Tutto viene cancellato.',
    'Questo link non è valido, oppure la registrazione è già stata ritirata.',
    'Non ha funzionato. Riprovi.',
  ],
}

const STYLE = `
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { max-width: 32rem; padding: 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }
button { font: inherit; font-weight: 600; padding: .8rem 1.4rem; border: 0; border-radius: .5rem; background: #b3261e; color: #fff; cursor: pointer }
button:disabled { opacity: .5; cursor: default }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`

/** The token is after the # of the link: the page sends it in a header when the participant clicks, and no log contains it. */
const SCRIPT = `
const words = ${JSON.stringify(WORDS)}
const language = Object.keys(words).find((one) => navigator.language.toLowerCase().startsWith(one)) ?? 'en'
const [title, text, label, done, unknown, failed] = words[language]
const say = (id, words) => { document.getElementById(id).textContent = words }
document.documentElement.lang = language
document.title = title
say('title', title); say('text', text); say('withdraw', label)
const button = document.getElementById('withdraw')
button.addEventListener('click', async () => {
  button.disabled = true
  const id = location.pathname.split('/').pop()
  const headers = { 'x-participant-token': location.hash.slice(1) }
  const answer = await fetch('/api/participant/conversations/' + id, { method: 'DELETE', headers }).catch(() => null)
  const isGone = answer?.status === 204
  button.hidden = isGone
  button.disabled = isGone
  say('text', isGone ? done : answer && answer.status < 500 ? unknown : failed)
})
`

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${WORDS.en[0]}</title><style>${STYLE}</style></head>
<body><main><h1 id="title">${WORDS.en[0]}</h1><p id="text" role="status">${WORDS.en[1]}</p>
<button id="withdraw" type="button">${WORDS.en[2]}</button></main><script>${SCRIPT}</script></body></html>
`

const allowed = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** The page of `withdraw_url`. Opening it changes nothing, because mail scanners open links, too. */
export function registerWithdrawPage(app: FastifyInstance): void {
  app.get('/withdraw/:cid', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          `default-src 'none'; style-src ${allowed(STYLE)}; script-src ${allowed(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'`,
        )
        .send(PAGE),
  })
}
