import { isDatabaseUnavailable } from '../../database/database.ts'
import { createLog } from '../../platform/log.ts'
import { PRIVATE_UMASK } from '../../storage/file-permissions.ts'
import { startWorker } from '../compose.ts'
import { readConfig } from '../config.ts'
import type { HelperMessage, HelperRequest } from './helper-messages.ts'
import { openLogOutput } from './log-output.ts'
import { openFiles } from './open-files.ts'
import { appSettings, openInfrastructure, runApi } from './roles.ts'
import { Shutdown } from './shutdown.ts'

/**
 * A process that shares the work of the first one: it serves the API on the same port and sends deliveries. The first process starts it
 * when the database is ready, with settings that name everything it has started or generated.
 */
process.umask(PRIVATE_UMASK)

/** The first process has more, for jobs. */
const POOL_SIZE = 10

const settings = readConfig(process.env)
const log = createLog(settings.LOG_LEVEL, openLogOutput(settings.LOG_FORMAT), isDatabaseUnavailable)
const shutdown = new Shutdown(log)
const send = (message: HelperMessage): void => void process.send?.(message)

// Ctrl-C reaches every process of a terminal; the first one decides when to stop.
process.on('SIGINT', () => {})
const end = (): void => void shutdown.run().then(() => process.exit(0))
process.on('SIGTERM', end)
// The first process was killed. Its port is free for the next start only when this process has ended, too.
process.on('disconnect', end)

const { files, observe } = await openFiles({ settings, dataDir: settings.DATA_DIR as string, log, shutdown })
const self = {
  settings,
  log,
  shutdown,
  keys: {
    encryption: settings.ENCRYPTION_KEY as string,
    identitySecret: settings.IDENTITY_SECRET,
    identityToken: settings.IDENTITY_TOKEN,
  },
}
const infrastructure = openInfrastructure(self, {
  databaseUrl: settings.DATABASE_URL as string,
  files,
  connections: { max: POOL_SIZE },
  supervisesJobs: false,
})
observe(infrastructure.metrics)
process.on('message', ({ id }: HelperRequest) => {
  void infrastructure.metrics.registry
    .getMetricsAsJSON()
    .then((metrics) => send({ kind: 'metrics', id, metrics }))
})

await infrastructure.jobs.start()
if (settings.ROLES.has('api'))
  await runApi(self, infrastructure, {
    port: { number: settings.PORT, isShared: true, release: async () => {} },
    lifecycle: { migrated: true, stopping: false },
    identityUrl: () => settings.IDENTITY_URL ?? null,
  })
if (settings.ROLES.has('worker')) {
  const worker = startWorker(infrastructure, {
    settings: appSettings(settings),
    groups: ['webhooks'],
    logDays: settings.DELIVERY_LOG_DAYS,
  })
  shutdown.addToLast('worker', worker.stop)
}
send({ kind: 'ready' })
