import { plural } from '../shared/plural.ts'

export const uploads = {
  choose: 'Upload audio',
  title: 'Uploads',
  drop: 'Drop audio files to upload them',
  help: (max: string) =>
    `Recordings in any common format, up to ${max} each. Each file becomes a conversation.`,
  states: {
    queued: 'Waits for the files before it',
    sending: 'Uploading',
    waiting: 'Waits for the connection, then continues',
    done: 'Uploaded',
    failed: 'Not uploaded',
  },
  progress: (name: string) => `Progress of ${name}`,
  sent: (sent: string, total: string) => `${sent} of ${total}`,
  interrupted: 'Interrupted. Choose the same file again to continue.',
  open: 'Open',
  cancel: (name: string) => `Cancel the upload of ${name}`,
  cancelShort: 'Cancel',
  remove: (name: string) => `Remove ${name} from the list`,
  removeShort: 'Remove',
  forget: 'Forget',
  clear: 'Clear the list',
  doneCount: (count: number) => plural(count, 'file uploaded', 'files uploaded'),
}
