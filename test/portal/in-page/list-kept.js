// Names everything that the page keeps on the device: rows of databases, saved files, and short texts.
window.listKept = async () => {
  const rowsOf = ({ name }) =>
    new Promise((resolve) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => {
        const stores = [...opening.result.objectStoreNames]
        const tx = opening.result.transaction(stores)
        const keys = stores.map((store) => tx.objectStore(store).getAllKeys())
        tx.oncomplete = () =>
          resolve(keys.flatMap(({ result }) => result.map((key) => `${name}: ${JSON.stringify(key)}`)))
      }
    })
  const rows = (await Promise.all((await indexedDB.databases()).map(rowsOf))).flat()
  const saved = []
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      saved.push(`cache: ${new URL(url).pathname}`)
  return [...rows, ...saved, ...Object.keys(localStorage), ...Object.keys(sessionStorage)]
}
