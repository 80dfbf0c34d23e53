/**
 * Spoken lines, with a true and a false claim about each line, labelled by hand. Six lines for each of ten kinds of falsehood.
 * The lines are short conversations of two utterances in the order of this list.
 */
export interface PlantedClaim {
  kind: Kind
  said: string
  true: string
  false: string
}

export type Kind = (typeof KINDS)[number]
export const KINDS = [
  'negation',
  'number',
  'name',
  'speaker',
  'invention',
  'count',
  'cause',
  'decision',
  'opposite',
  'combination',
] as const

const of =
  (kind: Kind) =>
  ([said, yes, no]: [said: string, yes: string, no: string]): PlantedClaim => ({
    kind,
    said,
    true: yes,
    false: no,
  })

export const PLANTED: readonly PlantedClaim[] = [
  ...(
    [
      [
        'The playground on Elm Road is not safe after dark.',
        'After dark, the Elm Road playground feels unsafe.',
        'The playground on Elm Road is safe after dark.',
      ],
      [
        'We never got an answer from the housing office.',
        'The housing office did not reply.',
        'We got an answer from the housing office.',
      ],
      [
        'My street does have enough parking, honestly.',
        'Someone finds that there is enough parking on their street.',
        'My street does not have enough parking.',
      ],
      [
        'I would not move away from here for any money.',
        'One person would stay here whatever they were offered.',
        'One person would move away if the money were right.',
      ],
      [
        'There is no reason to cut down the old lime trees.',
        'A speaker sees no reason to fell the old lime trees.',
        'There is a good reason to cut down the old lime trees.',
      ],
      [
        'The new waste bins work fine for us.',
        'The new bins are working well for one household.',
        'The new waste bins do not work for the household.',
      ],
    ] as [string, string, string][]
  ).map(of('negation')),
  ...(
    [
      [
        'The swimming pool ticket went up to eight euros.',
        'A ticket for the swimming pool now costs 8 euros.',
        'A swimming pool ticket now costs 18 euros.',
      ],
      [
        'It takes me twenty-five minutes to walk to the clinic.',
        'The walk to the clinic takes 25 minutes.',
        'The walk to the clinic takes 25 hours.',
      ],
      [
        'They closed the post office in 2019.',
        'The post office was closed in 2019.',
        'The post office was closed in 2009.',
      ],
      [
        'About thirty percent of the flats here stand empty.',
        'Roughly 30% of the flats are empty.',
        'Roughly 80% of the flats are empty.',
      ],
      [
        'The bus runs only once an hour in the evening.',
        'In the evening there is one bus an hour.',
        'In the evening there are 4 buses an hour.',
      ],
      [
        'We collected four hundred signatures for the crossing.',
        'There were 400 signatures in favour of the crossing.',
        'There were 4,000 signatures in favour of the crossing.',
      ],
    ] as [string, string, string][]
  ).map(of('number')),
  ...(
    [
      [
        'Doctor Hansen closed her practice last spring.',
        'The practice of Hansen closed last spring.',
        'The practice of Petersen closed last spring.',
      ],
      [
        'The market in Bridgeford has much better vegetables.',
        'Vegetables are said to be better at the market in Bridgeford.',
        'Vegetables are said to be better at the market in Oakhaven.',
      ],
      [
        'The choir used to meet in the Saint Anne hall.',
        'The choir once met in the hall of Saint Anne.',
        'The choir once met in the hall of Saint Martin.',
      ],
      [
        'The tram stop at Millgate floods whenever it rains.',
        'Rain floods the tram stop at Millgate.',
        'Rain floods the tram stop at Northgate.',
      ],
      [
        'Mrs Okafor organised the street party all by herself.',
        'The street party was the work of Mrs Okafor alone.',
        'The street party was the work of Mrs Lindqvist alone.',
      ],
      [
        'I do my shopping at Delgado because it is around the corner.',
        'One person shops at Delgado because it is close.',
        'One person shops at Romero because it is close.',
      ],
    ] as [string, string, string][]
  ).map(of('name')),
  ...(
    [
      [
        'I would pay more tax if the schools got it.',
        'A higher tax for the schools is acceptable to #ID.',
        'A higher tax for the schools is acceptable to #OTHER.',
      ],
      [
        'The mosque choir concert was the best evening of the year.',
        'For #ID the concert of the mosque choir was the best evening of the year.',
        'For #OTHER the concert of the mosque choir was the best evening of the year.',
      ],
      [
        'I cycle to the harbour every day, also in winter.',
        '#ID cycles to the harbour all year round.',
        '#OTHER cycles to the harbour all year round.',
      ],
      [
        'My neighbour thinks the fence is too high, I do not mind it.',
        'The speaker does not mind the fence; the neighbour finds it too high.',
        'The speaker finds the fence too high; the neighbour does not mind it.',
      ],
      [
        'The teacher told us that the gym will be repaired.',
        'According to the teacher, the gym will be repaired.',
        'According to the mayor, the gym will be repaired.',
      ],
      [
        'My son says the skate park is boring, I find it great.',
        'The son is bored by the skate park.',
        'The father is bored by the skate park, unlike his son.',
      ],
    ] as [string, string, string][]
  ).map(of('speaker')),
  ...(
    [
      [
        'The kiosk owner closes early on Fridays.',
        'On Fridays the kiosk closes early.',
        'The kiosk owner was a drug dealer.',
      ],
      [
        'Somebody painted the underpass blue.',
        'The underpass has been painted blue.',
        'The underpass was painted by a criminal gang.',
      ],
      [
        'The youth club needs a new roof.',
        'The roof of the youth club needs replacing.',
        'The youth club embezzled the money for its roof.',
      ],
      [
        'The lift in our house is broken again.',
        'The lift is out of order once more.',
        'The lift crushed a tenant of the house.',
      ],
      [
        'Our bakery was sold to a chain.',
        'A chain has bought the bakery.',
        'The bakery was sold because it had rats.',
      ],
      [
        'The council answered my letter within a week.',
        'The council replied to a letter in a week.',
        'The council answered the letter with a threat.',
      ],
    ] as [string, string, string][]
  ).map(of('invention')),
  ...(
    [
      [
        'I want a bench in front of the town hall.',
        'A bench in front of the town hall is wanted.',
        'Everyone wants a bench in front of the town hall.',
      ],
      [
        'Two of my friends have stopped using the night bus.',
        'Two friends of a speaker no longer take the night bus.',
        'Eleven residents have stopped using the night bus.',
      ],
      [
        'I am against the new car park.',
        'There is opposition to the new car park.',
        'Most residents are against the new car park.',
      ],
      [
        'The fountain should run in summer, please.',
        'Someone asks for the fountain to run in summer.',
        'All participants ask for the fountain to run in summer.',
      ],
      [
        'I like the Christmas lights as they are.',
        'One speaker likes the Christmas lights unchanged.',
        'The majority of people like the Christmas lights.',
      ],
      [
        'My mother misses the flower shop.',
        'The flower shop is missed.',
        'Nine people miss the flower shop.',
      ],
    ] as [string, string, string][]
  ).map(of('count')),
  ...(
    [
      [
        'The fish shop closed because the rent doubled.',
        'A doubled rent made the fish shop close.',
        'The fish shop closed because of bad reviews.',
      ],
      [
        'Since the speed bumps came, the ambulance takes longer.',
        'The ambulance is slower since there are speed bumps.',
        'The speed bumps came because the ambulance takes longer.',
      ],
      [
        'I stopped going to the sauna because of my knee.',
        'A bad knee keeps one person from the sauna.',
        'One person stopped going to the sauna because of the prices.',
      ],
      [
        'The library is full since it has free internet.',
        'Free internet has filled the library.',
        'The library has free internet since it is full.',
      ],
      [
        'We moved here for the schools, not for the park.',
        'The schools were the reason for moving here.',
        'The park was the reason for moving here.',
      ],
      [
        'The festival was cancelled as nobody wanted to volunteer.',
        'The festival was called off for lack of volunteers.',
        'The festival was cancelled for lack of visitors, said volunteers.',
      ],
    ] as [string, string, string][]
  ).map(of('cause')),
  ...(
    [
      [
        'It would be nice to have a farmers market here.',
        'A farmers market would be welcome.',
        'A farmers market has been decided.',
      ],
      [
        'I am worried that they will sell the old school.',
        'There is a worry that the old school could be sold.',
        'They sold the old school.',
      ],
      [
        'Perhaps the city could rent out cargo bikes.',
        'Renting out cargo bikes is a suggestion to the city.',
        'The city rents out cargo bikes.',
      ],
      [
        'If the mill closes, forty jobs are gone.',
        '40 jobs depend on the mill.',
        'The mill closed and 40 jobs are gone.',
      ],
      [
        'They promised us a lift at the station.',
        'A lift at the station was promised.',
        'A lift was built at the station.',
      ],
      [
        'I hope that the cinema opens again next year.',
        'Somebody hopes for the cinema to reopen next year.',
        'The cinema opens again next year.',
      ],
    ] as [string, string, string][]
  ).map(of('decision')),
  ...(
    [
      [
        'The bike lanes on Canal Street are too narrow.',
        'Canal Street has bike lanes that are too narrow.',
        'The bike lanes on Canal Street are too wide.',
      ],
      [
        'The water in the lake has become cleaner.',
        'The lake is cleaner than it used to be.',
        'The water in the lake has become dirtier.',
      ],
      [
        'The new headmistress listens to the parents.',
        'The parents are heard by the new headmistress.',
        'The new headmistress ignores the parents.',
      ],
      [
        'Rents in the harbour quarter have doubled.',
        'In the harbour quarter, rents are twice as high.',
        'Rents in the harbour quarter have halved.',
      ],
      [
        'The evening course is too easy for me.',
        'One person finds the evening course too easy.',
        'The evening course is too difficult for one person.',
      ],
      [
        'I trust the police here more than before.',
        'Trust in the police has grown.',
        'Trust in the police has shrunk.',
      ],
    ] as [string, string, string][]
  ).map(of('opposite')),
  ...(
    [
      [
        'The gym is cold and the canteen is expensive.',
        'The gym is cold, and the canteen is expensive.',
        'The gym is expensive and the canteen is cold.',
      ],
      [
        'Girls use the court on Mondays, boys on Tuesdays.',
        'On Mondays the court belongs to the girls.',
        'On Mondays the court belongs to the boys.',
      ],
      [
        'The west gate is locked, the east gate always open.',
        'The east gate is always open, the west gate locked.',
        'The west gate is always open, the east gate locked.',
      ],
      [
        'I love the museum but the theatre bores me.',
        'The museum is loved, while the theatre bores.',
        'The theatre is loved, while the museum bores.',
      ],
      [
        'The doctor is friendly, the receptionist is rude.',
        'The receptionist is rude, unlike the doctor.',
        'The doctor is rude, unlike the receptionist.',
      ],
      [
        'Old people want quiet, young people want music.',
        'Young people would like music, old people quiet.',
        'Old people would like music, young people quiet.',
      ],
    ] as [string, string, string][]
  ).map(of('combination')),
]
