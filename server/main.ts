import { createLog } from '../platform/log.ts'
import { listSettings, SettingsError } from '../platform/settings.ts'
import { PRIVATE_UMASK } from '../storage/file-permissions.ts'
import { readConfig, type Settings, settingsSchema } from './config.ts'
import { readyText } from './start/banner.ts'
import { startService } from './start/service.ts'
import { Shutdown } from './start/shutdown.ts'

// Before anything is written: recordings, keys and logs are nobody else's. Every child process inherits it.
process.umask(PRIVATE_UMASK)

const settings = settingsOrExit()
const log = createLog(settings.LOG_LEVEL)
const shutdown = new Shutdown(log)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    log.info({ signal }, 'stopping')
    void shutdown.run().then(() => process.exit(0))
  })
}

try {
  process.stdout.write(
    `Settings in force:\n${listSettings(settingsSchema, settings)
      .map((line) => `  ${line}\n`)
      .join('')}`,
  )
  process.stdout.write(readyText(await startService(settings, log, shutdown)))
} catch (error) {
  // A start that a signal cut short is no failure: the signal's own stop ends the process.
  if (shutdown.isUnderWay) await new Promise(() => {})
  log.error({ err: error }, 'could not start')
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
