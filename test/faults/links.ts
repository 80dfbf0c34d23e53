import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from './random.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** Several cuts in a row. */
export async function flap(links: readonly TcpProxy[], random: Random): Promise<void> {
  for (let cuts = random.whole(1, 12); cuts > 0; cuts--) {
    for (const link of links) link.cut()
    await pause(random.between(5, 150))
  }
}

/** PostgreSQL has committed; whoever asked for it will never know. Answers whether somebody committed in time. */
export function loseCommit(link: TcpProxy, withinMs: number): Promise<boolean> {
  const lost = link.loseAnswerTo('commit').then(() => true)
  return Promise.race([lost, pause(withinMs, false, { ref: false })])
}

/** Whatever was under way stays silent also afterwards. */
export async function swallow(links: readonly TcpProxy[], random: Random): Promise<void> {
  for (const link of links) link.set('black hole')
  await pause(random.between(1000, 6000))
  for (const link of links) link.set('pass')
}
