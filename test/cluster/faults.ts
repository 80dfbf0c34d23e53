import { setTimeout as pause } from 'node:timers/promises'
import type { MoreFaults } from '../chaos/framework/fault-schedule.ts'

/** How long a process that joins stays. */
const STAY_MS = 6_000

/** Faults that a service survives only because it has several processes. */
export const clusterFaults: MoreFaults = (schedule, fixtures, random) => {
  const worker = fixtures.withRole('dispatcher').length > 0 ? 'dispatcher' : 'worker'
  let joined = 0
  const freeze = (role: string) => () =>
    schedule.reserve([role], (process) =>
      schedule.record(`freeze ${role}`, process.name, async () => {
        process.signal('SIGSTOP')
        await pause(random.between(2_000, 12_000))
        process.signal('SIGCONT')
      }),
    )
  const join = (role: string, runs: string) => async () => {
    const name = `${role}-joined${++joined}`
    const process = await fixtures.startService(name, { ...fixtures.serviceSettings, ROLES: runs })
    await fixtures.waits.for(`${name} to come up`, process.up())
    process.isBusy = true
    await schedule.record(`${role} joins and leaves`, name, async () => {
      await pause(STAY_MS)
      await fixtures.retire(process)
    })
  }
  return {
    'freeze api': { weight: 4, run: freeze('api') },
    'api joins and leaves': { weight: 3, run: join('api', 'api') },
    [`freeze ${worker}`]: { weight: 4, run: freeze(worker) },
    [`${worker} joins and leaves`]: { weight: 3, run: join(worker, 'worker') },
  }
}
