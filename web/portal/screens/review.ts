import type { App, MakeScreen } from '../app.ts'
import { erase } from '../erase.ts'
import { clockTime } from '../languages/languages.ts'
import type { Session } from '../session.ts'
import { button, confirm, paragraph } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { sendingState } from '../ui/sending-state.ts'

/** Everything can be listened to, added to or erased before it is sent. */
export const review: MakeScreen = (app) => {
  const { t } = app
  const session = app.session as Session
  const players = h('div', { class: 'players' })
  const urls: string[] = []
  void showPlayers(app, session, players, urls)
  const state = sendingState(app)
  const update = () => state.update(session.state)
  const stopListening = session.onChange(update)
  update()
  return {
    title: t('reviewTitle'),
    content: [
      paragraph(t('reviewLength', { time: clockTime(session.state.recordedMs) })),
      players,
      state.element,
      h(
        'div',
        { class: 'more' },
        button('secondary', t('reviewAdd'), () => app.show('microphone'), 'microphone'),
        button('quiet', t('reviewAgain'), () => void startOver(app)),
        button('quiet', t('reviewRemove'), () => void remove(app)),
      ),
    ],
    actions: [button('primary', t('reviewSend'), () => void send(app), 'sent')],
    leave: () => {
      stopListening()
      for (const url of urls) URL.revokeObjectURL(url)
    },
  }
}

async function send(app: App): Promise<void> {
  await app.session?.finish()
  app.show('sending')
}

/** One player for each file: the recorder begins a new one after an interruption. */
async function showPlayers(app: App, session: Session, target: HTMLElement, urls: string[]): Promise<void> {
  const { outbox, t } = app
  const files: Blob[][] = []
  for (const chunk of await outbox.chunks(session.recording.id)) {
    const audio = await outbox.audio(chunk)
    if (!audio) continue
    if (chunk.beginsFile || files.length === 0) files.push([])
    files.at(-1)?.push(audio)
  }
  const players = files.map((parts, index) => {
    const url = URL.createObjectURL(new Blob(parts, { type: parts[0]?.type ?? '' }))
    urls.push(url)
    const label = files.length > 1 ? t('reviewPart', { number: index + 1 }) : t('reviewListen')
    return h(
      'figure',
      {},
      h('figcaption', {}, label),
      h('audio', { controls: true, src: url, preload: 'metadata', 'aria-label': label }),
    )
  })
  target.replaceChildren(...players)
}

async function startOver(app: App): Promise<void> {
  const { t } = app
  if (!(await confirm(t('reviewAgainTitle'), t('reviewAgainText'), t('reviewAgainConfirm'), t('cancel'))))
    return
  if (await erase(app)) app.show('microphone')
}

async function remove(app: App): Promise<void> {
  const { t } = app
  if (!(await confirm(t('reviewRemoveTitle'), t('reviewRemoveText'), t('reviewRemoveConfirm'), t('cancel'))))
    return
  if (await erase(app)) {
    app.show('welcome')
    app.announce(t('removed'))
  }
}
