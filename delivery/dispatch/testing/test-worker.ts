import { openNotifications } from '../../../database/notifications.ts'
import { createKeyring } from '../../../platform/encryption.ts'
import { createLog } from '../../../platform/log.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { startDeliveryWorker } from '../../../server/background/deliveries.ts'
import { createEgress, WAKE_CHANNEL } from '../../../server/webhooks/index.ts'
import type { TestBackend } from '../../../test/support/backend.ts'

/** A delivery worker in addition to that of the backend, as another process would run it. */
export function startTestWorker({ databaseUrl, database, encryptionKey }: TestBackend, graceMs = 200) {
  const notifications = openNotifications(databaseUrl, WAKE_CHANNEL)
  const metrics = createMetrics()
  const worker = startDeliveryWorker({
    databaseUrl,
    database,
    egress: createEgress({ allowHttp: true, allowNetworks: ['127.0.0.0/8'], proxy: null }),
    keyring: createKeyring(encryptionKey),
    notifications,
    tierGates: true,
    userAgent: 'Parley-Webhooks/0.0.0',
    metrics,
    log: createLog('silent'),
    graceMs,
  })
  return {
    /** The value of a metric without labels. */
    async read(name: string): Promise<number> {
      const metric = await metrics.registry.getSingleMetric(name)?.get()
      return metric?.values[0]?.value ?? 0
    },
    async stop(): Promise<void> {
      await worker.stop()
      await notifications.close()
    },
  }
}
