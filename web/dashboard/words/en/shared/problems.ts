export const problems = {
  title: 'That did not work',
  unreachable: 'The server is not responding. Check the connection; nothing you typed is lost.',
  unexpected:
    'Something unexpected happened in this page. Reload it; if it happens again, tell your operator.',
  requestId: (id: string) => `Request ${id}`,
  notFoundTitle: 'This page does not exist',
  notFound: 'The link may be old, or you have no access to what it names.',
  notAllowedTitle: 'Your role does not include this page',
  notAllowed: 'Ask an owner or admin of the workspace if you need it.',
  home: 'Go to the start page',
  changedByOthers:
    'Someone else changed this in the meantime. Your text is kept; look at the new version and save again.',
}
