// The longest times that the browser took to read audio and to save it, in seconds, with those that have not ended yet.
const { arrayBuffer } = Blob.prototype
let slowestRead = 0
const reading = new Set()
window.slowestRead = () => Math.max(slowestRead, ...[...reading].map(({ began }) => secondsSince(began)))
Blob.prototype.arrayBuffer = async function () {
  const read = { began: performance.now() }
  reading.add(read)
  try {
    return await arrayBuffer.call(this)
  } finally {
    reading.delete(read)
    slowestRead = Math.max(slowestRead, secondsSince(read.began))
  }
}
let slowest = 0
const running = new Set()
const secondsSince = (began) => (performance.now() - began) / 1_000
window.slowestSave = () => Math.max(slowest, ...[...running].map(({ began }) => secondsSince(began)))
const { transaction } = IDBDatabase.prototype
IDBDatabase.prototype.transaction = function (...given) {
  const save = { began: performance.now() }
  const tx = transaction.apply(this, given)
  running.add(save)
  tx.addEventListener('complete', () => {
    slowest = Math.max(slowest, secondsSince(save.began))
  })
  for (const end of ['complete', 'abort']) tx.addEventListener(end, () => running.delete(save))
  return tx
}
