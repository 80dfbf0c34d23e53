import { testDatabase } from '../../test/support/database.ts'
import { identityStoreConformance } from './conformance.ts'
import { SECRET, startStoreProcess } from './store-process.ts'

identityStoreConformance('the embedded identity store', async () => {
  const database = await testDatabase()
  const store = await startStoreProcess({ DATABASE_URL: database.url })
  return {
    url: store.url,
    adminEmail: store.admin.email,
    adminPassword: store.admin.password ?? '',
    cookieName: 'service_session_token',
    secret: SECRET,
    strict: true,
    async stop() {
      await store.stop()
      await database.drop()
    },
  }
})
