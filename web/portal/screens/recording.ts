import type { App, MakeScreen } from '../app.ts'
import { clockTime, lengthInWords } from '../languages/languages.ts'
import { followText } from '../live-text.ts'
import { watchLevel } from '../recorder/level.ts'
import type { Session, SessionState } from '../session.ts'
import { button, notice, paragraph } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { replaceIcon } from '../ui/icons.ts'
import { levelBar } from '../ui/level-bar.ts'
import { sendingState } from '../ui/sending-state.ts'
import { recordingTags } from './recording-tags.ts'

export const recording: MakeScreen = (app) => {
  const { t, project } = app
  const session = app.session as Session
  const time = h('p', { class: 'time', role: 'timer', 'aria-label': t('recordingTime') })
  const phase = h('p', { class: 'phase', role: 'status' })
  const bar = levelBar(t('microphoneLevel'))
  const meter = h('div', { class: 'meter' }, time, bar.element, phase)
  const notices = h('div', { 'aria-live': 'polite' })
  const state = sendingState(app)
  // Not a live region: a screen reader would speak the words into the recording.
  const text = h('p', {
    class: 'live-text',
    dir: 'auto',
    tabindex: 0,
    role: 'log',
    'aria-live': 'off',
    'aria-label': t('recordingLiveText'),
  })
  text.textContent = t('recordingLiveTextLater')
  const pause = button('secondary', t('recordingPause'), () => togglePause(session), 'pause')
  const pauseLabel = pause.querySelector('span') as HTMLElement
  const done = button('primary', t('recordingDone'), () => void stopAndShow(app, 'review'), 'check')

  let stopLevel: (() => void) | null = null
  let watched: MediaStream | null = null
  const followMicrophone = () => {
    if (session.microphone === watched) return
    stopLevel?.()
    bar.set(0)
    watched = session.microphone
    stopLevel = watched
      ? watchLevel(watched, (level) => bar.set(session.state.phase === 'recording' ? level : 0))
      : null
  }
  const update = () => {
    const now = session.state
    const isPaused = now.phase === 'paused'
    followMicrophone()
    meter.dataset['phase'] = now.isMuted ? 'lost' : now.phase
    setText(time, clockTime(now.recordedMs))
    setText(phase, t(phaseText(now)))
    setText(pauseLabel, t(isPaused ? 'recordingResume' : 'recordingPause'))
    // As wide as either word, so that no button moves under the finger.
    pause.dataset['other'] = t(isPaused ? 'recordingPause' : 'recordingResume')
    replaceIcon(pause, isPaused ? 'microphone' : 'pause')
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
    kicker: project.title ?? project.name,
    title: t('recordingTitle'),
    content: [
      h('div', { class: 'column' }, meter, notices, state.element),
      h(
        'div',
        { class: 'column' },
        h('h2', {}, t('recordingLiveText')),
        text,
        tagsBelow(app),
        button('quiet', t('typeInstead'), () => void stopAndShow(app, 'text'), 'text'),
        paragraph(t('recordingKeepOpen'), 'soft'),
      ),
    ],
    actions: [done, pause],
    leave: () => {
      stopListening()
      stopText()
      stopLevel?.()
    },
  }
}

/** Closed at first: one who speaks should not be asked things. */
function tagsBelow(app: App): HTMLElement | null {
  const tags = recordingTags(app)
  return tags && h('details', {}, h('summary', {}, app.t('aboutTags')), tags)
}

const phaseText = ({ phase, isMuted, problem }: SessionState) =>
  phase === 'paused'
    ? 'recordingPaused'
    : phase === 'starting'
      ? 'recordingStarting'
      : phase === 'lost'
        ? problem === 'blocked'
          ? 'errorBlocked'
          : 'recordingMicrophoneLost'
        : isMuted
          ? 'recordingMuted'
          : 'recordingSpeak'

function showNotice(
  { t, language }: App,
  { phase, problem, gapMs, isFull }: SessionState,
  target: HTMLElement,
): void {
  const [text, help] =
    phase === 'lost' && problem === 'blocked'
      ? [t('errorBlockedHelp'), '']
      : gapMs !== null
        ? [t('recordingGap', { time: lengthInWords(language, gapMs) }), t('recordingKeepOpen')]
        : [isFull ? t('stateDiskFull') : '', '']
  if (target.dataset['shown'] === text) return
  target.dataset['shown'] = text
  target.replaceChildren(...(text ? [notice(text, ...(help ? [help] : []))] : []))
}

function togglePause(session: Session): void {
  if (session.state.phase === 'paused') session.resume()
  else session.pause()
}

async function stopAndShow(app: App, next: 'review' | 'text'): Promise<void> {
  await app.session?.stop()
  app.show(next)
}
