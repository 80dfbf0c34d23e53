import type { App } from '../app.ts'
import { clockTime, lengthInWords } from '../languages/languages.ts'
import type { SessionState } from '../session.ts'
import { h, setText } from './element.ts'
import { icon } from './icons.ts'

/** Shows as text how much is saved on this device and how much the server has. Only a change of kind is announced, not every second. */
export function sendingState(app: App) {
  const { t, outbox } = app
  const saved = h('span')
  const sent = h('span')
  const trouble = h('p', { class: 'trouble', role: 'status' })
  const element = h(
    'div',
    { class: 'sending-state' },
    h('p', {}, icon('phone'), saved),
    h('p', {}, icon('sent'), sent),
    trouble,
  )
  const update = ({ recordedMs, sentMs, refusedMs, sending, phase, isFull }: SessionState): void => {
    const isAll = sentMs >= recordedMs && recordedMs > 0 && phase === 'stopped'
    setText(saved, t(outbox.isDurable ? 'stateSaved' : 'stateSavedInMemory', { time: clockTime(recordedMs) }))
    setText(sent, isAll ? t('stateAllReceived') : t('stateSent', { time: clockTime(sentMs) }))
    const isAway = sending.kind === 'waiting' || !navigator.onLine
    const away = t(outbox.isDurable ? 'stateOffline' : 'stateOfflineInMemory')
    // Everything that is not sent, if the server refuses the conversation; otherwise the chunks that it refuses.
    const notAcceptedMs = sending.kind === 'refused' ? recordedMs - sentMs : refusedMs
    const refused =
      notAcceptedMs > 0 ? t('stateNotAccepted', { time: lengthInWords(app.language, notAcceptedMs) }) : ''
    const memoryOnly = outbox.isDurable || isFull ? '' : t('stateMemoryOnly')
    setText(trouble, isAway ? away : memoryOnly || refused)
  }
  return { element, update }
}
