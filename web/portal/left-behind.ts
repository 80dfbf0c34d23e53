import type { LeftRecording } from './app.ts'
import { clockTime, type Translate } from './languages/languages.ts'
import type { Outbox } from './outbox/outbox.ts'
import { saveFile } from './save-file.ts'
import { button, confirmRemoval, paragraph } from './ui/controls.ts'
import { h } from './ui/element.ts'

/** Recordings on this device whose link no longer works can be saved or deleted. */
export const offerLeftBehind = (t: Translate, outbox: Outbox, found: LeftRecording[]): HTMLElement[] =>
  found.map((left) => offer(t, outbox, left))

function offer(t: Translate, outbox: Outbox, { recording, recordedMs }: LeftRecording): HTMLElement {
  const language = document.documentElement.lang
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const date = format.format(recording.startedAt)
  const isText = recordedMs === 0
  const found = isText
    ? t('resumeTextOnly', { date })
    : t('resumeText', { time: clockTime(recordedMs), date })
  const remove = async () => {
    if (!(await confirmRemoval(t, isText))) return
    await outbox.remove(recording.id)
    location.reload()
  }
  return h(
    'section',
    { class: 'card' },
    paragraph(found),
    h(
      'div',
      { class: 'more' },
      button('secondary', t(isText ? 'saveTextFile' : 'saveFile'), () => void saveFile(outbox, recording)),
      button('quiet', t(isText ? 'reviewRemove' : 'resumeDelete'), () => void remove()),
    ),
  )
}
