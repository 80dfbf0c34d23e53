import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { newEncryptionKey } from '../platform/encryption.ts'
import { createLog } from '../platform/log.ts'
import { sharedSecretKeys } from '../server/auth/index.ts'
import { createApi, createInfrastructure } from '../server/compose.ts'
import { openDiskStore } from '../storage/disk-store.ts'

/** Writes the types of the API, from its OpenAPI document, for the dashboard. `npm run check` runs it before it checks the types. */
const FILE = 'web/dashboard/api/openapi.d.ts'

/** The document needs the routes only: nothing is connected. */
async function readDocument(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-client-'))
  const infrastructure = createInfrastructure({
    databaseUrl: 'postgres://127.0.0.1:9/none',
    files: await openDiskStore(folder),
    encryptionKey: newEncryptionKey(),
    egress: { allowHttp: false, allowNetworks: [], proxy: null },
    log: createLog('silent'),
    supervisesJobs: false,
  })
  const app = await createApi(infrastructure, {
    settings: {
      version: '0.1.0',
      publicUrl: 'http://127.0.0.1:8000',
      allowedOrigins: [],
      trustedProxies: [],
      cookieName: 'service_session_token',
      tierGates: true,
      confirmStaff: false,
      organisationCreation: 'any',
      allowHttpWebhooks: false,
      chunkSeconds: 5,
      rateLimits: null,
    },
    lifecycle: { migrated: false, stopping: false },
    identity: {
      url: () => null,
      token: undefined,
      keys: sharedSecretKeys('none'),
      issuer: 'none',
      checkSessions: false,
    },
  })
  await app.ready()
  const document = app.swagger()
  await app.close()
  await infrastructure.close()
  await rm(folder, { recursive: true })
  return document
}

const blob = ts.factory.createTypeReferenceNode('Blob')
const nodes = await openapiTS(JSON.parse(JSON.stringify(await readDocument())), {
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
})
await writeFile(FILE, astToString(nodes))
