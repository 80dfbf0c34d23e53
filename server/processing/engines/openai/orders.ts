import { sentencesOf } from '../extractive/sentences.ts'

/**
 * Words to a machine, as in "ignore all previous instructions": a verb, which ones, and what is to be ignored, in one
 * sentence. All three, since drivers ignore rules and people forget instructions.
 */
const IGNORE =
  'ignore|disregard|forget|override|ignorier\\p{L}*|vergiss|vergesst|missacht\\p{L}*|negeer|vergeet|ignor\\p{L}*|oubli\\p{L}*|olvid\\p{L}*|dimentic\\p{L}*|esque[cç]\\p{L}*|zignoruj|игнорируй\\p{L}*|забудь\\p{L}*|تجاهل|忽略|忽视|無視'
const EARLIER =
  'all|your|previous|prior|above|earlier|preceding|alle|vorherig\\p{L}*|bisherig\\p{L}*|obig\\p{L}*|eerdere|vorige|bovenstaande|tou[ts]\\p{L}*|précédent\\p{L}*|todas?|todos?|anterior\\p{L}*|tutt[ei]|precedent\\p{L}*|wszystkie|poprzednie|все|предыдущ\\p{L}*|السابقة|جميع|之前|以上|先前|所有|これまで|以前|上記'
const WORDS =
  'instructions?|prompts?|anweisung\\p{L}*|vorgaben?|instructies?|aanwijzingen|consignes?|instrucciones|indicaciones|istruzioni|instruções|instrukcje|инструкци\\p{L}*|указани\\p{L}*|التعليمات|指令|指示|提示'
/** Chinese, Japanese and Arabic glue words together: only of the others is one looked for whole. */
const has = (words: string): RegExp =>
  new RegExp(`(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${words})(?!\\p{Script=Latin})`, 'iu')
const PARTS_OF_AN_ORDER = [IGNORE, EARLIER, WORDS].map(has)
/** Whoever speaks to people says none of these. */
const OUTRIGHT = /\bsystem ?prompt\b|\byou are now (?:an? |in )|<\|im_start\|>|\[INST\]|<<SYS>>/iu

const isOrder = (sentence: string): boolean =>
  OUTRIGHT.test(sentence) || PARTS_OF_AN_ORDER.every((part) => part.test(sentence))

/** What was said before somebody spoke to the machine: what follows is theirs to say, and proves nothing. */
export function beforeOrders(text: string, language: string | null): string {
  // Most have none, and need not be taken apart.
  if (!isOrder(text)) return text
  const sentences = sentencesOf(text, language)
  const first = sentences.findIndex(isOrder)
  return first === -1 ? text : sentences.slice(0, first).join(' ')
}
