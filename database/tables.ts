import type { ColumnType, Generated } from 'kysely'

/** `now()` of the database unless a value is inserted. Read as an ISO 8601 string. */
type Timestamp = Generated<string>
/** Inserted as JSON text, read as a parsed value. */
type Json<T> = ColumnType<T, string, string>

/** Column types for Kysely. The migrations explain the tables; here are the columns whose names do not say enough. */
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
    /** `#rrggbb` in lower case. */
    accent_color: string | null
    logo: ColumnType<StoredLogo | null, string | null | undefined, string | null>
    /** In upper case. */
    short_code: Generated<string>
    created_at: Timestamp
    deleted_at: string | null
    /** When the event payloads of a deleted project were erased. */
    erased_at: string | null
  }
  /** Deleted projects whose conversations are not deleted yet. */
  projects_to_empty: {
    project_id: string
  }
  /** Every consent text that a project ever had. */
  consent_texts: {
    project_id: string
    /** SHA-256 of the text, in hex. */
    version: string
    language: string
    text: string
    created_at: Timestamp
  }
  invitations: {
    id: string
    organisation_id: string
    /** Null: an invitation to the organisation itself. */
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
    /** The new organisation of a transferred workspace. */
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
    /** A digest of method, path and body, to reject the same key on another request. */
    fingerprint: string
    /** Encrypted, because a response can contain a secret. */
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
    /** The last time it was disabled. Deliveries that were pending then are missed, even if it was enabled again. */
    disabled_at: string | null
    /** Encrypted, as is `previous_secret`. */
    secret: string | null
    secret_version: Generated<number>
    secret_strength: 'weak' | 'ok' | null
    previous_secret: string | null
    previous_valid_until: string | null
    /** Times of the last test deliveries, for the limit of 10 per minute across all processes. */
    recent_tests: Generated<string[]>
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: string | null
  }
  endpoint_queues: {
    webhook_id: string
    /** The dispatcher that leases the queue and claims its deliveries. */
    owner: string | null
    /** Grows with each change of owner. A dispatcher that writes with an older number has lost the queue. */
    fence: Generated<number>
    /** The circuit breaker opens when this reaches the limit. */
    consecutive_failures: Generated<number>
    /** Set while the circuit breaker is open: the time of the next trial request. */
    trial_at: string | null
    /** Failed trial requests since the circuit breaker opened: each doubles the wait for the next one. */
    failed_trials: Generated<number>
    /** The first failure since the last success. With `failures_since_success`, it disables the webhook as failing. */
    failing_since: string | null
    failures_since_success: Generated<number>
    last_attempt_at: string | null
    last_success_at: string | null
    last_status: number | null
  }
  /** Processes that deliver. A dispatcher owns its endpoint queues until its lease ends. */
  dispatchers: {
    id: string
    host: string
    pid: number
    started_at: Timestamp
    lease_until: string
    busy_queues: Generated<number>
    requests_per_second: number | null
  }
  /** API processes that are alive. They share rate limits, slots and locks in the two tables below. */
  api_processes: {
    id: string
    lease_until: string
  }
  rate_limit_buckets: {
    /** A digest of the limit and its key. */
    key: string
    tokens: number
    refilled_at: string
  }
  held_slots: {
    key: string
    id: string
    process_id: string
    /** Set when a request in another process waits for this slot: the holder then ends the request that holds it. */
    wanted: Generated<boolean>
  }
  /** Deduplicates events: a change of state that is retried publishes its event once. */
  event_keys: {
    key: string
    event_id: string
  }
  events: {
    id: string
    project_id: string
    type: string
    /** The conversation or report, so that its erasure finds the event. */
    subject_id: string
    occurred_at: string
    /** The transaction that wrote it. Feeds stop before the oldest open transaction, so that they skip no event. */
    xid: Generated<string>
    /** The signed bytes for each `payload` of a webhook; null after an erasure. */
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
    /** The later delivery of the same event that replaced this one. */
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
    /** The last event or delivery that was processed; the next batch continues after it. */
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
    /** Increases when the conversation is processed again. */
    revision: Generated<number>
    /** As chosen at the start or by a host; null: the language of the project. */
    language: string | null
    detected_language: string | null
    participant_name: string | null
    participant_email: string | null
    tags: string[]
    /** A host chose the tags: a summary does not add any. */
    own_tags: Generated<boolean>
    title: string | null
    /** A host chose the title: a summary does not replace it. */
    own_title: Generated<boolean>
    summary: ColumnType<ConversationSummary | null, string | null, string | null>
    /** SHA-256 of the participant token; null for the upload of a host. */
    token_digest: Buffer | null
    consent: ColumnType<ConsentRecord | null, string | null, string | null>
    started_at: Timestamp
    /** The last chunk, text entry or heartbeat. */
    active_at: Timestamp
    /** When the participant's page last said that recording is paused. */
    paused_at: string | null
    finished_at: string | null
    /** False: the service closed it after 15 minutes without activity. */
    finished_by_participant: Generated<boolean>
    duration_ms: Generated<number>
    missing_ms: Generated<number>
    /** Set if the participant has finished it although some of these chunks are missing. */
    announced_chunks: number | null
    /** The recommended length of a chunk; null for uploads. */
    chunk_seconds: number | null
    bytes: Generated<number>
    /** The transaction that last changed a field that streams show. */
    changed: Generated<string>
    /** The time of `changed`, set by a trigger. */
    changed_at: Generated<string | null>
    audio: ColumnType<JoinedAudio | null, string | null, string | null>
    audio_failure: AudioFailure | null
    speakers: ColumnType<SpeakerNames | null, string | null, string | null>
    /** The model that wrote the transcript; null: unknown, or there is none. */
    transcript_model: string | null
    /** Null until the fast model has transcribed everything; null again when it transcribes more audio. */
    second_pass: 'waiting' | 'done' | null
    /** On the receipt of the participant, set by a trigger; null after the erasure. */
    code: Generated<string | null>
    deleted_at: string | null
    erased_at: string | null
  }
  chunks: {
    conversation_id: string
    seq: number
    digest: Buffer
    bytes: number
    /** The audio format; null if the chunk continues the file of the previous one. */
    container: string | null
    received_at: Timestamp
    recorded_at: string | null
    state: Generated<'stored' | 'transcribed' | 'failed'>
    failure: string | null
    /** Null until the chunk is decoded. */
    duration_ms: number | null
    /** How much of a long chunk is transcribed, while the rest is not or after the rest has failed. */
    transcribed_ms: number | null
    /**
     * Start of the speech that continues beyond the end of the chunk, in ms from the start of the chunk. Negative if that speech began
     * before the chunk; null if unknown. The transcription of the next chunk begins there.
     */
    finished_ms: number | null
    /** Its job ended because the previous chunk was not transcribed. Transcribing that chunk enqueues a new job. */
    waits_for_previous: Generated<boolean>
    /** The chunk's time in the recorder's stream, -1 if unknown. Set only if it was transcribed without the chunk before it. */
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
    id: Generated<string>
    language: string | null
    confidence: number | null
    words: ColumnType<SegmentWord[] | null, string | null, string | null>
    speaker: string | null
    changed: Generated<string>
    changed_at: Generated<string | null>
  }
  segment_corrections: {
    segment_id: string
    conversation_id: string
    chunk_seq: number
    start_ms: number
    end_ms: number
    text: string
    edited_by: string
    edited_at: Timestamp
  }
  removed_segments: {
    id: string
    conversation_id: string
    changed: Generated<string>
    changed_at: Timestamp
  }
  /** Times are in milliseconds of the transcribed audio, as server/transcription/second-pass/time-axis.ts counts them. */
  second_passes: {
    id: Generated<string>
    conversation_id: string
    done_ms: Generated<number>
    advanced_at: Timestamp
  }
  second_pass_segments: {
    pass_id: string
    position: ColumnType<number, never, never>
    start_ms: number
    end_ms: number
    text: string
    language: string | null
    confidence: number | null
    words: ColumnType<SegmentWord[] | null, string | null, string | null>
  }
  /** The search index over transcript, title and summary. */
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
    /** Null: all conversations at the time of generation. */
    conversation_ids: string[] | null
    scheduled_at: string | null
    /** From 0 to 1. */
    progress: Generated<number>
    published: Generated<boolean>
    /** Whether the published report hides names. */
    redact_names: Generated<boolean>
    /** The source of every rendering: a `ReportDocument`, which only server/reports knows. */
    document: ColumnType<unknown, string | null, string | null>
    conversation_count: Generated<number>
    created_by: string
    created_at: Timestamp
    ready_at: string | null
    deleted_at: string | null
    /** When a report whose job was lost got a new one. This happens once; after that, the report fails. */
    recovered_at: ColumnType<string | null, never, string>
    /** The version of `document`; 1 is the generated one. */
    version: Generated<number>
    /** The version that everyone can read. */
    published_version: ColumnType<number | null, never, number | null>
    /** The author of the current version; null for the generated one. */
    edited_by: ColumnType<string | null, never, string>
    edited_at: ColumnType<string | null, never, string>
    /** The version of which the current one is a copy. */
    restored_from: ColumnType<number | null, never, number | null>
  }
  /** Versions of reports before the current one. */
  report_versions: {
    report_id: string
    number: number
    document: ColumnType<unknown, string, string>
    created_by: string | null
    created_at: string
    restored_from: number | null
  }
  /** The conversations that a report quotes, so that their erasure finds the report. */
  report_sources: {
    report_id: string
    conversation_id: string
  }
  conversation_notes: {
    conversation_id: string
    language: string
    revision: number
    key: string
    notes: ColumnType<unknown, string, string>
    created_at: Timestamp
  }
  exports: {
    id: string
    workspace_id: string
    audio: boolean
    created_at: Timestamp
    expires_at: string
  }
}

/** Details of an attempt that no statement filters by. */
export interface AttemptDetails {
  /** Timings are absent for phases that did not happen, such as connecting on a reused connection. */
  dns_ms?: number
  connect_ms?: number
  tls_ms?: number
  first_byte_ms?: number
  address: string | null
  /** The operator allowed this private network (WEBHOOK_ALLOW_NETWORKS): customers never see the response. */
  opened: boolean
  secret_version: number | null
  /** Host, user agent and signatures as sent. Absent after an erasure, and in attempts of older versions. */
  sent?: [host: string, userAgent: string, ...signatures: string[]]
  /** The headers and the beginning of the body of the response. Absent after an erasure. */
  answer_headers?: Record<string, string>
  answer_body?: string
}

/**
 * Why the audio was not joined: there are no chunks, none can be decoded, only ffmpeg can convert them and it is not installed
 * (`mixed`), or every attempt failed.
 */
export type AudioFailure = 'no_chunks' | 'unreadable' | 'mixed' | 'internal'

/** The file into which the chunks of this revision were joined. */
interface JoinedAudio {
  revision: number
  content_type: string
}

/** The names of speakers by their label. */
export type SpeakerNames = Record<string, string>

/** Times are milliseconds from the start of the chunk. */
export interface SegmentWord {
  text: string
  start_ms: number
  end_ms: number
  confidence: number
}

/** Summaries of older versions have neither `model` nor `start_ms`. */
export interface ConversationSummary {
  method: 'extractive' | 'generative'
  model?: string | null
  /** Why sentences were selected although a model is configured. */
  fallback?: string
  points: { text: string; segments: string[]; start_ms?: number | null }[]
}

/** Which text the participant accepted (by its digest in `consent_texts`), in which language, and when. */
export interface ConsentRecord {
  text_sha256: string
  language: string
  at: string
}

/** The logo of a project. */
export interface StoredLogo {
  /** The key in the file store. Each upload gets a new key. */
  key: string
  /** A digest of the content, for URLs and caches. */
  version: string
  bytes: number
  width: number
  height: number
}
