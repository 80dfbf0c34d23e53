// As in a private mode that gives pages no storage.
indexedDB.open = () => {
  throw new DOMException('denied', 'SecurityError')
}
