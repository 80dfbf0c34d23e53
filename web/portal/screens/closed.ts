import type { MakeScreen } from '../app.ts'
import { paragraph, picture } from '../ui/controls.ts'

export const closed: MakeScreen = ({ t, project }) => ({
  kicker: project.title ?? project.name,
  title: t('errorClosed'),
  content: [picture('closed'), paragraph(t('errorClosedHelp'))],
  actions: [],
})
