import type { App } from '../app.ts'
import { clockTime, lengthInWords } from '../languages/languages.ts'
import type { SessionState } from '../session.ts'
import { notice } from './controls.ts'
import { h, setText } from './element.ts'
import { icon } from './icons.ts'

/** Says how much this device has lost before it was sent. */
export const lostText = ({ t, language }: App, lostMs: number): string =>
  t('lost', { time: lengthInWords(language, lostMs) })

/** Shows as text how much is saved on this device and how much the server has. Only a change of kind is announced, not every second. */
export function sendingState(app: App) {
  const { t, outbox } = app
  const saved = h('span')
  const sent = h('span')
  const trouble = h('p', { class: 'trouble', role: 'status' })
  const lost = h('div', { class: 'lost' })
  const element = h(
    'div',
    { class: 'sending-state' },
    lost,
    h('p', {}, icon('phone'), saved),
    h('p', {}, icon('sent'), sent),
    trouble,
  )
  const showLost = (ms: number): void => {
    const text = ms > 0 ? lostText(app, ms) : ''
    if ((lost.dataset['shown'] ?? '') === text) return
    lost.dataset['shown'] = text
    lost.replaceChildren(notice(text, t('lostHelp')))
  }
  const update = ({ recordedMs, sentMs, refusedMs, lostMs, sending, phase, isFull }: SessionState): void => {
    showLost(lostMs)
    const keptMs = recordedMs - lostMs
    const isAll = lostMs === 0 && sentMs >= recordedMs && recordedMs > 0 && phase === 'stopped'
    setText(saved, t(outbox.isDurable ? 'stateSaved' : 'stateSavedInMemory', { time: clockTime(keptMs) }))
    setText(sent, isAll ? t('stateAllReceived') : t('stateSent', { time: clockTime(sentMs) }))
    const isAway = sending.kind === 'waiting' || !navigator.onLine
    const away = t(outbox.isDurable ? 'stateOffline' : 'stateOfflineInMemory')
    // Everything that is not sent, if the server refuses the conversation; otherwise the chunks that it refuses.
    const notAcceptedMs = sending.kind === 'refused' ? keptMs - sentMs : refusedMs
    const refused =
      notAcceptedMs > 0 ? t('stateNotAccepted', { time: lengthInWords(app.language, notAcceptedMs) }) : ''
    const memoryOnly = outbox.isDurable || isFull ? '' : t('stateMemoryOnly')
    setText(trouble, isAway ? away : memoryOnly || refused)
  }
  return { element, update }
}
