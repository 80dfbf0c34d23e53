import type { MakeScreen } from '../app.ts'
import { notice } from '../ui/controls.ts'

export const closed: MakeScreen = ({ t }) => ({
  title: t('errorClosed'),
  content: [notice('info', t('errorClosed'), t('errorClosedHelp'))],
  actions: [],
})
