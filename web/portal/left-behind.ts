import type { LeftRecording } from './app.ts'
import { clockTime, type Translate } from './languages/languages.ts'
import type { Outbox } from './outbox/outbox.ts'
import { saveFile } from './save-file.ts'
import { button, confirm, paragraph } from './ui/controls.ts'

/** Adds what can still be done with a recording on this device to a page whose link no longer works. */
export function offerLeftRecording(
  root: HTMLElement,
  t: Translate,
  outbox: Outbox,
  { recording, recordedMs }: LeftRecording,
): void {
  const language = document.documentElement.lang
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const date = format.format(recording.startedAt)
  const isText = recordedMs === 0
  const found = isText
    ? t('resumeTextOnly', { date })
    : t('resumeText', { time: clockTime(recordedMs), date })
  const remove = async () => {
    const texts = [
      t(isText ? 'resumeDraftDelete' : 'reviewRemoveTitle'),
      isText ? found : t('reviewRemoveText'),
      t('reviewRemoveConfirm'),
      t('cancel'),
    ] as const
    if (!(await confirm(...texts))) return
    await outbox.remove(recording.id)
    location.reload()
  }
  root.querySelector('.content')?.append(paragraph(found))
  root.querySelector('.actions')?.append(
    button('secondary', t(isText ? 'saveTextFile' : 'saveFile'), () => void saveFile(outbox, recording)),
    button('quiet', t(isText ? 'reviewRemove' : 'resumeDelete'), () => void remove()),
  )
}
