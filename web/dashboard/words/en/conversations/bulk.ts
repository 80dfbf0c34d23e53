import { plural } from '../shared/plural.ts'

const them = (count: number): string => plural(count, 'conversation', 'conversations')

export const bulk = {
  bar: 'Actions for the selected conversations',
  selected: (count: number) => plural(count, 'selected', 'selected'),
  select: (title: string) => `Select ${title}`,
  selectAll: 'Select all that are loaded',
  clear: 'Clear the selection',
  tag: 'Add a tag',
  tagLabel: 'Tag',
  tagHelp: 'Conversations that have it already stay as they are.',
  tagConfirm: 'Add the tag',
  tagTitle: (count: number) => `Add a tag to ${them(count)}`,
  retranscribe: 'Transcribe again',
  download: 'Download transcripts',
  remove: 'Delete',
  removeTitle: (count: number) => `Delete ${them(count)}?`,
  removeHelp:
    'The audio, transcripts, summaries and quotations in all reports are erased. This cannot be undone.',
  removeConfirm: (count: number) => `Delete ${them(count)} for good`,
  running: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}…`,
  outcomes: {
    tag: (count: number) => `The tag was added to ${them(count)}.`,
    retranscribe: (count: number) =>
      `${plural(count, 'conversation is', 'conversations are')} being transcribed again.`,
    download: (count: number) => `${plural(count, 'transcript', 'transcripts')} downloaded.`,
    remove: (count: number) => `${plural(count, 'conversation was', 'conversations were')} deleted.`,
  },
  failed: (count: number) =>
    `It did not work for ${them(count)}, which ${count === 1 ? 'is' : 'are'} still selected:`,
  more: (count: number) => `and ${count.toLocaleString('en')} more`,
  fileName: 'transcripts',
}
