import type { App, MakeScreen } from '../app.ts'
import { clockTime } from '../languages/languages.ts'
import { followText } from '../live-text.ts'
import { watchLevel } from '../recorder/level.ts'
import type { Session, SessionState } from '../session.ts'
import { button, notice } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { levelBar } from '../ui/level-bar.ts'
import { sendingState } from '../ui/sending-state.ts'

export const recording: MakeScreen = (app) => {
  const { t } = app
  const session = app.session as Session
  const time = h('p', { class: 'time', role: 'timer', 'aria-label': t('recordingTime') })
  const phase = h('p', { class: 'phase', role: 'status' })
  const bar = levelBar(t('microphoneLevel'))
  const notices = h('div', { 'aria-live': 'polite' })
  const state = sendingState(app)
  const text = h('p', {
    class: 'live-text',
    dir: 'auto',
    tabindex: 0,
    role: 'log',
    'aria-label': t('recordingLiveText'),
  })
  text.textContent = t('recordingLiveTextLater')
  const pause = button('secondary', t('recordingPause'), () => togglePause(session), 'pause')
  const pauseLabel = pause.querySelector('span') as HTMLElement
  const done = button('primary', t('recordingDone'), () => void finish(app, session), 'check')

  let stopLevel: (() => void) | null = null
  let watched: MediaStream | null = null
  const followMicrophone = () => {
    if (session.microphone === watched) return
    stopLevel?.()
    watched = session.microphone
    stopLevel = watched
      ? watchLevel(watched, (level) => bar.set(session.state.phase === 'recording' ? level : 0))
      : null
  }
  const update = () => {
    const now = session.state
    followMicrophone()
    setText(time, clockTime(now.recordedMs))
    setText(phase, t(phaseText(now)))
    setText(pauseLabel, t(now.phase === 'paused' ? 'recordingResume' : 'recordingPause'))
    pause.toggleAttribute('disabled', now.phase === 'lost' || now.phase === 'starting')
    showNotice(app, now, notices)
    state.update(now)
  }
  const stopListening = session.onChange(update)
  const stopText = followText(session, (words) => {
    setText(text, words)
    text.scrollTop = text.scrollHeight
  })
  update()
  return {
    title: t('recordingTitle'),
    content: [h('div', { class: 'meter' }, time, bar.element, phase), notices, text, state.element],
    actions: [done, pause],
    leave: () => {
      stopListening()
      stopText()
      stopLevel?.()
    },
  }
}

const phaseText = ({ phase, isMuted }: SessionState) =>
  phase === 'paused'
    ? 'recordingPaused'
    : phase === 'starting'
      ? 'recordingStarting'
      : phase === 'lost'
        ? 'recordingMicrophoneLost'
        : isMuted
          ? 'recordingMuted'
          : 'recordingTitle'

function showNotice({ t }: App, { gapMs, isFull }: SessionState, target: HTMLElement): void {
  const text =
    gapMs !== null ? t('recordingGap', { time: clockTime(gapMs) }) : isFull ? t('stateDiskFull') : ''
  if (target.textContent !== text) target.replaceChildren(...(text ? [notice('warning', text)] : []))
}

function togglePause(session: Session): void {
  if (session.state.phase === 'paused') session.resume()
  else session.pause()
}

async function finish(app: App, session: Session): Promise<void> {
  await session.stop()
  app.show('review')
}
