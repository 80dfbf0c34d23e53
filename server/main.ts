import { applyNodeOptions } from './start/v8-flags.ts'

applyNodeOptions()
await import('./start/run.ts')
