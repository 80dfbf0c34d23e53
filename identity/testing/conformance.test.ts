import { testDatabase } from '../../test/support/database.ts'
import { identityStoreConformance } from './conformance.ts'
import { ADMIN, startStoreInProcess } from './store-in-process.ts'
import { SECRET } from './store-process.ts'

identityStoreConformance('the embedded identity store', async () => {
  let now = Date.now()
  const clock = {
    now: () => now,
    advance(ms: number) {
      now += ms
    },
  }
  const store = await startStoreInProcess(await testDatabase(), {}, { clock })
  return {
    url: store.url,
    adminEmail: ADMIN.email,
    adminPassword: ADMIN.password,
    cookieName: store.settings.SESSION_COOKIE_NAME,
    secret: SECRET,
    strict: true,
    clock,
    stop: store.stop,
  }
})
