// A device that has room for settings, but for no audio.
const { add } = IDBObjectStore.prototype
IDBObjectStore.prototype.add = function (value, ...rest) {
  if (value.bytes?.byteLength > 1) throw new DOMException('full', 'QuotaExceededError')
  return add.call(this, value, ...rest)
}
