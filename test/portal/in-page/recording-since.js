// When the recorder really began, to compare with what was stored.
const { start } = MediaRecorder.prototype
MediaRecorder.prototype.start = function (...given) {
  this.addEventListener('start', () => {
    window.recordingSince = Date.now()
  })
  return start.apply(this, given)
}
