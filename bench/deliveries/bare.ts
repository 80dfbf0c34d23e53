import { childOptions, now, serve } from './children.ts'
import { BODY, createSender, sign } from './post.ts'
import type { Contender, ContenderOptions } from './types.ts'

/** The limit: undici in a loop, the same bytes again and again. Nothing is stored, signed or checked. */
const send = createSender(childOptions<ContenderOptions>().addresses)
const body = Buffer.from(BODY)
const signatures = sign('bench', BODY)

serve({
  seed: async () => {},
  async run(count, inFlight) {
    let next = 0
    const loop = async () => {
      while (next < count) {
        const n = next++
        await send(n, `bench-${n}`, body, signatures)
      }
    }
    const started = now()
    await Promise.all(Array.from({ length: inFlight }, loop))
    return now() - started
  },
} satisfies Contender)
