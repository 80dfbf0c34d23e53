import { buildBundle } from '../platform/programs/build-bundle.ts'

/** The programs of the decoder, which run without access to any other file. */
await buildBundle(import.meta.dirname, {
  programs: ['decode/decoder-main.ts', 'decode/kept-decoder-main.ts'],
})
