import { Button, Card, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useWords } from '../../words/words.tsx'
import { nameOf } from '../names.ts'
import { aroundQuotations, isAdded } from '../opening.ts'
import { type DraftParagraph, type DraftSection, moved, newParagraph, replaced, without } from './draft.ts'
import classes from './editor.module.css'
import { PartTools } from './part-tools.tsx'

interface Props {
  base: Schemas['ReportDocument']
  method: Schemas['Report']['method']
  sections: DraftSection[]
  onChange: (sections: DraftSection[]) => void
}

export function Sections({ base, method, sections, onChange }: Props): ReactNode {
  const w = useWords()
  const added = new Set(
    base.sections.flatMap(({ paragraphs }) => paragraphs.filter(isAdded).map(({ key }) => key)),
  )
  const isOwn = ({ from }: DraftParagraph): boolean => from === null || added.has(from)
  return sections.map((section, at) => {
    const name = section.heading === '' ? w.reports.other : section.heading
    const set = (part: Partial<DraftSection>) => onChange(replaced(sections, at, { ...section, ...part }))
    const [opening, context] = aroundQuotations(section.paragraphs, method, isOwn)
    const parts = { all: section.paragraphs, onChange: (paragraphs: DraftParagraph[]) => set({ paragraphs }) }
    return (
      <Card key={section.id} withBorder component="section" aria-label={name}>
        <Group align="end" gap="xs" wrap="nowrap">
          <TextInput
            label={w.reportEditor.heading}
            value={section.heading}
            onChange={({ currentTarget }) => set({ heading: currentTarget.value })}
            placeholder={w.reports.other}
            maxLength={300}
            flex={1}
            fw={600}
            dir="auto"
          />
          <PartTools
            name={name}
            at={at}
            count={sections.length}
            onMove={(by) => onChange(moved(sections, at, by))}
            onRemove={() => onChange(without(sections, at))}
          />
        </Group>
        <Stack gap="xs" mt="sm">
          <Paragraphs {...parts} shown={opening} />
          {context.length > 0 && (
            <Quotations
              base={base}
              keys={section.quotations}
              onChange={(quotations) => set({ quotations })}
            />
          )}
          <Paragraphs {...parts} shown={context} />
          <div>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => set({ paragraphs: [...section.paragraphs, newParagraph()] })}
            >
              {w.reportEditor.addParagraph}
            </Button>
          </div>
          {context.length === 0 && (
            <Quotations
              base={base}
              keys={section.quotations}
              onChange={(quotations) => set({ quotations })}
            />
          )}
        </Stack>
      </Card>
    )
  })
}

interface ParagraphsProps {
  all: DraftParagraph[]
  shown: readonly DraftParagraph[]
  onChange: (paragraphs: DraftParagraph[]) => void
}

function Paragraphs({ all, shown, onChange }: ParagraphsProps): ReactNode {
  const w = useWords()
  return all.map(
    (paragraph, at) =>
      shown.includes(paragraph) && (
        <Group key={paragraph.id} align="start" gap="xs" wrap="nowrap">
          {paragraph.text === null ? (
            <Text c="dimmed" flex={1}>
              {w.reports.withdrawn}
            </Text>
          ) : (
            <Textarea
              aria-label={w.reportEditor.paragraph(at + 1)}
              value={paragraph.text}
              onChange={({ currentTarget }) =>
                onChange(replaced(all, at, { ...paragraph, text: currentTarget.value }))
              }
              autosize
              minRows={1}
              flex={1}
              dir="auto"
            />
          )}
          <PartTools
            name={w.reportEditor.paragraph(at + 1)}
            at={at}
            count={all.length}
            onMove={(by) => onChange(moved(all, at, by))}
            onRemove={() => onChange(without(all, at))}
          />
        </Group>
      ),
  )
}

interface QuotationsProps {
  base: Schemas['ReportDocument']
  keys: string[]
  onChange: (keys: string[]) => void
}

/** In the words of the people who said them: to be kept, moved or removed. */
function Quotations({ base, keys, onChange }: QuotationsProps): ReactNode {
  const w = useWords()
  const known = new Map(base.sections.flatMap(({ quotations }) => quotations.map((one) => [one.key, one])))
  const name = nameOf(base, w.reports.numbered, w.conversations.anonymous)
  return keys.map((key, at) => {
    const quotation = known.get(key)
    return (
      <Group key={key} align="start" gap="xs" wrap="nowrap">
        <blockquote className={classes['quotation']}>
          <bdi>{quotation?.text ?? w.reports.withdrawn}</bdi>
          {quotation?.source && (
            <Text size="sm" c="dimmed">
              <bdi>{name(quotation.source.conversation_id)}</bdi>
            </Text>
          )}
        </blockquote>
        <PartTools
          name={w.reportEditor.quotation(at + 1)}
          at={at}
          count={keys.length}
          onMove={(by) => onChange(moved(keys, at, by))}
          onRemove={() => onChange(without(keys, at))}
        />
      </Group>
    )
  })
}
