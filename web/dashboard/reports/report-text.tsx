import { Badge, Blockquote, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { nameOf } from './names.ts'
import { aroundQuotations, isAdded } from './opening.ts'
import { documentQuery } from './queries.ts'
import classes from './report-text.module.css'
import { type NameOf, SourceLink } from './source-link.tsx'
import { themesByCount } from './themes-by-count.ts'

type Document = Schemas['ReportDocument']
type Section = Document['sections'][number]

interface Props {
  report: Schemas['Report']
  version: number
}

/** The report to read on the page, with quotations that play the moment they cite. */
export function ReportText({ report: { id, project_id, method }, version }: Props): ReactNode {
  const w = useWords()
  const { data: document, error, refetch } = useQuery(documentQuery(id, version))
  if (error && !document) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!document) return <Skeleton height={320} />
  return (
    <Card withBorder component="article" lang={document.language} p={0} className={classes['article']}>
      <Stack gap="lg" maw={720} className={classes['body']}>
        {document.introduction !== '' && (
          <Text dir="auto" className={classes['text']}>
            {document.introduction}
          </Text>
        )}
        <Themes document={document} />
        {document.sections.map((section) => (
          <SectionText
            key={section.key}
            section={section}
            method={method}
            projectId={project_id}
            nameOf={nameOf(document, w.reports.numbered, w.conversations.anonymous)}
          />
        ))}
      </Stack>
    </Card>
  )
}

/** Bars: how many of all conversations each theme is from, and the statements that belong to no theme. */
function Themes({ document: { sections, conversation_count } }: { document: Document }): ReactNode {
  const w = useWords()
  const themes = themesByCount(sections)
  if (themes.length < 2) return null
  return (
    <figure className={classes['themes']}>
      <Text component="figcaption" size="sm" c="dimmed" mb="xs">
        {w.reports.themes}
      </Text>
      <dl className={classes['bars']}>
        {themes.map(({ key, heading, voices }) => (
          <div key={key} className={classes['bar']}>
            <dt>
              <bdi>{heading === '' ? w.reports.other : heading}</bdi>
            </dt>
            <dd>
              <progress value={voices?.all ?? 0} max={conversation_count} aria-hidden />
              <span>{w.reports.voices(voices?.all ?? 0, conversation_count)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  )
}

interface SectionProps {
  section: Section
  method: Schemas['Report']['method']
  projectId: string
  nameOf: NameOf
}

function SectionText({
  section: { heading, voices, paragraphs, quotations },
  method,
  ...rest
}: SectionProps): ReactNode {
  const w = useWords()
  const [opening, context] = aroundQuotations(paragraphs, method, isAdded)
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
      <Paragraphs paragraphs={opening} {...rest} />
      {quotations.map(({ key, text, source }) => (
        <Blockquote
          key={key}
          mt="md"
          p="sm"
          className={classes['quotation'] ?? ''}
          classNames={{ cite: classes['cite'] ?? '' }}
          cite={source && <SourceLink source={source} isNamed {...rest} />}
        >
          <bdi>{text ?? w.reports.withdrawn}</bdi>
        </Blockquote>
      ))}
      <Paragraphs paragraphs={context} {...rest} />
    </section>
  )
}

interface ParagraphsProps extends Pick<SectionProps, 'projectId' | 'nameOf'> {
  paragraphs: readonly Section['paragraphs'][number][]
}

function Paragraphs({ paragraphs, ...rest }: ParagraphsProps): ReactNode {
  const w = useWords()
  return paragraphs.map(({ key, text, sources, edited }) => (
    <Text
      key={key}
      mt="sm"
      dir="auto"
      component="div"
      className={classes['text']}
      {...(text === null && { c: 'dimmed' })}
    >
      {text ?? w.reports.withdrawn}{' '}
      {sources.map((source) => (
        <SourceLink key={`${source.conversation_id} ${source.start_ms}`} source={source} {...rest} />
      ))}
      {edited && (
        <Badge size="sm" color="gray" variant="light" className={classes['screen']}>
          {w.reports.edited}
        </Badge>
      )}
    </Text>
  ))
}
