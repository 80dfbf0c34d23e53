import { Blockquote, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { documentQuery } from './queries.ts'
import classes from './report-text.module.css'
import { type NameOf, SourceLink } from './source-link.tsx'

type Document = Schemas['ReportDocument']
type Section = Document['sections'][number]

/** The report to read on the page, with quotations that play the moment they cite. */
export function ReportText({ report: { id, project_id } }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const { data: document, error, refetch } = useQuery(documentQuery(id))
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!document) return <Skeleton height={320} />
  const names = new Map(
    document.conversations.map((one) => [one.id, one.participant ?? one.title ?? w.conversations.anonymous]),
  )
  const nameOf: NameOf = (conversationId) => names.get(conversationId) ?? w.conversations.anonymous
  return (
    <Card withBorder component="article" lang={document.language} p={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg" maw={720}>
        {document.introduction !== '' && <Text dir="auto">{document.introduction}</Text>}
        <Themes document={document} />
        {document.sections.map((section, index) => (
          <SectionText
            // biome-ignore lint/suspicious/noArrayIndexKey: sections have no id, and never move.
            key={index}
            section={section}
            projectId={project_id}
            nameOf={nameOf}
          />
        ))}
      </Stack>
    </Card>
  )
}

/** Bars: how many of all conversations each theme is from. */
function Themes({ document: { sections, conversation_count } }: { document: Document }): ReactNode {
  const w = useWords()
  const themes = sections.filter(({ heading, voices }) => heading !== '' && voices !== null)
  if (themes.length < 2) return null
  return (
    <figure className={classes['themes']}>
      <Text component="figcaption" size="sm" c="dimmed" mb="xs">
        {w.reports.themes}
      </Text>
      <dl className={classes['bars']}>
        {themes.map(({ heading, voices }) => (
          <div key={heading} className={classes['bar']}>
            <dt>
              <bdi>{heading}</bdi>
            </dt>
            <dd>
              <progress value={voices?.all ?? 0} max={conversation_count} aria-hidden />
              {w.reports.voices(voices?.all ?? 0, conversation_count)}
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  )
}

interface SectionProps {
  section: Section
  projectId: string
  nameOf: NameOf
}

function SectionText({
  section: { heading, voices, paragraphs, quotations },
  ...rest
}: SectionProps): ReactNode {
  const w = useWords()
  return (
    <section>
      <Title order={2} dir="auto">
        {heading === '' ? w.reports.other : heading}
      </Title>
      {voices && (voices.for > 0 || voices.against > 0) && (
        <Text size="sm" c="dimmed">
          {[
            voices.for > 0 && w.reports.inFavour(voices.for),
            voices.against > 0 && w.reports.against(voices.against),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      )}
      {paragraphs.map(({ text, sources }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no id, and never move.
        <Text key={index} mt="sm" dir="auto" {...(text === null && { c: 'dimmed' })}>
          {text ?? w.reports.withdrawn}{' '}
          {sources.map((source) => (
            <SourceLink key={`${source.conversation_id} ${source.start_ms}`} source={source} {...rest} />
          ))}
        </Text>
      ))}
      {quotations.map(({ text, source }, index) => (
        <Blockquote
          // biome-ignore lint/suspicious/noArrayIndexKey: quotations have no id, and never move.
          key={index}
          mt="md"
          p="sm"
          cite={source && <SourceLink source={source} isNamed {...rest} />}
        >
          <bdi>{text ?? w.reports.withdrawn}</bdi>
        </Blockquote>
      ))}
    </section>
  )
}
