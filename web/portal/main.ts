import './ui/styles.css'
import { type Answers, type Project, RequestRejected, readProject } from './api.ts'
import { createApp } from './app.ts'
import { chooseLanguage, isRightToLeft, loadLanguage, type Translate } from './languages/languages.ts'
import { offerLeftBehind } from './left-behind.ts'
import { findLeftRecordings, offerLeftRecordings } from './left-recordings.ts'
import { keepForOffline } from './offline.ts'
import { openIndexedDb } from './outbox/indexed-db.ts'
import { createMemoryOutbox } from './outbox/memory.ts'
import { whileOpening } from './outbox/while-opening.ts'
import { type OverflowingOutbox, withOverflow } from './outbox/with-overflow.ts'
import { about } from './screens/about.ts'
import { closed } from './screens/closed.ts'
import { consent } from './screens/consent.ts'
import { kept } from './screens/kept.ts'
import { microphoneCheck } from './screens/microphone.ts'
import { showProblem } from './screens/problem.ts'
import { recording } from './screens/recording.ts'
import { resume } from './screens/resume.ts'
import { review } from './screens/review.ts'
import { sending } from './screens/sending.ts'
import { thanks } from './screens/thanks.ts'
import { typeText } from './screens/type-text.ts'
import { welcome } from './screens/welcome.ts'
import { startWithdrawal } from './screens/withdraw.ts'
import { applyAccent } from './ui/accent.ts'
import { refusedRecordings } from './ui/earlier-recordings.ts'
import { loadQrEncoder } from './ui/withdrawal-qr-code.ts'

const screens = {
  welcome,
  consent,
  about,
  microphone: microphoneCheck,
  text: typeText,
  recording,
  review,
  sending,
  kept,
  thanks,
  resume,
  closed,
}

const root = document.getElementById('app') as HTMLElement
const projectId = location.pathname.split('/')[2] ?? ''
const query = new URLSearchParams(location.search)

/** The name, e-mail address and tags that a link can contain: `?name=…&email=…&tag=…&tag=…`. Other tags than the project's are ignored. */
function prefilledAnswers({ tags }: Project): Answers {
  const [name, email] = [query.get('name')?.trim().slice(0, 200), query.get('email')?.trim().slice(0, 320)]
  const chosen = query.getAll('tag').filter((tag) => tags.includes(tag))
  return {
    ...(name && { participant_name: name }),
    ...(email && { participant_email: email }),
    ...(chosen.length > 0 && { tags: [...new Set(chosen)] }),
  }
}

/** The server writes the project into the page. Without it, as in a page that was saved for offline use, it is read. */
async function loadProject(): Promise<Project> {
  const inPage = document.getElementById('project')?.textContent
  const project = inPage ? (JSON.parse(inPage) as Project | null) : null
  return project?.id === projectId ? project : await readProject(projectId)
}

/** How long the first screen waits for what is left on the device. */
const STORAGE_MS = 2_500

const openOutbox = async (): Promise<OverflowingOutbox> =>
  withOverflow(await openIndexedDb().catch(() => createMemoryOutbox()))

async function showFailure(error: unknown, outbox: OverflowingOutbox): Promise<void> {
  const language = chooseLanguage(null, navigator.languages, query.get('lang'))
  const t = await loadLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
  if (!(error instanceof RequestRejected)) {
    addEventListener('online', () => location.reload())
    return showProblem(root, t, 'errorOffline', 'errorOfflineHelp')
  }
  showProblem(root, t, 'errorWrongLink', 'errorWrongLinkHelp')
  const { found, taken } = await findLeftRecordings(outbox, projectId)
  // The person in front of a shared device is not the one who recorded.
  const more = query.has('kiosk')
    ? (texts: Translate) => refusedRecordings(texts, found.length + taken.length)
    : (texts: Translate) => offerLeftBehind(texts, outbox, found)
  if (found.length + taken.length > 0) showProblem(root, t, 'errorWrongLink', 'errorWrongLinkHelp', more)
}

async function start(): Promise<void> {
  const outbox = whileOpening(openOutbox())
  let project: Project
  try {
    project = await loadProject()
  } catch (error) {
    return showFailure(error, outbox)
  }
  applyAccent(project.accent_colors)
  const app = await createApp({
    root,
    project,
    outbox,
    screens,
    language: chooseLanguage(project, navigator.languages, query.get('lang')),
    isKiosk: query.has('kiosk'),
    prefilled: prefilledAnswers(project),
  })
  const first = project.is_open ? 'welcome' : 'closed'
  // Nothing can be left on the first visit, on which no service worker controls the page: the first screen need not wait for the storage.
  const isFirstVisit = !navigator.serviceWorker?.controller
  const showFirst = () => {
    if (app.step === null) app.show(first)
  }
  if (isFirstVisit || app.isKiosk) showFirst()
  if (app.isKiosk) void loadQrEncoder()
  setTimeout(showFirst, STORAGE_MS)
  // Without service workers a later visit looks like the first one.
  offerLeftRecordings(app, await findLeftRecordings(outbox, projectId))
  showFirst()
}

await (location.pathname.endsWith('/withdraw') ? startWithdrawal(root) : start())
void keepForOffline()
