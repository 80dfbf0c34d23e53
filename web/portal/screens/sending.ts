import type { App, MakeScreen } from '../app.ts'
import type { TextKey } from '../languages/texts.ts'
import { saveFile } from '../save-file.ts'
import type { Session } from '../session.ts'
import { button, notice, paragraph } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'

const REFUSALS: Record<string, [title: TextKey, help: TextKey]> = {
  closed: ['errorClosed', 'errorClosedUnsent'],
  limit_reached: ['errorLimit', 'errorLimitHelp'],
  consent_required: ['errorConsentChanged', 'errorConsentChangedHelp'],
  not_found: ['errorWithdrawn', 'errorWithdrawnHelp'],
  participant_token_rejected: ['errorWithdrawn', 'errorWithdrawnHelp'],
}

/** Waits until the server has everything, and says how far it is. */
export const sending: MakeScreen = (app) => {
  const { t } = app
  const session = app.session as Session
  const progress = h('progress', { 'aria-label': t('sendingTitle') })
  const count = h('p', { role: 'status' })
  const trouble = h('div')
  const actions = h('div', { class: 'more' })
  const update = () => {
    const { sending: state, chunks, sentChunks } = session.state
    if (state.kind === 'finished') return void finished(app)
    progress.max = Math.max(1, chunks)
    progress.value = sentChunks
    if (chunks > 0) setText(count, t('sendingProgress', { sent: sentChunks, all: chunks }))
    const problem: [TextKey, TextKey] | null =
      state.kind === 'refused'
        ? (REFUSALS[state.code] ?? ['errorRefused', 'errorRefusedHelp'])
        : state.kind === 'waiting'
          ? navigator.onLine
            ? ['errorServer', 'errorServerHelp']
            : ['errorOffline', 'errorOfflineHelp']
          : null
    const key = problem?.join() ?? ''
    if (trouble.dataset['shown'] === key) return
    trouble.dataset['shown'] = key
    trouble.replaceChildren(...(problem ? [notice('warning', t(problem[0]), t(problem[1]))] : []))
    actions.replaceChildren(
      ...(problem
        ? [
            button('secondary', t('tryAgain'), () => session.retry()),
            button('quiet', t('saveFile'), () => void saveFile(app.outbox, session.recording)),
          ]
        : []),
    )
  }
  const stopListening = session.onChange(update)
  queueMicrotask(update)
  return {
    title: t('sendingTitle'),
    content: [progress, count, paragraph(t('sendingKeepOpen')), trouble, actions],
    actions: [],
    leave: stopListening,
  }
}

async function finished(app: App): Promise<void> {
  const session = app.session
  if (!session) return
  session.dispose()
  await app.outbox.remove(session.recording.id)
  app.show('thanks')
}
