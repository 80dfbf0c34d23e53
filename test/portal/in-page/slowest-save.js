// The longest time that the disk took to save audio, in seconds.
window.slowestSave = 0
const { transaction } = IDBDatabase.prototype
IDBDatabase.prototype.transaction = function (...given) {
  const began = performance.now()
  const tx = transaction.apply(this, given)
  tx.addEventListener('complete', () => {
    window.slowestSave = Math.max(window.slowestSave, (performance.now() - began) / 1_000)
  })
  return tx
}
