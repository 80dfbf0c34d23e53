// Notes what a page must never do: run planted code, or try to load what its policy forbids.
window.planted = []
window.hacked = (...what) => window.planted.push(`ran: ${what.join()}`)
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
  window.planted.push(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`),
)
