import { anyInjectionWord, inAllLanguages } from './languages/index.ts'
import { sentencesOf } from './text/sentences.ts'

/** Chinese, Japanese and Arabic join words together, so word boundaries are checked for the other scripts only. */
const whole = (words: string): string =>
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${words})(?!\\p{Script=Latin})`
const pattern = (source: string): RegExp => new RegExp(source, 'imu')

const IMPERATIVES = whole(anyInjectionWord('imperatives'))
const INSTRUCTIONS = whole(anyInjectionWord('instructions'))

/** "Ignore … previous … instructions": all three in one sentence, and no subject or negation before the verb. */
const PARTS = [
  pattern(`(?<!${whole(anyInjectionWord('subjects'))} )${IMPERATIVES}`),
  pattern(whole(anyInjectionWord('earlier'))),
  pattern(INSTRUCTIONS),
]

/** "Ignore all instructions": without "previous", the sentence must begin as a command, since people forget instructions, too. */
const BEGINNING = `(?:^|[.,;:!?–—"“”„«»()]|\\byou (?:to|must|should)) *(?:(?:${anyInjectionWord('fillers')}) +)*`
const COMMAND = pattern(
  `${BEGINNING}${IMPERATIVES}(?: (?:${anyInjectionWord('pronoun')}))? (?:${anyInjectionWord('determiners')}) (?:\\p{L}+ ){0,2}${INSTRUCTIONS}`,
)

/** Sentences that people do not say to each other, and control tokens of chat models. */
const UNMISTAKABLE = [
  ...inAllLanguages(({ injection }) => injection?.unmistakable).flat(),
  /<\|im_start\|>|\[INST\]|<<SYS>>/iu,
]

const isInjection = (sentence: string): boolean =>
  UNMISTAKABLE.some((one) => one.test(sentence)) ||
  COMMAND.test(sentence) ||
  PARTS.every((part) => part.test(sentence))

/** The text before the first sentence that addresses the model. The text after it is not evidence, either. */
export function beforeInjection(text: string, language: string | null): string {
  // Most texts contain none, and need not be split into sentences.
  if (!isInjection(text)) return text
  const sentences = sentencesOf(text, language)
  const first = sentences.findIndex(isInjection)
  return first === -1 ? text : sentences.slice(0, first).join(' ')
}
