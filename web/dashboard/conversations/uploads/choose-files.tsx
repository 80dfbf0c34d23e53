import { Button, FileButton, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useState } from 'react'
import { bytes } from '../../usage/format.ts'
import { useWords } from '../../words/words.tsx'
import { addFiles } from './upload-store.ts'
import classes from './uploads.module.css'

const MAX_BYTES = 2 * 1024 ** 3
/** Formats that the API reads. Phones store recordings as video files too. */
const ACCEPTED =
  'audio/*,video/mp4,video/webm,video/quicktime,.m4a,.aac,.caf,.aiff,.aif,.aifc,.opus,.ogg,.oga,.flac'

export function ChooseFiles({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  return (
    <FileButton multiple accept={ACCEPTED} onChange={(files) => addFiles(projectId, files)}>
      {(props) => (
        <Button variant="default" title={w.uploads.help(bytes(MAX_BYTES))} {...props}>
          {w.uploads.choose}
        </Button>
      )}
    </FileButton>
  )
}

/** Files can be dropped anywhere on the page of conversations. */
export function DropZone({
  projectId,
  isEnabled,
  children,
}: {
  projectId: string
  isEnabled: boolean
  children: ReactNode
}): ReactNode {
  const w = useWords()
  const [isOver, setIsOver] = useState(false)
  if (!isEnabled) return children
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for keyboards.
    <div
      className={classes['zone']}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        addFiles(projectId, event.dataTransfer.files)
      }}
    >
      {isOver && (
        <div className={classes['over']}>
          <Text fw={600}>{w.uploads.drop}</Text>
          <Text size="sm">{w.uploads.help(bytes(MAX_BYTES))}</Text>
        </div>
      )}
      {children}
    </div>
  )
}
