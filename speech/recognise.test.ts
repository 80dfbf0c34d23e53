import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { SAMPLE_RATE } from '../media/decode/limits.ts'
import type { Models } from './models/models.ts'
import { Recogniser } from './recognise.ts'
import { UNCLEAR_BELOW } from './types.ts'

/** The results of the models for a stretch, measured on human speech. */
interface Stretch {
  seconds: number
  moonshine: [text: string, confidence: number]
  detected: Record<string, number>
  /** With the confidence of each word, where it matters. */
  whisper: Record<string, [text: string, confidence: number, words?: number[]]>
  isUncertain?: boolean
  isClipped?: boolean
}

const WELCOME: Stretch = {
  seconds: 6,
  moonshine: ['I will guide you.', 0.95],
  detected: { en: 0.98 },
  whisper: { en: ['I will guide you.', 0.9] },
}
const SHORT_DUTCH: Stretch = {
  seconds: 2.1,
  moonshine: ['Yeah, the thingy-goat.', 0.58],
  detected: { en: 0.78, nl: 0.06 },
  whisper: { en: ["Yeah, don't think you go.", 0.72], nl: ['Ja, dat denk ik ook.', 0.58] },
}
const DUTCH: Stretch = {
  seconds: 3.1,
  moonshine: ["Nay, that's what we're still going to do.", 0.66],
  detected: { nl: 0.91, de: 0.03, en: 0.02 },
  whisper: { en: ["No, that's a big thing.", 0.48], nl: ['Nee, dat is wel een stuk groter.', 0.61] },
}
const WALLOON: Stretch = {
  seconds: 2.8,
  moonshine: ["Yeah, shoppin'.", 0.36],
  detected: { yi: 0.25, de: 0.24, en: 0.04 },
  whisper: { en: ['Yeah, sure.', 0.36], yi: ['שחופ', 0.31], de: ['Ja, schau mal.', 0.4] },
}
/** A comedian imitates a gorilla. */
const GRUNTS: Stretch = {
  seconds: 2.4,
  moonshine: ['Ooh, ooh.', 0.1],
  detected: { ja: 0.77, en: 0.02 },
  whisper: { en: ['Oh, no.', 0.2], ja: ['それを笑うと', 0.21] },
}
const UNSURE_JAPANESE: Stretch = { ...GRUNTS, whisper: { ja: ['バスが遅れます', 0.4] } }
const NOISY_ENGLISH: Stretch = {
  seconds: 3,
  moonshine: ['The bus is always late here.', 0.62],
  detected: { en: 0.6, de: 0.2 },
  whisper: { en: ['The bus is always late.', 0.6], de: ['The bus is always late here.', 0.75] },
}

/** A synthetic voice. Both models read English words into it. */
const MISREAD_DUTCH: Stretch = {
  seconds: 3.3,
  moonshine: ['The tomato in the tummy is the last neat stone.', 0.55],
  detected: { en: 0.17, de: 0.05 },
  whisper: {
    en: ['The matter in the atmosphere is the last neat stone.', 0.4],
    de: ['Dat matter in dat meer.', 0.3],
  },
}

const TRANSLATED_SPANISH: Stretch = {
  seconds: 5.4,
  moonshine: ['To increment the volume of the audio of other participants,', 0.69],
  detected: { es: 0.98, en: 0.002 },
  whisper: {
    en: ['to increase the volume of the audio of other participants.', 0.71],
    es: ['para incrementar el volumen del audio de otros participantes.', 0.89],
  },
}

const UNCERTAIN_DUTCH: Stretch = {
  seconds: 2.7,
  moonshine: ['', 0],
  detected: { nl: 0.19, de: 0.7 },
  whisper: { nl: ['Dat is zo.', 0.6], de: ['Das ist so.', 0.5] },
}

/** Irish, which no model knows: Whisper writes it in Arabic. */
const LONE_WORD: Stretch = {
  seconds: 1.1,
  moonshine: ['Sore.', 0.4],
  detected: { ar: 0.34, en: 0.02, ja: 0.18 },
  whisper: { ar: ['سور', 0.65], en: ['Sure.', 0.2], ja: ['そう', 0.3] },
}
/** The Russian word for "guitarist". */
const CLEAR_WORD: Stretch = {
  seconds: 1.5,
  moonshine: ['', 0],
  detected: { ru: 0.9, en: 0.02 },
  whisper: { ru: ['Гитарист', 0.68], en: ['Gitarist', 0.3] },
}
const ARABIC: Stretch = {
  ...LONE_WORD,
  seconds: 27,
  detected: { ar: 0.9 },
  whisper: { ar: ['أريد مقاعد', 0.7] },
}

/** The first sample is the index of the stretch. Stretches from `finished` on are unfinished speech. */
async function segmentsOf(
  stretches: Stretch[],
  expected: string | null,
  candidates: string[] = [],
  onEncode = () => {},
  finished = stretches.length,
) {
  const at = (samples: Float32Array): Stretch => stretches[samples[0] as number] as Stretch
  const recognition = ([text, confidence, words = []]: [string, number, number[]?]) => ({
    text,
    confidence,
    words: words.map((each, index) => ({ text: text.split(' ')[index] ?? '', confidence: each })),
  })
  const whisper = {
    encode: async (samples: Float32Array) => {
      onEncode()
      return at(samples)
    },
    languageScores: async (stretch: Stretch) =>
      ['en', 'nl', 'de', 'es', 'yi', 'ja', 'ar', 'ru'].map((code) => [code, stretch.detected[code] ?? 0.001]),
    transcribe: async (stretch: Stretch, seconds: number, language: string) => {
      const text = stretch.whisper[language] ?? ['', 0]
      return text[0] === '' ? [] : [{ ...recognition(text), start: 0, end: seconds }]
    },
  }
  const models = {
    whisper: async () => whisper,
    moonshine: async () => async (samples: Float32Array) => recognition(at(samples).moonshine),
  } as unknown as Models
  const recogniser = new Recogniser({
    models,
    usesMoonshine: true,
    expected,
    candidates,
    hotwords: [],
    onStep: () => {},
  })
  let start = 0
  const speech = stretches.map(({ seconds, isUncertain = false, isClipped = false }, index) => {
    const samples = new Float32Array(seconds * SAMPLE_RATE).fill(index)
    const segment = { start, end: start + seconds, overlap: 0, samples, isUncertain, isClipped }
    start += seconds + 1
    return segment
  })
  const windows = [
    ...(await Array.fromAsync(recogniser.windows(Readable.from(speech.slice(0, finished))))),
    ...(await Array.fromAsync(recogniser.forUnfinished().windows(Readable.from(speech.slice(finished))))),
  ]
  return windows.flatMap(({ segments }) => segments)
}

const inBrief = (segments: { language?: string; text: string }[]): string[] =>
  segments.map(({ language, text }) => `${language}: ${text}`)

test('a short Dutch answer between English sentences is Dutch, even if only English is offered', async () => {
  for (const stretch of [SHORT_DUTCH, DUTCH])
    assert.deepEqual(inBrief(await segmentsOf([WELCOME, stretch, WELCOME], 'en', ['en'])), [
      'en: I will guide you.',
      `nl: ${stretch.whisper['nl']?.[0]}`,
      'en: I will guide you.',
    ])
})

test('speech in a language that no model knows is marked', async () => {
  assert.deepEqual(inBrief(await segmentsOf([WELCOME, WALLOON, WELCOME], 'en', ['en'])), [
    'en: I will guide you.',
    'en: [unclear]',
    'en: I will guide you.',
  ])
})

test('a few words are unclear if Whisper hardly believed one of them', async () => {
  const dutch = (words: number[]): Stretch => ({ ...DUTCH, whisper: { nl: ['Hoezo dan?', 0.59, words] } })
  const confidences = async (words: number[]) =>
    (await segmentsOf([dutch(words)], 'nl')).map(({ text, confidence = 1 }) => [
      text,
      confidence < UNCLEAR_BELOW,
    ])
  assert.deepEqual(await confidences([0.07, 0.9]), [['Hoezo dan?', true]])
  assert.deepEqual(await confidences([0.3, 0.9]), [['Hoezo dan?', false]])
})

test('clipped speech needs more confidence than other speech', async () => {
  const isUnclear = async (stretch: Stretch, language: string) => {
    const [segment] = await segmentsOf([stretch], language, [language])
    assert.ok(segment)
    return (segment.confidence ?? 1) < UNCLEAR_BELOW
  }
  const english = (confidence: number, isClipped: boolean): Stretch => ({
    ...WELCOME,
    moonshine: ['Do you say it while I try?', confidence],
    isClipped,
  })
  assert.ok(await isUnclear(english(0.74, true), 'en'))
  assert.ok(!(await isUnclear(english(0.74, false), 'en')))
  assert.ok(!(await isUnclear(english(0.89, true), 'en')))
  const spanish = (confidence: number, isClipped: boolean): Stretch => ({
    ...TRANSLATED_SPANISH,
    whisper: { es: ['Lo siento para un logre.', confidence] },
    isClipped,
  })
  assert.ok(await isUnclear(spanish(0.65, true), 'es'))
  assert.ok(!(await isUnclear(spanish(0.65, false), 'es')))
  assert.ok(!(await isUnclear(spanish(0.88, true), 'es')))
})

test('music with a voice-like sound does not become a few words', async () => {
  const music = (words: number[], isUncertain = true): Stretch => ({
    seconds: 0.9,
    moonshine: ['', 0],
    detected: { nl: 0.3 },
    whisper: { nl: ['Dank je.', 0.31, words] },
    isUncertain,
  })
  assert.deepEqual(await segmentsOf([music([0.05, 0.6])], 'nl'), [])
  // Words that Whisper believes are kept, as are doubtful ones of which the voice detection is certain.
  assert.equal((await segmentsOf([music([0.3, 0.6])], 'nl')).length, 1)
  assert.equal((await segmentsOf([music([0.05, 0.6], false)], 'nl')).length, 1)
})

test('noises that sound like another language do not become words of it', async () => {
  for (const [expected, candidates] of [
    ['en', ['en']],
    [null, []],
  ] as const) {
    const segments = await segmentsOf([WELCOME, GRUNTS, WELCOME], expected, [...candidates])
    assert.deepEqual(inBrief(segments), ['en: I will guide you.', 'en: [unclear]', 'en: I will guide you.'])
  }
})

test('a language that was not expected is believed if its words are likely, or if the project offers it', async () => {
  const [, likely] = await segmentsOf([WELCOME, UNSURE_JAPANESE], 'en', ['en'])
  const [, offered] = await segmentsOf([WELCOME, GRUNTS], 'en', ['en', 'ja'])
  assert.deepEqual([likely?.language, offered?.language], ['ja', 'ja'])
})

test('a lone word in a language that is not offered and not clearly detected is unclear', async () => {
  const confidenceOf = async (stretches: Stretch[], offered: string[], expected: string | null = null) =>
    (await segmentsOf(stretches, expected, offered)).findLast(({ text }) => text === 'سور')?.confidence
  for (const expected of ['en', null]) assert.equal(await confidenceOf([LONE_WORD], ['en'], expected), 0.5)
  assert.equal(await confidenceOf([WELCOME, LONE_WORD], ['en']), 0.5)
  assert.equal(await confidenceOf([LONE_WORD], ['en', 'ar']), 0.65)
  // After sentences it is not alone. They fill the window before.
  assert.equal(await confidenceOf([ARABIC, LONE_WORD], ['en']), 0.65)
  const [clear] = await segmentsOf([CLEAR_WORD], 'en', ['en'])
  assert.deepEqual([clear?.text, clear?.confidence], ['Гитарист', 0.68])
})

test('English that two models understand alike stays English', async () => {
  const [, segment] = await segmentsOf([WELCOME, NOISY_ENGLISH], null)
  assert.deepEqual([segment?.language, segment?.text], ['en', 'The bus is always late here.'])
})

test('similar English words that neither model is sure of keep the lower confidence', async () => {
  const [, segment] = await segmentsOf([WELCOME, MISREAD_DUTCH], 'en', ['en'])
  assert.deepEqual([segment?.text, segment?.confidence], [MISREAD_DUTCH.moonshine[0], 0.4])
})

test('English words are unclear if the speech does not sound like English, even if both models read them', async () => {
  const sure: Stretch = { ...MISREAD_DUTCH, moonshine: [MISREAD_DUTCH.moonshine[0], 0.68] }
  const [, agreed] = await segmentsOf([WELCOME, sure], 'en', ['en'])
  assert.deepEqual([agreed?.text, agreed?.confidence], [MISREAD_DUTCH.moonshine[0], 0.4])
  const other: Stretch = { ...sure, whisper: { en: ['But matter in that may be still as neat.', 0.6] } }
  const [, denied] = await segmentsOf([WELCOME, other], 'en', ['en'])
  assert.ok((denied?.confidence ?? 1) < UNCLEAR_BELOW)
})

test('Spanish that both models translate into English is Spanish, even if only English is offered', async () => {
  const segments = await segmentsOf([WELCOME, TRANSLATED_SPANISH, WELCOME], 'en', ['en'])
  assert.equal(inBrief(segments)[1], `es: ${TRANSLATED_SPANISH.whisper['es']?.[0]}`)
})

test('unfinished speech after a stretch that was not English must be clearly English', async () => {
  const unsure: Stretch = { ...MISREAD_DUTCH, moonshine: [MISREAD_DUTCH.moonshine[0], 0.64] }
  const textAfter = async (before: Stretch[]) =>
    (await segmentsOf([...before, unsure], 'en', ['en'], undefined, before.length)).at(-1)?.text
  assert.equal(await textAfter([WELCOME, WALLOON]), '[unclear]')
  assert.equal(await textAfter([WELCOME]), unsure.moonshine[0])
})

test('each sentence before a change of language in the first window is in its own language', async () => {
  const [ENGLISH, GERMAN] = [1, 2]
  const spoken = [ENGLISH, ENGLISH, ENGLISH, ENGLISH, ENGLISH, GERMAN]
  const whisper = {
    encode: async (samples: Float32Array) => samples,
    // German at its end makes Whisper take the whole window for German. Within it, the first sentences are the least clear.
    languageScores: async (audio: Float32Array, part?: { from: number; to: number }) => {
      if (!part && audio[0] === ENGLISH && audio.at(-1) === GERMAN) return scores(0.43, 0.54)
      const sound = audio.at(part ? Math.round(part.from * SAMPLE_RATE) : 0)
      const clarity = part ? 0.6 + part.from / 100 : 0.98
      return sound === ENGLISH ? scores(clarity, 0.01) : scores(0.01, clarity)
    },
    transcribe: async (_audio: unknown, seconds: number, language: string) => [
      { start: 0, end: seconds, text: language, confidence: 0.9, words: [] },
    ],
  }
  const scores = (en: number, de: number) => [
    ['en', en],
    ['de', de],
  ]
  const moonshine = async (samples: Float32Array) =>
    samples[0] === ENGLISH
      ? { text: 'I will guide you.', confidence: 0.95, words: [] }
      : { text: 'Go ten dark.', confidence: 0.3, words: [] }
  const recogniser = new Recogniser({
    models: { whisper: async () => whisper, moonshine: async () => moonshine } as unknown as Models,
    usesMoonshine: true,
    expected: null,
    candidates: [],
    hotwords: [],
    onStep: () => {},
  })
  async function* speech() {
    for (const [index, sound] of spoken.entries())
      yield {
        start: 4 * index,
        end: 4 * index + 3,
        overlap: 0,
        samples: new Float32Array(3 * SAMPLE_RATE).fill(sound),
      }
  }
  const windows = await Array.fromAsync(recogniser.windows(speech()))
  assert.deepEqual(inBrief(windows.flatMap(({ segments }) => segments)), [
    ...Array.from({ length: 5 }, () => 'en: I will guide you.'),
    'de: de',
  ])
})

/** The Dutch answer "Goed". */
const MISREAD_ANSWER: Stretch = {
  seconds: 1.4,
  moonshine: ['Quote', 0.8],
  detected: { de: 0.7, en: 0.08 },
  whisper: { en: ['Foot', 0.46] },
}
/** Said alone, an English word can sound like another language. */
const ENGLISH_WORD: Stretch = {
  seconds: 1.4,
  moonshine: ['Monday.', 0.82],
  detected: { nl: 0.39, en: 0.09 },
  whisper: { en: ['Monday', 0.97], nl: ['maandag', 0.4] },
}

test('the first word of a recording is marked if it does not sound like English and the models differ', async () => {
  let runs = 0
  const marksOf = async (...stretches: Stretch[]) =>
    (await segmentsOf(stretches, 'en', ['en', 'nl'], () => runs++)).map(({ text, confidence = 0 }) =>
      confidence < UNCLEAR_BELOW ? `? ${text}` : text,
    )
  assert.deepEqual(await marksOf(MISREAD_ANSWER), ['? Quote'])
  assert.deepEqual(await marksOf(ENGLISH_WORD), ['Monday.'])
  runs = 0
  assert.deepEqual(await marksOf(WELCOME, ENGLISH_WORD), ['I will guide you.', 'Monday.'])
  assert.equal(runs, 0)
})

test('a stretch that only sounds like another language costs one run of the encoder', async () => {
  let runs = 0
  const segments = await segmentsOf([UNCERTAIN_DUTCH], 'nl', ['nl'], () => {
    runs++
  })
  assert.deepEqual(inBrief(segments), ['nl: Dat is zo.'])
  assert.equal(runs, 2)
})

test('many doubtful stretches cost at most three more runs of the encoder', async () => {
  let runs = 0
  const doubtful = Array.from({ length: 6 }, () => UNCERTAIN_DUTCH)
  await segmentsOf([...doubtful, { ...UNCERTAIN_DUTCH, seconds: 1 }], 'nl', ['nl'], () => {
    runs++
  })
  assert.equal(runs, 4)
})

test('a short answer after Dutch that sounds like English stays Dutch', async () => {
  const unsure = ['Ja, dat denk ik ook.', 0.5] as [string, number]
  const answer = { ...SHORT_DUTCH, whisper: { ...SHORT_DUTCH.whisper, nl: unsure } }
  assert.deepEqual(inBrief(await segmentsOf([answer], 'nl', ['nl'])), ['nl: Ja, dat denk ik ook.'])
})

test('a slur that only a hint suggested is not printed; one that is recognised without it is', async () => {
  const printed = async (withoutHint: string): Promise<string> => {
    const phraseOf = (text: string) => ({
      start: 0,
      end: 3,
      text,
      confidence: 0.5,
      words: text.split(' ').map((word) => ({ text: word, confidence: 0.5 })),
    })
    const whisper = {
      encode: async () => ({}),
      languageScores: async () => [['de', 0.9]],
      transcribe: async (_audio: unknown, _seconds: number, _language: string, hotwords: string[]) => [
        phraseOf(hotwords.length > 0 ? 'Die Zigeuner am Fluss.' : withoutHint),
      ],
    }
    const recogniser = new Recogniser({
      models: { whisper: async () => whisper } as unknown as Models,
      usesMoonshine: true,
      expected: 'de',
      candidates: ['de'],
      hotwords: ['Zigeuner'],
      onStep: () => {},
    })
    async function* speech() {
      yield { start: 0, end: 3, overlap: 0, samples: new Float32Array(3 * SAMPLE_RATE) }
    }
    const windows = await Array.fromAsync(recogniser.windows(speech()))
    const segments = windows.flatMap((window) => window.segments)
    const texts = segments.flatMap(({ text, words = [] }) => [text, words.map((word) => word.text).join(' ')])
    assert.equal(new Set(texts).size, 1)
    return texts[0] ?? ''
  }
  assert.equal(await printed('Die Situation am Fluss.'), 'Die [unclear] am Fluss.')
  assert.equal(await printed('Sie sagen Zigeuner.'), 'Die Zigeuner am Fluss.')
})
