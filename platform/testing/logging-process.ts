import { createLog } from '../log.ts'

/** For the tests: logs the requested number of lines and confirms it; ends on SIGTERM, as the service does. */
const log = createLog('info')
process.on('message', (lines: number) => {
  for (let count = 1; count <= lines; count++) log.info({ count, reason: 'x'.repeat(1_000) }, 'a line')
  process.send?.('logged')
})
process.on('SIGTERM', () => {
  log.info('the last line')
  process.exit(0)
})
process.send?.('ready')
