import { Autocomplete, Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../words/words.tsx'

/** Any tag; those of the project are suggested. */
export function TagForm({ tags, onSubmit }: { tags: string[]; onSubmit: (tag: string) => void }): ReactNode {
  const w = useWords()
  const [typed, setTyped] = useState('')
  const tag = typed.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (tag !== '') onSubmit(tag)
      }}
    >
      <Autocomplete
        label={w.bulk.tagLabel}
        description={w.bulk.tagHelp}
        value={typed}
        onChange={setTyped}
        data={tags}
        maxLength={100}
        data-autofocus
      />
      <Group mt="lg" justify="end">
        <Button type="submit" disabled={tag === ''}>
          {w.bulk.tagConfirm}
        </Button>
      </Group>
    </form>
  )
}
