import { findPgBouncer } from '../test/pgbouncer/pgbouncer.ts'
import { aptInstall } from './apt-install.ts'

/** Installs PgBouncer for its tests, as root on Debian. Elsewhere those tests are reported as skipped. */
export async function setupPgBouncer(): Promise<void> {
  if (findPgBouncer() !== null) return
  await aptInstall(['pgbouncer'])
  if (findPgBouncer() === null) console.log('Install PgBouncer to run its tests.')
}
