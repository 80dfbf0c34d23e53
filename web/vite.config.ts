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
    rolldownOptions: { input: at('./portal/index.html') },
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
