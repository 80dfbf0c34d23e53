import type { MakeScreen } from '../app.ts'
import { paragraph, picture } from '../ui/controls.ts'
import { earlierRecordings } from '../ui/earlier-recordings.ts'

export const closed: MakeScreen = ({ t, project, isKiosk, queue }) => {
  const earlier = isKiosk ? earlierRecordings(t, queue) : null
  return {
    kicker: project.title ?? project.name,
    title: t('errorClosed'),
    content: [picture('closed'), paragraph(t('errorClosedHelp')), earlier?.element ?? null],
    actions: [],
    ...(earlier && { leave: earlier.stop }),
  }
}
