import { Kbd, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../../words/words.tsx'
import { type Entry, useEntries } from './entries.ts'
import classes from './palette.module.css'

const TYPING_MS = 150
const idOf = (at: number): string => `go-to-${at}`

/** Goes to a project, conversation, report, webhook, organisation, workspace or page, by keyboard alone. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const w = useWords()
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label={w.palette.title}>
        <Modal.Body p={0}>
          <Choice onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Choice({ onClose }: { onClose: () => void }): ReactNode {
  const w = useWords()
  const { history } = useRouter()
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed, TYPING_MS)
  const { entries, isSearching } = useEntries(typed, searched)
  const [at, setAt] = useState(0)
  const marked = Math.min(at, Math.max(0, entries.length - 1))
  useEffect(() => {
    document.getElementById(idOf(marked))?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  const go = ({ path }: Entry) => {
    onClose()
    history.push(path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: marked + 1, ArrowUp: marked - 1 }
    const next = steps[event.key]
    const entry = entries[marked]
    if (event.key === 'Enter' && entry) go(entry)
    else if (next !== undefined && entries.length > 0) setAt((next + entries.length) % entries.length)
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        placeholder={w.palette.placeholder}
        aria-label={w.palette.title}
        role="combobox"
        aria-expanded
        aria-controls="go-to"
        {...(entries.length > 0 && { 'aria-activedescendant': idOf(marked) })}
        autoComplete="off"
        size="md"
        variant="unstyled"
        px="md"
        data-autofocus
      />
      <div id="go-to" role="listbox" aria-label={w.palette.title} className={classes['list']}>
        {entries.map((entry, index) => (
          // The keyboard is handled by the field, which keeps the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
          // biome-ignore lint/a11y/useFocusableInteractive: see above.
          <div
            key={entry.path}
            id={idOf(index)}
            role="option"
            aria-selected={index === marked}
            className={classes['entry']}
            onClick={() => go(entry)}
            onMouseMove={() => setAt(index)}
          >
            <bdi className={classes['label']}>{entry.label}</bdi>
            <Text size="xs" c="dimmed" component="span">
              {entry.kind}
            </Text>
          </div>
        ))}
      </div>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed" p="md" role="status">
          {isSearching ? w.palette.searching : w.palette.none}
        </Text>
      )}
      <Text size="xs" c="dimmed" className={classes['keys']}>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {w.palette.choose} · <Kbd size="xs">↵</Kbd>{' '}
        {w.palette.open} · <Kbd size="xs">Esc</Kbd> {w.palette.close}
      </Text>
    </>
  )
}
