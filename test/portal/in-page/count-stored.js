// How much the page has stored on the device.
window.countStored = async () => {
  const count = ({ name }) =>
    new Promise((resolve) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => {
        const stores = [...opening.result.objectStoreNames]
        const tx = opening.result.transaction(stores)
        const requests = stores.map((store) => tx.objectStore(store).count())
        tx.oncomplete = () => {
          opening.result.close()
          resolve(requests.reduce((sum, { result }) => sum + result, 0))
        }
      }
    })
  const rows = await Promise.all((await indexedDB.databases()).map(count))
  return { rows, local: localStorage.length, session: sessionStorage.length }
}
