import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Phones of 2022 and newer. */
const target = ['chrome100', 'firefox100', 'safari15.4']

/** The recording page and the page on which participants withdraw. */
export const portal = (outDir: string): InlineConfig => ({
  configFile: false,
  root: at('./portal'),
  base: '/p/',
  logLevel: 'warn',
  build: {
    target,
    outDir,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: at('./portal/index.html'),
      // Safari 15 gets no class fields. Plain assignments replace them: the helper that would define them exactly is a file of its
      // own, because the QR code uses it, too, and the first screen would wait for it.
      transform: { assumptions: { setPublicClassFields: true } },
    },
  },
})

/** The dashboard. Each area is a file of its own, loaded when it is opened. */
export const dashboard = (outDir: string): InlineConfig => ({
  configFile: false,
  root: at('./dashboard'),
  logLevel: 'warn',
  build: {
    target: ['chrome111', 'firefox114', 'safari16.4'],
    outDir,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: [at('./dashboard/index.html'), at('./dashboard/preview/index.html')],
      // The libraries mark files for servers that render pages; there are a thousand of them.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      // The code of the first page, in two files instead of sixty. Libraries change rarely, so browsers keep theirs.
      output: {
        codeSplitting: {
          groups: [
            // The preview of the recording page uses it, too, and nothing else of these.
            { name: 'preload', test: 'vite/preload-helper' },
            { name: 'libraries', tags: ['$initial'], test: /[\\/]node_modules[\\/]/ },
            { name: 'first', tags: ['$initial'], test: /[\\/]dashboard[\\/](?!preview[\\/])/ },
          ],
        },
      },
    },
  },
})

/** Its address does not change, so that browsers replace an old one. */
export const serviceWorker = (outDir: string): InlineConfig => ({
  configFile: false,
  root: at('./portal'),
  logLevel: 'warn',
  build: {
    target,
    outDir,
    emptyOutDir: true,
    lib: {
      entry: at('./service-worker/service-worker.ts'),
      formats: ['es'],
      fileName: () => 'service-worker.js',
    },
  },
})
