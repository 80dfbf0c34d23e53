import { isDatabaseUnavailable } from '../../database/database.ts'
import { createLog } from '../../platform/log.ts'
import { SettingsError } from '../../platform/settings.ts'
import { standardOutput } from '../../platform/standard-output.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { PRIVATE_UMASK } from '../../storage/file-permissions.ts'
import { readConfig, type Settings } from '../config.ts'
import { createBanner } from './banner.ts'
import { openLogOutput } from './log-output.ts'
import { startService } from './service.ts'
import { Shutdown } from './shutdown.ts'

// Before any file is written: recordings, keys and logs are private. Child processes inherit it.
process.umask(PRIVATE_UMASK)

const settings = settingsOrExit()
const output = openLogOutput(settings.LOG_FORMAT)
const isExpected = (error: Error) => error instanceof StartupError || isDatabaseUnavailable(error)
const log = createLog(settings.LOG_LEVEL, output, isExpected)
const shutdown = new Shutdown(log)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    log.info({ signal }, 'Stopping')
    void shutdown.run().then(() => process.exit(0))
  })
}

log.info('Starting')
// Through the same buffer as the log, so that lines keep their order.
const banner = createBanner(standardOutput(), settings)
try {
  await banner.ready(await startService(settings, { log, output, shutdown, banner }))
} catch (error) {
  // A start that a signal interrupted did not fail: the signal handler ends the process.
  if (shutdown.isRunning) await new Promise(() => {})
  log.error({ err: error }, 'Could not start')
  process.stderr.write(`\nParley could not start.\n${(error as Error).message}\n`)
  await shutdown.run()
  process.exit(1)
}

function settingsOrExit(): Settings {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
