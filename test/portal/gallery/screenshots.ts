import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Gallery, heightFor, openGallery } from './gallery.ts'
import { GALLERY_LANGUAGES, type GalleryLanguage } from './projects.ts'
import { SCENES, type Scene } from './scenes.ts'
import { createSheetMaker, type Shot } from './sheets.ts'

/**
 * `npm run docs:screenshots:portal [-- scene…]`: pictures of every screen into docs/images/portal, as contact sheets by language and
 * width, and those that the guides show. `SHOTS=folder` also keeps each picture in its full size.
 */
const OUT = join(import.meta.dirname, '../../../docs/images/portal')
const FULL = process.env['SHOTS']

interface View {
  width: number
  colorScheme: 'light' | 'dark'
}

const VIEWS: View[] = [
  { width: 360, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 768, colorScheme: 'light' },
  { width: 1280, colorScheme: 'light' },
]

/** The pictures of the guides. */
const SHOWN: Record<string, number> = {
  welcome: 360,
  consent: 360,
  'microphone-level': 360,
  'microphone-blocked': 360,
  recording: 360,
  review: 360,
  thanks: 360,
  'sending-offline': 360,
  kiosk: 768,
}

const viewName = ({ width, colorScheme }: View): string =>
  colorScheme === 'dark' ? `${width}-dark` : `${width}`

async function shoot(gallery: Gallery, scene: Scene, language: GalleryLanguage): Promise<Map<string, Shot>> {
  const { page, browserContext } = await gallery.open(scene, language, { deviceScaleFactor: 2 })
  const shots = new Map<string, Shot>()
  try {
    for (const view of VIEWS) {
      await page.emulateMedia({ colorScheme: view.colorScheme })
      await page.setViewportSize({ width: view.width, height: heightFor(view.width) })
      const png = await page.screenshot()
      shots.set(`${language}-${viewName(view)}`, { name: scene.name, width: view.width, png })
      if (FULL) await writeFile(join(FULL, `${scene.name}-${language}-${viewName(view)}.png`), png)
    }
  } finally {
    await browserContext.close()
  }
  return shots
}

/** Each worker takes the next scene: most of the time is spent waiting for a recording. */
async function shootAll(gallery: Gallery, scenes: Scene[]): Promise<Map<string, Shot[]>> {
  const due = scenes.flatMap((scene) => GALLERY_LANGUAGES.map((language) => ({ scene, language })))
  const sheets = new Map<string, Shot[]>()
  const worker = async () => {
    for (let next = due.shift(); next; next = due.shift())
      for (const [sheet, shot] of await shoot(gallery, next.scene, next.language))
        sheets.set(sheet, [...(sheets.get(sheet) ?? []), shot])
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return sheets
}

const given = process.argv.slice(2)
const scenes = SCENES.filter(({ name }) => given.length === 0 || given.includes(name))
const order = (shot: Shot): number => SCENES.findIndex(({ name }) => name === shot.name)
await mkdir(OUT, { recursive: true })
if (FULL) await mkdir(FULL, { recursive: true })
const gallery = await openGallery()
const sheets = await shootAll(gallery, scenes)
const maker = await createSheetMaker()
for (const [name, shots] of sheets) {
  // A part of the scenes would make an incomplete sheet.
  if (given.length === 0)
    await writeFile(
      join(OUT, `sheet-${name}.webp`),
      await maker.sheet(shots.toSorted((a, b) => order(a) - order(b))),
    )
  for (const shot of shots)
    if (name === `en-${SHOWN[shot.name]}`)
      await writeFile(join(OUT, `${shot.name}.webp`), await maker.single(shot))
}
await maker.close()
await gallery.close()
console.log(`${scenes.length} screens, ${sheets.size} views, in ${OUT}`)
