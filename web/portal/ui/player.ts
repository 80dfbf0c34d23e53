import { clockTime, type Translate } from '../languages/languages.ts'
import type { RecordedFile } from '../recorded-files.ts'
import { button } from './controls.ts'
import { h, setText } from './element.ts'
import { replaceIcon } from './icons.ts'

/** More than any recording: makes the browser look for the end of a file that does not say how long it is. */
const BEYOND_THE_END = 1e9

/**
 * Plays all files of a recording as one. The browser's own player cannot: files of a recorder do not say how long they are, and
 * after an interruption there are several. Call `stop` when the player is no longer shown.
 */
export function player(t: Translate, files: RecordedFile[]) {
  const urls = files.map(({ blob }) => URL.createObjectURL(blob))
  const starts = files.map((_file, index) => sum(files.slice(0, index)))
  const totalMs = sum(files)
  const audio = new Audio()
  let current = -1

  const toggle = button('secondary', t('play'), () => void (audio.paused ? play() : audio.pause()), 'play')
  const label = toggle.querySelector('span') as HTMLElement
  const time = h('span', { class: 'player-time' })
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: Math.max(1, Math.round(totalMs / 100)),
    value: 0,
    'aria-label': t('playPosition'),
  })
  const element = h('div', { class: 'player' }, toggle, h('div', { class: 'position' }, slider, time))

  async function load(index: number, seconds: number): Promise<void> {
    if (index !== current) {
      current = index
      audio.src = urls[index] ?? ''
      await once(audio, 'loadedmetadata')
      if (audio.duration === Number.POSITIVE_INFINITY) {
        audio.currentTime = BEYOND_THE_END
        await once(audio, 'seeked')
      }
    }
    audio.currentTime = Math.min(seconds, Number.isFinite(audio.duration) ? audio.duration : seconds)
  }
  async function seek(ms: number): Promise<void> {
    const index = Math.max(
      0,
      starts.findLastIndex((start) => start <= ms),
    )
    await load(index, (ms - (starts[index] ?? 0)) / 1_000)
  }
  async function play(): Promise<void> {
    if (current === -1 || position() >= totalMs - 50) await seek(0)
    await audio.play().catch(() => {})
  }
  const position = () => Math.min(totalMs, (starts[current] ?? 0) + audio.currentTime * 1_000)
  const update = () => {
    const ms = current === -1 ? 0 : position()
    slider.value = String(Math.round(ms / 100))
    const text = `${clockTime(ms)} / ${clockTime(totalMs)}`
    setText(time, text)
    slider.setAttribute('aria-valuetext', text)
    setText(label, t(audio.paused ? 'play' : 'recordingPause'))
    replaceIcon(toggle, audio.paused ? 'play' : 'pause')
  }
  async function move(): Promise<void> {
    const wasPlaying = !audio.paused
    await seek(Number(slider.value) * 100)
    if (wasPlaying) await audio.play().catch(() => {})
    update()
  }
  async function playNext(): Promise<void> {
    if (current + 1 >= files.length) return update()
    await load(current + 1, 0)
    await audio.play().catch(() => {})
  }
  slider.addEventListener('input', () => void move())
  audio.addEventListener('ended', () => void playNext())
  for (const name of ['timeupdate', 'play', 'pause']) audio.addEventListener(name, update)
  update()
  return {
    element,
    stop: () => {
      audio.pause()
      audio.removeAttribute('src')
      for (const url of urls) URL.revokeObjectURL(url)
    },
  }
}

const sum = (files: RecordedFile[]): number => files.reduce((ms, { durationMs }) => ms + durationMs, 0)

/** Resolves also when the file cannot be read: then nothing is played. */
const once = (audio: HTMLAudioElement, name: string): Promise<void> =>
  new Promise((resolve) => {
    audio.addEventListener(name, () => resolve(), { once: true })
    audio.addEventListener('error', () => resolve(), { once: true })
  })
