import { Checkbox, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import text from '../ui/row-text.module.css'
import { clock, Time } from '../ui/time.tsx'
import { useVisibleRows } from '../ui/visible-rows.ts'
import { useWords } from '../words/words.tsx'
import classes from './conversation-list.module.css'
import { fromFirstFound } from './find-words.ts'
import { Found } from './found.tsx'
import { StatusBadge } from './rows.tsx'

type Conversation = Schemas['ListedConversation']

const ROW_HEIGHT = 60
/** With a passage of the transcript. */
const FOUND_ROW_HEIGHT = 84
/** Rows before the end at which the next page is read. */
const AHEAD = 40

interface Props {
  conversations: Conversation[]
  hasMore: boolean
  onEnd: () => void
  /** The words that were searched for. */
  words: readonly string[]
  selected: ReadonlySet<string>
  onToggle: (conversations: Conversation[], isSelected: boolean) => void
}

/** Only the rows on the screen are in the page: 100,000 of them scroll smoothly. */
export function ConversationList({ conversations, hasMore, onEnd, ...rest }: Props): ReactNode {
  const w = useWords()
  const { columns } = w.conversations
  const { words, selected, onToggle } = rest
  const height = words.length > 0 ? FOUND_ROW_HEIGHT : ROW_HEIGHT
  const { body, rows, totalHeight } = useVisibleRows({ records: conversations, height, ahead: AHEAD, onEnd })
  return (
    <div>
      <div className={classes['head']}>
        <Checkbox
          aria-label={w.bulk.selectAll}
          checked={selected.size > 0 && selected.size >= conversations.length}
          indeterminate={selected.size > 0 && selected.size < conversations.length}
          onChange={({ currentTarget }) => onToggle(conversations, currentTarget.checked)}
        />
        <div>{columns.conversation}</div>
        <div>{columns.status}</div>
        <div className={`${classes['wide']} ${classes['number']}`}>{columns.length}</div>
        <div className={classes['wide']}>{columns.started}</div>
      </div>
      <ul
        ref={body}
        aria-label={w.conversations.title}
        className={classes['body']}
        style={{ height: totalHeight }}
      >
        {rows.map(({ index, key, top }) => {
          const conversation = conversations[index]
          if (!conversation) return null
          const isSelected = selected.has(conversation.id)
          return (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : conversations.length}
              className={classes['item']}
              data-selected={isSelected || undefined}
              style={{ height, transform: `translateY(${top}px)` }}
            >
              <Cells conversation={conversation} words={words} isSelected={isSelected} onToggle={onToggle} />
            </li>
          )
        })}
      </ul>
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {w.conversations.loaded(conversations.length)}
        {hasMore && '+'}
      </Text>
    </div>
  )
}

interface CellsProps {
  conversation: Conversation
  words: readonly string[]
  isSelected: boolean
  onToggle: Props['onToggle']
}

const Cells = memo(function Cells({ conversation, words, isSelected, onToggle }: CellsProps): ReactNode {
  const w = useWords()
  const { id, project_id, participant_name, tags, status, duration_seconds, started_at, match } = conversation
  // At most half of the line before the word that was found.
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const title = conversation.title ?? participant_name ?? w.common.untitled
  const about = [...(conversation.title && participant_name ? [participant_name] : []), ...tags]
  return (
    <>
      <Checkbox
        className={classes['box'] ?? ''}
        aria-label={w.bulk.select(title)}
        checked={isSelected}
        onChange={({ currentTarget }) => onToggle([conversation], currentTarget.checked)}
      />
      <div>
        <p className={`${text['text']} ${text['line']}`}>
          <Link
            to="/projects/$pid/conversations/$cid"
            params={{ pid: project_id, cid: id }}
            className={classes['link']}
            dir="auto"
          >
            <Found text={title} words={words} />
          </Link>
        </p>
        {match != null && (
          <p className={`${text['text']} ${text['line']}`} dir="auto">
            <Found text={fromFirstFound(match, words, isPhone ? 16 : 40)} words={words} />
          </p>
        )}
        <p className={`${text['small']} ${text['line']}`}>
          {about.map((part, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name can be equal to a tag.
            <span key={n}>
              {n > 0 && ' · '}
              <bdi>
                <Found text={part} words={words} />
              </bdi>
            </span>
          ))}
          {about.length === 0 && (conversation.code ?? w.conversations.anonymous)}
        </p>
      </div>
      <div className={classes['cell']}>
        <StatusBadge status={status} />
      </div>
      <div className={`${classes['wide']} ${classes['number']}`}>
        <p className={text['text']}>{duration_seconds > 0 ? clock(duration_seconds) : '–'}</p>
      </div>
      <div className={classes['wide']}>
        <p className={text['text']}>
          <Time at={started_at} />
        </p>
      </div>
    </>
  )
})
