import { applyNodeOptions } from './v8-flags.ts'

applyNodeOptions()
await import('./helper.ts')
