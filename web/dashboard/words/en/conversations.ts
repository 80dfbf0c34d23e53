import { plural } from './plural.ts'

export const conversations = {
  title: 'Conversations',
  search: 'Search in names, titles and transcripts',
  status: 'Status',
  source: 'Source',
  tag: 'Tag',
  anyStatus: 'Any status',
  anySource: 'Any source',
  clear: 'Clear filters',
  none: 'No conversations yet',
  noneHelp: 'Open the recording link on a phone and say a few words.',
  noMatch: 'No conversation matches',
  noMatchHelp: 'Try fewer filters or another word.',
  statuses: {
    recording: 'Recording',
    transcribing: 'Transcribing',
    summarizing: 'Summarising',
    done: 'Done',
    failed: 'Failed',
  },
  sources: { portal_audio: 'Recorded', portal_text: 'Written', upload: 'Uploaded' },
  columns: { conversation: 'Conversation', status: 'Status', length: 'Length', started: 'Started' },
  anonymous: 'Anonymous',
  loaded: (count: number) => plural(count, 'conversation', 'conversations'),
}
