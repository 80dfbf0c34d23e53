import { appendFileSync } from 'node:fs'

/** The points where a crash is most dangerous. Only the fault tests make processes crash there. */
const odds = new Map<string, number>()
let logFile: string | undefined

/** `after_post:0.02,before_commit:0.01`: names from `known`, each with the probability of a crash. */
export function parseFaultPoints(text: string, known: readonly string[]): Map<string, number> {
  const entries = text.split(',').map((part) => part.trim().split(':'))
  return new Map(
    entries.map(([name = '', chance]) => {
      if (!known.includes(name) || !(Number(chance) > 0 && Number(chance) <= 1))
        throw new Error(`must be name:probability with names from ${known.join(', ')}`)
      return [name, Number(chance)]
    }),
  )
}

/** Enables the points in this process. `log` gets one line for each crash. */
export function enableFaultPoints(points: ReadonlyMap<string, number>, log: string | undefined): void {
  for (const [point, chance] of points) odds.set(point, chance)
  logFile = log
}

/** Each package and area declares its own points: the function that it gets marks them in its code. */
export const declareFaultPoints =
  <P extends string>(_points: readonly P[]) =>
  (point: P): void => {
    if (odds.size === 0 || Math.random() >= (odds.get(point) ?? 0)) return
    if (logFile) appendFileSync(logFile, `${point} ${process.pid}\n`, { flush: true })
    process.kill(process.pid, 'SIGKILL')
  }
