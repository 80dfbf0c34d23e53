import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** The texts of the page by language. Browsers in other languages show English. */
const TEXTS = {
  en: {
    title: 'Withdraw your recording',
    explanation:
      'Everything you said or wrote will be erased: audio, transcript, summary, and quotations in reports. This can’t be undone.',
    button: 'Withdraw now',
    withdrawn: 'Your recording has been withdrawn. Everything is being erased.',
    invalidLink: 'This link is not valid, or the recording has already been withdrawn.',
    failed: 'Something went wrong. Please try again.',
  },
  de: {
    title: 'Aufnahme zurückziehen',
    explanation:
      'Alles, was Sie gesagt oder geschrieben haben, wird gelöscht: Ton, Transkript, Zusammenfassung und Zitate in Berichten. Das lässt sich nicht rückgängig machen.',
    button: 'Jetzt zurückziehen',
    withdrawn: 'Ihre Aufnahme ist zurückgezogen. Alles wird gelöscht.',
    invalidLink: 'Dieser Link ist ungültig, oder die Aufnahme wurde bereits zurückgezogen.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  },
  nl: {
    title: 'Opname intrekken',
    explanation:
      'Alles wat u hebt gezegd of geschreven, wordt gewist: geluid, transcript, samenvatting en citaten in rapporten. Dit kan niet ongedaan worden gemaakt.',
    button: 'Nu intrekken',
    withdrawn: 'Uw opname is ingetrokken. Alles wordt gewist.',
    invalidLink: 'Deze link is ongeldig, of de opname is al ingetrokken.',
    failed: 'Er is iets misgegaan. Probeer het opnieuw.',
  },
  fr: {
    title: 'Retirer votre enregistrement',
    explanation:
      'Tout ce que vous avez dit ou écrit sera effacé : audio, transcription, résumé et citations dans les rapports. Cette action est irréversible.',
    button: 'Retirer maintenant',
    withdrawn: 'Votre enregistrement a été retiré. Tout est en cours d’effacement.',
    invalidLink: 'Ce lien n’est pas valide, ou l’enregistrement a déjà été retiré.',
    failed: 'Une erreur s’est produite. Veuillez réessayer.',
  },
  es: {
    title: 'Retirar su grabación',
    explanation:
      'Todo lo que dijo o escribió se borrará: audio, transcripción, resumen y citas en los informes. Esta acción no se puede deshacer.',
    button: 'Retirar ahora',
    withdrawn: 'Su grabación se ha retirado. Todo se está borrando.',
    invalidLink: 'Este enlace no es válido o la grabación ya se ha retirado.',
    failed: 'Se ha producido un error. Inténtelo de nuevo.',
  },
  it: {
    title: 'Ritirare la registrazione',
    explanation:
      'Tutto ciò che ha detto o scritto verrà cancellato: audio, trascrizione, riassunto e citazioni nei rapporti. L’operazione non può essere annullata.',
    button: 'Ritira ora',
    withdrawn: 'La sua registrazione è stata ritirata. Tutto viene cancellato.',
    invalidLink: 'Questo link non è valido oppure la registrazione è già stata ritirata.',
    failed: 'Si è verificato un errore. Riprovi.',
  },
}

const STYLE = `
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100svh; display: grid; place-items: center }
main { max-width: 32rem; padding: 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }
button { font: inherit; font-weight: 600; padding: .8rem 1.4rem; border: 0; border-radius: .5rem; background: #b3261e; color: #fff; cursor: pointer }
button:disabled { opacity: .5; cursor: default }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`

/** The link has the token after its #, which browsers do not send: the script sends it as a header, so no access log has it. */
const SCRIPT = `
const texts = ${JSON.stringify(TEXTS)}
const language = Object.keys(texts).find((code) => navigator.language.toLowerCase().startsWith(code)) ?? 'en'
const { title, explanation, button: label, withdrawn, invalidLink, failed } = texts[language]
const setText = (id, text) => { document.getElementById(id).textContent = text }
document.documentElement.lang = language
document.title = title
setText('title', title); setText('text', explanation); setText('withdraw', label)
const button = document.getElementById('withdraw')
button.addEventListener('click', async () => {
  button.disabled = true
  const id = location.pathname.split('/').pop()
  const headers = { 'x-participant-token': location.hash.slice(1) }
  const response = await fetch('/api/participant/conversations/' + id, { method: 'DELETE', headers }).catch(() => null)
  const outcome = { 204: withdrawn, 403: invalidLink, 404: invalidLink }[response?.status]
  setText('text', outcome ?? failed)
  button.hidden = outcome !== undefined
  button.disabled = false
})
`

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${TEXTS.en.title}</title><style>${STYLE}</style></head>
<body><main><h1 id="title">${TEXTS.en.title}</h1><p id="text" role="status">${TEXTS.en.explanation}</p>
<button id="withdraw" type="button">${TEXTS.en.button}</button><noscript><p>Please turn on JavaScript to withdraw your recording.</p></noscript></main>
<script>${SCRIPT}</script></body></html>
`

const cspHash = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** The page of `withdraw_url`. Opening it erases nothing, because mail scanners open links too; the button does. */
export function registerWithdrawPage(app: FastifyInstance): void {
  app.get('/withdraw/:cid', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          `default-src 'none'; style-src ${cspHash(STYLE)}; script-src ${cspHash(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'`,
        )
        .send(PAGE),
  })
}
