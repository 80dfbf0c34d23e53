/** About as often as the eye needs; fewer wake-ups save battery. */
const INTERVAL_MS = 80

/** Calls back with the loudness from 0 to 1, on a scale close to how loud people find it, until the returned function is called. */
export function watchLevel(stream: MediaStream, onLevel: (level: number) => void): () => void {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1_024
  const source = context.createMediaStreamSource(stream)
  source.connect(analyser)
  // A page that was not touched yet begins suspended.
  void context.resume()
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    if (document.hidden) return
    analyser.getFloatTimeDomainData(samples)
    onLevel(levelOf(samples))
  }, INTERVAL_MS)
  return () => {
    clearInterval(timer)
    source.disconnect()
    void context.close()
  }
}

/** Below this, in decibels, is silence; speech close to the microphone reaches about -15. */
const QUIETEST_DB = -60
const LOUDEST_DB = -10

function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 10 * Math.log10(sum / samples.length + 1e-12)
  return Math.min(1, Math.max(0, (decibels - QUIETEST_DB) / (LOUDEST_DB - QUIETEST_DB)))
}
