// Everything that the page keeps outside of IndexedDB, and its address.
JSON.stringify([
  Object.entries(localStorage),
  Object.entries(sessionStorage),
  document.cookie,
  window.name,
  history.state,
  location.href,
  document.referrer,
])
