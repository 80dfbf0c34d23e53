// When the recorder really began, and gave its last piece, to compare with what was stored.
const { start } = MediaRecorder.prototype
MediaRecorder.prototype.start = function (...given) {
  this.addEventListener('start', () => {
    window.recordingSince = Date.now()
  })
  this.addEventListener('dataavailable', () => {
    window.lastPieceAt = Date.now()
  })
  return start.apply(this, given)
}
