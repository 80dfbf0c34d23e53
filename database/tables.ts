import type { ColumnType, Generated } from 'kysely'

/** Set by the database's clock unless given; read as ISO 8601. */
type Timestamp = Generated<string>
/** Written as JSON text, read as a value. */
type Json<T> = ColumnType<T, string, string>

/** The columns of all tables. */
export interface Tables {
  organisations: {
    id: string
    name: string
    created_by: string | null
    created_at: Timestamp
    deleted_at: string | null
  }
  workspaces: {
    id: string
    organisation_id: string
    name: string
    tier: Generated<string>
    created_at: Timestamp
    deleted_at: string | null
  }
  organisation_members: {
    organisation_id: string
    user_id: string
    role: string
    created_at: Timestamp
  }
  workspace_members: {
    workspace_id: string
    user_id: string
    role: string
    created_at: Timestamp
  }
  projects: {
    id: string
    workspace_id: string
    name: string
    language: string
    languages: Json<string[]>
    is_open: boolean
    title: string | null
    description: string | null
    finish_text: string | null
    ask_name: boolean
    ask_email: boolean
    tags: Json<string[]>
    consent_text: string | null
    privacy_url: string | null
    retention_days: number | null
    hotwords: Json<string[]>
    created_at: Timestamp
    deleted_at: string | null
    erased_at: string | null
  }
  projects_to_empty: {
    project_id: string
  }
  consent_texts: {
    project_id: string
    version: string
    language: string
    text: string
    created_at: Timestamp
  }
  invitations: {
    id: string
    organisation_id: string
    workspace_id: string | null
    email: string
    role: string
    invited_by: string
    state: Generated<string>
    created_at: Timestamp
    expires_at: string
  }
  audit_log: {
    id: string
    at: Timestamp
    actor_id: string
    actor_staff: boolean
    action: string
    organisation_id: string | null
    to_organisation_id: string | null
    workspace_id: string | null
    target_kind: string
    target_id: string
    reason: string | null
    details: Json<Record<string, unknown>>
    request_id: string
  }
  idempotency_keys: {
    user_id: string
    key: string
    fingerprint: string
    response: string
    created_at: Timestamp
  }
  webhooks: {
    id: string
    project_id: string
    name: string | null
    url: string
    events: string[]
    payload: 'full' | 'ids'
    enabled: boolean
    disabled_reason: string | null
    disabled_at: string | null
    secret: string | null
    secret_version: Generated<number>
    secret_strength: 'weak' | 'ok' | null
    previous_secret: string | null
    previous_valid_until: string | null
    recent_tests: Generated<string[]>
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: string | null
  }
  endpoint_queues: {
    webhook_id: string
    owner: string | null
    fence: Generated<number>
    consecutive_failures: Generated<number>
    trial_at: string | null
    failed_trials: Generated<number>
    failing_since: string | null
    failures_since_success: Generated<number>
    last_attempt_at: string | null
    last_success_at: string | null
    last_status: number | null
  }
  dispatchers: {
    id: string
    host: string
    pid: number
    started_at: Timestamp
    lease_until: string
  }
  event_keys: {
    key: string
    event_id: string
  }
  events: {
    id: string
    project_id: string
    type: string
    subject_id: string
    occurred_at: string
    xid: Generated<string>
    full_body: Buffer | null
    ids_body: Buffer | null
  }
  deliveries: {
    id: string
    webhook_id: string
    event_id: string
    event_type: string
    event_at: string
    kind: 'event' | 'test' | 'resend' | 'replay'
    payload: 'full' | 'ids'
    status: 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'missed'
    attempts: Generated<number>
    created_at: string
    due_at: string
    expires_at: string
    finished_at: string | null
    last_status: number | null
    last_error: string | null
    replay_id: string | null
    superseded_by: string | null
  }
  attempts: {
    delivery_id: string
    number: number
    at: string
    duration_ms: number
    status: number | null
    error: string | null
    details: Json<AttemptDetails>
  }
  replays: {
    id: string
    webhook_id: string
    selection: 'failed' | 'missed' | 'undelivered' | 'all'
    events: string[]
    since: string
    until: string
    state: Generated<'running' | 'done' | 'cancelled'>
    total: number
    position: string | null
    created_at: Timestamp
    finished_at: string | null
  }
  conversations: {
    id: string
    project_id: string
    status: 'recording' | 'transcribing' | 'summarizing' | 'done' | 'failed'
    failure: string | null
    source: 'portal_audio' | 'portal_text' | 'upload'
    revision: Generated<number>
    language: string | null
    detected_language: string | null
    participant_name: string | null
    participant_email: string | null
    tags: string[]
    own_tags: Generated<boolean>
    title: string | null
    own_title: Generated<boolean>
    summary: ColumnType<ConversationSummary | null, string | null, string | null>
    token_digest: Buffer | null
    consent: ColumnType<ConsentRecord | null, string | null, string | null>
    started_at: Timestamp
    active_at: Timestamp
    finished_at: string | null
    finished_by_participant: Generated<boolean>
    duration_ms: Generated<number>
    missing_ms: Generated<number>
    bytes: Generated<number>
    changed: Generated<string>
    /** Set by the database together with `changed`. */
    changed_at: Generated<string | null>
    audio: ColumnType<JoinedAudio | null, string | null, string | null>
    audio_failure: AudioFailure | null
    deleted_at: string | null
    erased_at: string | null
  }
  chunks: {
    conversation_id: string
    seq: number
    digest: Buffer
    bytes: number
    container: string | null
    received_at: Timestamp
    recorded_at: string | null
    state: Generated<'stored' | 'transcribed' | 'failed'>
    failure: string | null
    duration_ms: number | null
    transcribed_ms: number | null
    waits_for_previous: Generated<boolean>
    stream_ms: number | null
    language: string | null
  }
  text_entries: {
    id: string
    conversation_id: string
    content: string
    written_at: Timestamp
  }
  segments: {
    conversation_id: string
    chunk_seq: number
    position: number
    start_ms: number
    end_ms: number
    text: string
  }
  conversation_words: {
    conversation_id: string
    project_id: string
    words: string
    tokenizer_version: Generated<number>
  }
  reports: {
    id: string
    project_id: string
    status: 'scheduled' | 'generating' | 'ready' | 'failed'
    failure: string | null
    title: string | null
    language: string
    instructions: string | null
    conversation_ids: string[] | null
    scheduled_at: string | null
    progress: Generated<number>
    published: Generated<boolean>
    /** What its renderings are made from; its shape is the reports' own. */
    document: ColumnType<unknown, string | null, string | null>
    conversation_count: Generated<number>
    created_by: string
    created_at: Timestamp
    ready_at: string | null
    deleted_at: string | null
    recovered_at: ColumnType<string | null, never, string>
  }
  report_sources: {
    report_id: string
    conversation_id: string
  }
  exports: {
    id: string
    workspace_id: string
    audio: boolean
    created_at: Timestamp
    expires_at: string
  }
}

/** The address, the response and other details of one attempt. */
export interface AttemptDetails {
  /** Absent where the phase did not happen. */
  dns_ms?: number
  connect_ms?: number
  tls_ms?: number
  first_byte_ms?: number
  address: string | null
  /** The target lies in a network that the operator opened: its response is never shown. */
  opened: boolean
  secret_version: number | null
  /** Host, user agent and signatures as sent. Absent after an erasure, and in attempts of older versions. */
  sent?: [host: string, userAgent: string, ...signatures: string[]]
  /** Absent after an erasure. */
  answer_headers?: Record<string, string>
  answer_body?: string
}

/** Why audio is not joined: no chunks, none that can be decoded, different codecs without ffmpeg, or every try failed. */
export type AudioFailure = 'no_chunks' | 'unreadable' | 'mixed' | 'internal'

/** The file that a revision's chunks were joined to. */
interface JoinedAudio {
  revision: number
  content_type: string
}

/** A summary as it is stored; the older ones have neither a model nor moments. */
export interface ConversationSummary {
  method: 'extractive' | 'generative'
  model?: string | null
  points: { text: string; segments: string[]; start_ms?: number | null }[]
}

/** What was agreed to: the text by its digest, in which language it was shown, and when. */
export interface ConsentRecord {
  text_sha256: string
  language: string
  at: string
}
