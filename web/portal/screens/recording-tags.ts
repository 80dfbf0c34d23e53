import type { App } from '../app.ts'
import { tagChoice } from '../ui/tag-choice.ts'

/**
 * People can find their subject while they speak. The server has started the conversation by then, so the tags go with the end
 * of the recording.
 */
export function recordingTags({ t, project, answers, session, outbox }: App): HTMLElement | null {
  const chosen = session?.recording.tags ?? session?.recording.answers.tags ?? answers.tags ?? []
  return tagChoice(t('aboutTags'), project.tags, chosen, (tags) => {
    if (!session) {
      answers.tags = tags
      return
    }
    session.recording.tags = tags
    void outbox.save(session.recording)
  })
}
