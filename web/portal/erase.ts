import { RequestRejected, withdraw } from './api.ts'
import type { App } from './app.ts'
import { notice } from './ui/controls.ts'

/** Erases on the server first: what is here is the only way to do that later. */
export async function erase(app: App): Promise<boolean> {
  const session = app.session
  if (!session) return true
  const { started, id } = session.recording
  try {
    if (started) await withdraw(started)
  } catch (error) {
    const isGone = error instanceof RequestRejected && (error.status === 404 || error.status === 403)
    if (!isGone) {
      const message = notice(app.t('errorNotErased'), app.t('errorNotErasedHelp'))
      document.querySelector('main .content')?.prepend(message)
      return false
    }
  }
  session.dispose()
  await app.outbox.remove(id)
  app.session = null
  return true
}
