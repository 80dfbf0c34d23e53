import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fixturePath, temporaryFolder } from './fixtures.ts'

/** Replaces ffmpeg: writes `one.webm` for every input except MP3, where it runs a command. */
export function fakeFfmpeg(folder: string, atMp3: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'ffmpeg')
  writeFileSync(
    path,
    `#!/bin/sh
      case "$*" in *"-f mp3"*) ${atMp3};; esac
      for last; do :; done
      cp '${fixturePath('one.webm')}' "\${last#file:}"`,
  )
  chmodSync(path, 0o700)
  return path
}

/** Until the end of the test, `fakeFfmpeg` is the first one on the PATH. */
export function installFakeFfmpeg(t: TestContext): void {
  const folder = temporaryFolder(t)
  fakeFfmpeg(folder, 'exit 1')
  setPath(t, [folder, process.env['PATH']].join(delimiter))
}

/** Until the end of the test, only the returned folder is on the PATH, which is empty. */
export function uninstallFfmpeg(t: TestContext): string {
  const folder = temporaryFolder(t)
  setPath(t, folder)
  return folder
}

/** Read once: a test can set it twice, and hooks run in the order in which they were added. */
const ORIGINAL_PATH = process.env['PATH']

function setPath(t: TestContext, path: string): void {
  process.env['PATH'] = path
  t.after(() => {
    process.env['PATH'] = ORIGINAL_PATH
  })
}
