// When the recorder really began, gave its last piece and how much audio it got, to compare with what was stored.
const { start, stop } = MediaRecorder.prototype
window.capturedSeconds = 0
MediaRecorder.prototype.start = function (...given) {
  let givenByThis = () => 0
  window.pieceSeconds = given[0] / 1_000
  this.noteEnd = () => {
    window.capturedSeconds += givenByThis()
    givenByThis = () => 0
  }
  this.addEventListener('start', () => {
    window.recordingSince = Date.now()
    const [track] = this.stream.getAudioTracks()
    const before = track.stats?.deliveredFramesDuration ?? 0
    // Seconds of audio from the microphone since then, in Chromium. On a busy machine it is slower than the clock.
    window.givenSeconds = () => (track.stats.deliveredFramesDuration - before) / 1_000
    if (track.stats) givenByThis = window.givenSeconds
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
