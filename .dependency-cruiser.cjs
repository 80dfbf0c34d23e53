/** The packages that each package can import besides itself and npm packages. `npm run check` enforces this table. */
const PACKAGES = {
  platform: [],
  database: ['platform'],
  storage: ['platform'],
  media: ['platform'],
  grounding: [],
  speech: ['media', 'platform'],
  delivery: ['platform', 'database'],
  identity: ['platform', 'database', 'storage'],
  server: ['platform', 'database', 'storage', 'media', 'grounding', 'speech', 'delivery'],
  web: [],
}

/** The files of a package that other packages and the scripts may import: its face, as its README says. */
const FACES = {
  delivery: 'index',
  speech: 'index|types|unclear-text|slurs/slurs|models/weights|setup/install-package',
  grounding:
    'check-claims|quotations|shared-words|types|numbers/number-words|text/(lexicon|sentences)|languages/language',
  media: [
    'build|failure|run-tasks|run-thread|after-loss/continue-file|containers/(container|sniff-container)',
    'decode/(decode|find-ffmpeg|frames|kept-decoder|limits|resample)|join/(file-spans|join-audio)|split/(audio-part|split|wav)',
  ].join('|'),
  storage:
    'file-store|open-store|disk-store|layered-store|move-files|require-exclusive|file-permissions|zip/zip|s3/s3-error',
}

/** Areas of the server, from the lowest to the highest. An area imports only lower ones, and those through their index.ts. */
const AREAS = [
  'tenancy',
  'webhooks',
  'conversations',
  'summaries',
  'transcription',
  'reports',
  'exports',
  'activity',
  'staff',
]

const TESTS = '\\.test\\.ts$|/testing/'

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `${name}-imports`,
  comment: `${name} can import: ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^${name}/`, pathNot: TESTS },
  to: {
    path: `^(${Object.keys(PACKAGES).join('|')}|test|bench|scripts)/`,
    pathNot: `^(${[name, ...allowed].join('|')})/`,
  },
}))

const faceRules = Object.entries(FACES).map(([name, files]) => ({
  name: `${name}-through-its-face`,
  comment: `Of ${name}, only some files are for other packages. Tests and benchmarks may import any.`,
  severity: 'error',
  from: { path: `^(${Object.keys(PACKAGES).join('|')}|scripts)/`, pathNot: `^${name}/|${TESTS}` },
  to: { path: `^${name}/`, pathNot: `^${name}/(${files})\\.ts$` },
}))

const areaRules = AREAS.slice(0, -1).map((area, index) => ({
  name: `${area}-is-below`,
  severity: 'error',
  from: { path: `^server/${area}/`, pathNot: TESTS },
  to: { path: `^server/(${AREAS.slice(index + 1).join('|')})/` },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-circular-imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...packageRules,
    ...faceRules,
    ...areaRules,
    {
      name: 'areas-through-their-index',
      comment: 'An area is reached by what its index.ts exports.',
      severity: 'error',
      from: { path: `^server/(${AREAS.join('|')}|auth)/`, pathNot: TESTS },
      to: {
        path: `^server/(${AREAS.join('|')}|auth)/`,
        pathNot: ['^server/$1/', '^server/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'api-and-auth-know-no-area',
      severity: 'error',
      from: { path: '^server/(api|auth)/', pathNot: TESTS },
      to: { path: `^server/(${AREAS.join('|')}|background|embedded|start)/` },
    },
    {
      name: 'background-stands-above-the-areas',
      comment:
        'Areas enqueue jobs through queue.ts; jobs.ts and schedule.ts import the areas, never the other way round.',
      severity: 'error',
      from: { path: '^(?!server/(background|compose\\.ts))', pathNot: `${TESTS}|^(test|bench)/` },
      to: { path: '^server/background/', pathNot: '^server/background/queue\\.ts$' },
    },
    {
      name: 'one-composition-root',
      comment: 'Only the service, tests, benchmarks and the generator of the client compose the system.',
      severity: 'error',
      from: {
        path: '^(?!server/(start|compose\\.ts))',
        pathNot: `${TESTS}|^(test|bench)/|^scripts/generate-client\\.ts$`,
      },
      to: { path: '^server/compose\\.ts$' },
    },
    {
      name: 'http-client-stands-alone',
      comment: 'The HTTP client of deliveries imports only platform, and is reached through its index.ts.',
      severity: 'error',
      from: { path: '^delivery/http/', pathNot: TESTS },
      to: { path: `^(${Object.keys(PACKAGES).join('|')})/`, pathNot: '^(delivery/http|platform)/' },
    },
    {
      name: 'http-client-through-its-index',
      severity: 'error',
      from: { path: '^(?!delivery/http/)', pathNot: `${TESTS}|^bench/` },
      to: { path: '^delivery/http/', pathNot: '^delivery/http/index\\.ts$' },
    },
    {
      name: 'extractive-engine-stands-alone',
      comment:
        'The extractive engine imports only grounding, the summarizer types, the prompts, and the rules for unclear words and slurs.',
      severity: 'error',
      from: { path: '^server/summaries/engines/extractive/', pathNot: TESTS },
      to: {
        path: `^(${Object.keys(PACKAGES).join('|')})/`,
        pathNot:
          '^(grounding/|speech/(unclear-text|slurs/slurs)\\.ts|server/summaries/(engines/extractive/|prompts/|summarizer\\.ts|unclear-words\\.ts))',
      },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: `^(${Object.keys(PACKAGES).join('|')})/`, pathNot: TESTS },
      to: { path: `^test/|${TESTS}` },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
