import { createLog } from '../../../platform/log.ts'
import { createInfrastructure, startWorker } from '../../../server/compose.ts'
import type { TestBackend } from '../../../test/support/backend.ts'

/** A delivery worker in addition to that of the backend, as another process would run it. */
export function startTestWorker({ databaseUrl, files, encryptionKey }: TestBackend, graceMs = 200) {
  const infrastructure = createInfrastructure({
    databaseUrl,
    files,
    encryptionKey,
    egress: { allowHttp: true, allowNetworks: ['127.0.0.0/8'], proxy: null },
    log: createLog('silent'),
    supervisesJobs: false,
    connections: { max: 4 },
  })
  const worker = startWorker(infrastructure, {
    settings: { version: '0.0.0', publicUrl: 'http://parley.test', tierGates: true },
    groups: ['webhooks'],
    logDays: 30,
    graceMs,
  })
  return {
    /** The value of a metric without labels. */
    async read(name: string): Promise<number> {
      const metric = await infrastructure.metrics.registry.getSingleMetric(name)?.get()
      return metric?.values[0]?.value ?? 0
    },
    async stop(): Promise<void> {
      await worker.stop()
      await infrastructure.close()
    },
  }
}
