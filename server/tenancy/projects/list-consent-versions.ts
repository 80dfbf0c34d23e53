import { sql } from 'kysely'
import { z } from 'zod'
import { cursorKey, type Page, type PageQuery, toPage } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import { timestamp } from '../../api/schema.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { versionOfConsent } from './consent-texts.ts'

export const ConsentVersion = z
  .object({
    version: z.string().meta({
      description: 'SHA-256 of the text, in hex; the `text_sha256` of a consent',
      examples: ['44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
    }),
    language: z.string().describe('Language of the project when the text was set'),
    text: z.string(),
    created_at: timestamp,
    current: z.boolean().describe('Whether participants see this text now'),
    conversations: z.number().int().describe('Conversations whose participant agreed to this text'),
  })
  .meta({ id: 'ConsentVersion' })

type Version = z.output<typeof ConsentVersion>

const isVersion = (key: string): boolean => /^[0-9a-f]{64}$/.test(key)

/** Every consent text of the project, newest first. */
export async function listConsentVersions(
  { db, target }: Context<ProjectTarget>,
  query: PageQuery,
): Promise<Page<Version>> {
  const after = cursorKey(query, isVersion)
  const { rows } = await sql<Omit<Version, 'current'>>`
    select t.version, t.language, t.text, t.created_at, coalesce(c.conversations, 0)::int as conversations
    from consent_texts t
    left join (
      select consent ->> 'text_sha256' as version, count(*) as conversations
      from conversations where project_id = ${target.id} and deleted_at is null and consent is not null
      group by 1
    ) c on c.version = t.version
    where t.project_id = ${target.id} and (${after}::text is null or (t.created_at, t.version) < (
      select created_at, version from consent_texts where project_id = ${target.id} and version = ${after}
    ))
    order by t.created_at desc, t.version desc
    limit ${query.limit + 1}`.execute(db)
  const current = target.consent_text === null ? null : versionOfConsent(target.consent_text)
  return toPage(
    rows.map((row) => ({ ...row, current: row.version === current })),
    query.limit,
    ({ version }) => version,
  )
}
