import type { TextKey } from '../languages/texts.ts'
import type { Session } from '../session.ts'

const OF_TEXT: Partial<Record<TextKey, TextKey>> = {
  sendingTitle: 'sendingTextTitle',
  keptOnDevice: 'keptTextOnDevice',
  keptWhileClosed: 'keptTextWhileClosed',
  keptInPage: 'keptTextInPage',
  saveFile: 'saveTextFile',
  errorClosedUnsent: 'errorClosedTextUnsent',
  errorRefusedHelp: 'errorRefusedTextHelp',
  errorConsentChangedHelp: 'errorConsentChangedTextHelp',
  errorWithdrawn: 'errorWithdrawnText',
  errorWithdrawnHelp: 'errorWithdrawnTextHelp',
  resumeDelete: 'reviewRemove',
  thanksReceived: 'thanksTextReceived',
  thanksCodeWhy: 'thanksTextCodeWhy',
  thanksWithdrawWhy: 'thanksTextWithdrawWhy',
  thanksMailSubject: 'thanksTextMailSubject',
}

/** The words about a recording, or about a text if nothing was recorded. */
export const wordsAbout = (session: Session | null, key: TextKey): TextKey =>
  session?.isText ? (OF_TEXT[key] ?? key) : key
