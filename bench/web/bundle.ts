import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const DIST = join(import.meta.dirname, '../../web/dist/dashboard')

/** Bytes as sent with gzip. */
const gzipped = (file: string): number => statSync(join(DIST, `${file}.gz`)).size
const sum = (files: string[]): number => files.reduce((total, file) => total + gzipped(file), 0)

/** The files that the first page needs, and those that are loaded with a route. The scripts of the page list everything that they import statically. */
export function measureBundle() {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const initial = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  )
  const later = globSync('assets/*.{js,css}', { cwd: DIST }).filter((file) => !initial.includes(file))
  const nameOf = (file: string): string => file.replace(/^assets\//, '').replace(/-[\w-]{8}(?=\.\w+$)/, '')
  const bySize = later.map((file) => ({ file: nameOf(file), gzip_bytes: gzipped(file) }))
  return {
    initial_js_gzip_bytes: sum(initial.filter((file) => file.endsWith('.js'))),
    initial_css_gzip_bytes: sum(initial.filter((file) => file.endsWith('.css'))),
    initial_files: initial.length,
    largest_later_chunks: bySize.toSorted((a, b) => b.gzip_bytes - a.gzip_bytes).slice(0, 12),
    later_chunks: later.length,
    all_gzip_bytes: sum([...initial, ...later]),
  }
}
