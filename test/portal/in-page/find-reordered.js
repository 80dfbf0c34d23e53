// The page's own words that stand after a name of a stranger in a sentence, and whose letters are drawn in the wrong order.
;(() => {
  const found = []
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const leftOf = (node, at) => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect().left
  }
  while (walker.nextNode()) {
    const node = walker.currentNode
    const end = node.data.indexOf('Stadt')
    if (end === -1) continue
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}]{3,}/gu)) {
      if (index < end + 'Stadt'.length) continue
      const isLeftToRight = leftOf(node, index) < leftOf(node, index + word.length - 1)
      if (isLeftToRight !== (document.documentElement.dir === 'ltr')) found.push(word)
    }
  }
  return found
})()
