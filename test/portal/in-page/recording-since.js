// When the recorder really began, gave its last piece and how long it recorded, to compare with what was stored.
const { start, stop } = MediaRecorder.prototype
window.capturedSeconds = 0
MediaRecorder.prototype.start = function (...given) {
  let since = null
  window.pieceSeconds = given[0] / 1_000
  this.noteEnd = () => {
    if (since !== null) window.capturedSeconds += (Date.now() - since) / 1_000
    since = null
  }
  this.addEventListener('start', () => {
    since = window.recordingSince = Date.now()
    const [track] = this.stream.getAudioTracks()
    const before = track.stats?.deliveredFramesDuration ?? 0
    // Seconds of audio from the microphone since then, in Chromium. On a busy machine it is slower than the clock.
    window.givenSeconds = () => (track.stats.deliveredFramesDuration - before) / 1_000
  })
  this.addEventListener('dataavailable', () => {
    window.lastPieceAt = Date.now()
  })
  this.addEventListener('stop', this.noteEnd)
  return start.apply(this, given)
}
MediaRecorder.prototype.stop = function () {
  this.noteEnd()
  return stop.apply(this)
}
// The longest time for which the page could not run, as on a busy machine.
window.stalledSeconds = 0
let lastTick = performance.now()
setInterval(() => {
  const now = performance.now()
  window.stalledSeconds = Math.max(window.stalledSeconds, (now - lastTick) / 1_000 - 0.1)
  lastTick = now
}, 100)
