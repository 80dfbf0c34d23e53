import { parseArgs } from 'node:util'
import { fuzzInWorkers, fuzzTogether, SEED } from './fuzz.ts'

/**
 * `npm run test:fuzz:media [-- --seed=… --files=… --process-every=…]`: decodes and joins mutated media of all containers in one
 * process, and every tenth file also as the service does: in a separate process and thread.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: SEED },
    files: { type: 'string', default: '3000' },
    'process-every': { type: 'string', default: '10' },
  },
})
const files = Number(values.files)

const together = await fuzzTogether(values.seed, 0, files)
console.log(`seed ${values.seed}: ${files} files, at most ${Math.round(together.maxMemoryMb)} MiB`)
for (const [outcome, count] of together.outcomes) console.log(`  ${outcome}: ${count}`)

const { findings } = together
for (let n = 0; n < files; n += Number(values['process-every']))
  findings.push(...(await fuzzInWorkers(values.seed, n)))
for (const { n, what } of findings) console.log(`✖ file ${n}: ${what}`)
console.log(findings.length === 0 ? '✔ no hang, no crash, memory bounded' : `✖ ${findings.length} findings`)
process.exit(findings.length === 0 ? 0 : 1)
