import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Gallery, heightFor, openGallery } from './gallery.ts'
import { GALLERY_LANGUAGES, type GalleryLanguage } from './projects.ts'
import { SCENES, type Scene } from './scenes.ts'

const WIDTHS = [360, 768, 1280]
const OUT = process.env['OUT'] ?? '/tmp/look-shots'

async function shoot(gallery: Gallery, scene: Scene, language: GalleryLanguage): Promise<void> {
  const { page, context } = await gallery.open(scene, language)
  try {
    for (const [width, colorScheme] of [
      [360, 'dark'],
      ...WIDTHS.map((width) => [width, 'light'] as const),
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: heightFor(width) })
      await page.waitForTimeout(80)
      await page.screenshot({
        path: join(OUT, `${scene.name}-${language}-${width}${colorScheme === 'dark' ? '-dark' : ''}.png`),
      })
    }
  } finally {
    await context.close()
  }
}

const only = process.argv.slice(2)
await mkdir(OUT, { recursive: true })
const gallery = await openGallery()
const due = SCENES.filter(({ name }) => only.length === 0 || only.includes(name)).flatMap((scene) =>
  ((process.env['LANGS']?.split(',') as GalleryLanguage[]) ?? GALLERY_LANGUAGES).map(
    (language) => [scene, language] as const,
  ),
)
const began = Date.now()
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let next = due.shift(); next; next = due.shift())
      await shoot(gallery, ...next).catch((error: Error) =>
        console.error(next?.[0].name, next?.[1], error.message.slice(0, 400)),
      )
  }),
)
console.log(`${(Date.now() - began) / 1000} s`)
await gallery.close()
