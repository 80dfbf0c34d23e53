import { sentencesOf } from './text/sentences.ts'

/**
 * Words to a machine, as in "ignore all previous instructions": a verb as one commands, which ones, and what is to be
 * ignored, in one sentence. All three, since drivers ignore rules and people forget instructions.
 */
const IGNORE =
  'ignore|disregard|forget|override|ignorier(?:e|t|en)|vergiss|vergesst|vergessen|missachte[nt]?|negeer|negeren|vergeet|vergeten|ignore[rz]|oublie[rz]?|ignora[dr]?|ignoren|olvida[dr]?|olviden?|ignorate|ignori|dimentica|dimenticate|dimentichi|ignorem|esque[cç]am?|esquece|zignoruj|игнорируй(?:те)?|забудь(?:те)?|تجاهل|忽略(?!了)|忽视(?!了)|無視(?:し[てろな]|せよ)'
const EARLIER =
  'previous|prior|above|earlier|preceding|vorherig\\p{L}*|bisherig\\p{L}*|obig\\p{L}*|eerdere|vorige|bovenstaande|précédent\\p{L}*|anterior\\p{L}*|precedent\\p{L}*|wszystkie|poprzednie|все|предыдущ\\p{L}*|السابقة|جميع|之前|以上|先前|所有|これまで|以前|上記'
const WORDS =
  'instructions?|prompts?|anweisung\\p{L}*|vorgaben?|instructies?|aanwijzingen|consignes?|instrucciones|indicaciones|istruzioni|instruções|instrukcje|инструкци\\p{L}*|указани\\p{L}*|التعليمات|指令|指示|提示'
/** Whoever did it, or is told not to: no order follows. */
const TOLD =
  "\\p{L}+n['’]t|not|never|i|we|they|he|she|people|everyone|everybody|nobody|who|nicht|nie|ich|wir|sie|man|leute|niet|nooit|ik|wij|zij|ze|mensen|je|nous|on|ils|elles|gens|ne|no|nunca|gente|non|mai|não|не"
/** Chinese, Japanese and Arabic glue words together: only of the others is one looked for whole. */
const whole = (words: string): string =>
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${words})(?!\\p{Script=Latin})`
const has = (words: string): RegExp => new RegExp(words, 'imu')
const PARTS_OF_AN_ORDER = [
  has(`(?<!${whole(TOLD)} )${whole(IGNORE)}`),
  has(whole(EARLIER)),
  has(whole(WORDS)),
]
/** People forget all your instructions, too: without "previous" only what begins as an order does is one. */
const ALL =
  'all|any|your|alle|deine|ihre|je|jouw|uw|tou[ts]\\p{L}*|tes|vos|todas?|todos?|tus|sus|tutt[ei]|suas|as tuas'
const BEGINNING =
  '(?:^|[.,;:!?–—"“”„«»()]|\\byou (?:to|must|should)) *(?:(?:please|now|then|just|so|and|but|bitte|jetzt|nun|und|dann|nu|en|maintenant|et|ahora|y|ora|adesso|e|agora) +)*'
const PLAIN_ORDER = has(`${BEGINNING}${whole(IGNORE)}(?: sie)? (?:${ALL}) (?:\\p{L}+ ){0,2}${whole(WORDS)}`)
/** Whoever speaks to people says none of these: they are assistant teachers, in groups of four, and model students. */
const OUTRIGHT = [
  /\byou are now an? (?:[\w-]+ ){0,3}(?:ai|assistant|(?:chat)?bot|model|llm)(?= (?:that|which|who|with|without|named|called|and)\b| ?(?:[^\p{L}\s]|$))/iu,
  /\byou are now in [\w-]+ mode\b/iu,
  /\b(?:your|new|(?:reveal|show|print|repeat|output)(?: me)? the) system ?prompt\b|(?:^|[.!?]) *system ?prompt ?:/imu,
  /<\|im_start\|>|\[INST\]|<<SYS>>/iu,
]

const isOrder = (sentence: string): boolean =>
  OUTRIGHT.some((pattern) => pattern.test(sentence)) ||
  PLAIN_ORDER.test(sentence) ||
  PARTS_OF_AN_ORDER.every((part) => part.test(sentence))

/** What was said before somebody spoke to the machine: what follows is theirs to say, and proves nothing. */
export function beforeOrders(text: string, language: string | null): string {
  // Most have none, and need not be taken apart.
  if (!isOrder(text)) return text
  const sentences = sentencesOf(text, language)
  const first = sentences.findIndex(isOrder)
  return first === -1 ? text : sentences.slice(0, first).join(' ')
}
