import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Words that do not belong in code, texts and documents, with what to write instead. Most had several meanings here, or are
 * not what people search for.
 */
const WORDS: [word: RegExp, instead: string][] = [
  [/(?:\/\/|\/\*\*?|^\s*\*)\s+(?:What|Who|Whose|Whoever)\b/, 'a comment that begins with its subject'],
  [/\b[Nn]obody\b/, 'no one, or name the subject'],
  [/\bwhoever\b/i, 'name the subject'],
  [/\bunder way\b/i, 'in progress, running, open, in flight'],
  [/\banew\b/i, 'again'],
  [/\bfor ever\b/i, 'indefinitely, or say when it ends'],
  [/\bmeanwhile\b/i, 'in the meantime, or say when'],
  [/\blanes?\b/i, 'endpoint queue'],
  [/\bhungry\b/i, 'ready'],
  [/\bladder\b/i, 'retry schedule'],
  [/\bhear(s|d|ing)?\b/i, 'transcribe'],
  [/\bseams?\b/i, 'overlap'],
  [/\bverdicts?\b/i, 'decision'],
  [/\bdoer\b|\bdeeds?\b/i, 'actor, audit entry'],
  [/\bshipments?\b|\berrands?\b/i, 'outgoing request, pending request'],
  [/\btellings?\b|\boccurrences?\b/i, 'event envelope, domain event'],
  [/\bMOST_[A-Z]|_AT_ONCE\b/, 'MAX_X, X_BATCH_SIZE'],
  [/\blayGround\b/, 'createInfrastructure'],
]

/** Data of languages, and statements that are not ours. They can contain any word. */
const SPOKEN =
  /^(grounding\/languages\/en|scripts\/demo\/stories\/\w+|server\/(summaries\/engines\/(extractive\/(languages\/en|subjects\/compounds)|openai\/testing\/planted-claims)|reports\/contacts\/addresses|webhooks\/events\/samples))\.ts$/

/** Files that consist of example statements: only their test titles and comments are checked. */
const EXAMPLES = /^server\/(summaries|reports)\/.*(\.test\.ts$|\/testing\/)/
const OWN_WORDS = /\b(test|describe)\(|\/\/|\*/

/** Released migrations are never edited. The account `nobody` is a name of the operating system. Metric names are fixed. */
const ALLOWED = [/['`"]nobody['`"]/g, /parley_lanes?_\w+/g, /bike lanes/gi]
const FILES = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md', '*.sql', '*.py', '*.sh', '*.js', '*.html', '*.css']
const IGNORED =
  /^(LICENSE|scripts\/check-words\.ts|database\/migrations\/0021_plain_names\.sql|identity\/migrations\/.*)$/

let found = 0
for (const file of execFileSync('git', ['ls-files', ...FILES], { encoding: 'utf8' })
  .trim()
  .split('\n')) {
  // Git lists a file that was deleted and not committed yet.
  if (IGNORED.test(file) || SPOKEN.test(file) || !existsSync(file)) continue
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (EXAMPLES.test(file) && !OWN_WORDS.test(line)) continue
    const text = ALLOWED.reduce((rest, allowed) => rest.replace(allowed, ''), line)
    for (const [word, instead] of WORDS) {
      const match = word.exec(text)
      if (!match) continue
      found++
      console.error(`${file}:${index + 1}: "${match[0]}": write ${instead}`)
    }
  }
}
if (found > 0) process.exitCode = 1
