// Finds unsafe parts of the screen: elements and attributes that only markup can have made.
;(() => {
  const found = [...window.planted]
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName
    if (/^(iframe|object|embed|style|base|math|foreignobject|animate|set)$/i.test(name))
      found.push(`<${name}>`)
    if (
      name === 'script' &&
      !element.src.startsWith(`${location.origin}/p/assets/`) &&
      element.id !== 'project'
    )
      found.push('<script>')
    if (name === 'img' && !new URL(element.src).pathname.startsWith('/api/participant/projects/'))
      found.push(`<img src=${element.src}>`)
    if (
      name === 'a' &&
      !/^(https:|mailto:\?|http:\/\/parley\.test\/p\/)/.test(element.href) &&
      !element.href.startsWith(`${location.origin}/`)
    )
      found.push(`<a href=${element.href}>`)
    for (const { name: attribute } of element.attributes)
      if (/^on|^srcdoc$|^formaction$|^xlink/.test(attribute)) found.push(`${name} ${attribute}`)
    // Only the level of the microphone and the colours of the project are set by script.
    const { style } = element
    for (const property of style ?? [])
      if (!/^--(level|(on-)?accent-(light|dark))$/.test(property)) found.push(`${name} style ${property}`)
  }
  return found
})()
