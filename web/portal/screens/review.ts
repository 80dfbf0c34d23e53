import type { App, MakeScreen } from '../app.ts'
import { erase } from '../erase.ts'
import { recordedFiles } from '../recorded-files.ts'
import type { Session } from '../session.ts'
import { button, confirm, paragraph } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { player } from '../ui/player.ts'
import { sendingState } from '../ui/sending-state.ts'

/** Everything can be listened to, added to or erased before it is finished. */
export const review: MakeScreen = (app) => {
  const { t } = app
  const session = app.session as Session
  const listening = h('section', { class: 'listen', 'aria-label': t('reviewListen') })
  let stopPlayer: (() => void) | null = null
  let isLeft = false
  void recordedFiles(app.outbox, session.recording.id).then((files) => {
    if (isLeft || files.length === 0) return
    const { element, stop } = player(t, files)
    stopPlayer = stop
    listening.replaceChildren(element)
  })
  const state = sendingState(app)
  const update = () => state.update(session.state)
  const stopListening = session.onChange(update)
  update()
  return {
    title: t('reviewTitle'),
    content: [
      paragraph(t('reviewExplain')),
      listening,
      written(app),
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
      isLeft = true
      stopListening()
      stopPlayer?.()
    },
  }
}

/** The text that was typed in addition to the recording. */
const written = (app: App): HTMLElement | null =>
  app.text.trim() === ''
    ? null
    : h(
        'section',
        { class: 'card' },
        h('h2', {}, app.t('reviewText')),
        h('p', { class: 'written', dir: 'auto' }, app.text.trim()),
        button('quiet', app.t('reviewEditText'), () => app.show('text')),
      )

async function send(app: App): Promise<void> {
  await app.session?.finish(app.text.trim() || null)
  app.show('sending')
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
  if (!(await erase(app))) return
  await app.restart()
  app.announce(t('removed'))
}
