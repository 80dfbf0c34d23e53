/** The field that goes anywhere, and the list of shortcuts. */
export const palette = {
  title: 'Go to',
  placeholder: 'Type a name or a word …',
  none: 'Nothing matches. Conversations are searched in the open project.',
  searching: 'Searching …',
  choose: 'choose',
  open: 'open',
  close: 'close',
  kinds: {
    recent: 'Recent',
    project: 'Project',
    page: 'Page',
    workspace: 'Workspace',
    organisation: 'Organisation',
    conversation: 'Conversation',
    report: 'Report',
    webhook: 'Webhook',
  },
  ofStaff: (page: string) => `Staff: ${page}`,
  shortcuts: 'Keyboard shortcuts',
  does: {
    goTo: 'Go to a project, conversation, report or page',
    search: 'Search in the list on this page',
    sheet: 'Show these shortcuts',
    escape: 'Close a dialog',
  },
}
