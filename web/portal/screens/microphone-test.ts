import type { App } from '../app.ts'
import { recordFile } from '../recorder/recorder.ts'
import { button } from '../ui/controls.ts'
import { setText } from '../ui/element.ts'

const TEST_MS = 3_000

/** Records three seconds and plays them. Nothing of it is saved or sent. */
export function microphoneTest({ t, announce }: App, stream: MediaStream) {
  const audio = new Audio()
  let isOver = false
  const element = button('secondary', t('microphoneTest'), () => void test(), 'play')
  const label = element.querySelector('span') as HTMLElement
  const say = (text: string) => {
    setText(label, text)
    announce(text)
  }

  async function test(): Promise<void> {
    element.disabled = true
    say(t('microphoneTesting'))
    const recorded = await recordBriefly(stream)
    if (isOver) return
    say(t('microphonePlaying'))
    await playThrough(audio, recorded)
    element.disabled = false
    setText(label, t('microphoneTest'))
  }
  return {
    element,
    stop: () => {
      isOver = true
      audio.pause()
    },
  }
}

async function recordBriefly(stream: MediaStream): Promise<Blob> {
  const pieces: ArrayBuffer[] = []
  let type = ''
  const file = recordFile(stream, {
    onPiece: async (piece) => {
      type = piece.type
      pieces.push(piece.bytes)
    },
    onLost: () => {},
  })
  await new Promise((resolve) => setTimeout(resolve, TEST_MS))
  await file.stop()
  return new Blob(pieces, { type })
}

async function playThrough(audio: HTMLAudioElement, blob: Blob): Promise<void> {
  const url = URL.createObjectURL(blob)
  audio.src = url
  await new Promise<void>((resolve) => {
    audio.onended = audio.onerror = audio.onpause = () => resolve()
    audio.play().catch(() => resolve())
  })
  URL.revokeObjectURL(url)
}
