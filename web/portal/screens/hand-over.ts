import type { App } from '../app.ts'

/** Makes a shared device ready for the next person while the recording of this one is sent in the background. */
export async function handOver(app: App): Promise<void> {
  if (app.session) app.queue.add(app.session)
  await app.restart()
}
