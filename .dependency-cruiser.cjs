/** The house's arrows: areas stand on the kernel, and reach a neighbour only through its index.ts. */
const AREAS = 'access|tenancy|webhooks|conversations|processing|reports|exports|staff'

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'kernel-stands-alone',
      comment: 'The kernel knows no area.',
      severity: 'error',
      from: { path: '^server/kernel/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(server|identity)/', pathNot: '^server/kernel/' },
    },
    {
      name: 'neighbours-by-their-index',
      comment: 'An area is reached by what its index.ts exports.',
      severity: 'error',
      from: { path: `^server/(${AREAS})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^server/(${AREAS})/`, pathNot: ['^server/$1/', '^server/[^/]+/index\\.ts$'] },
    },
    {
      name: 'access-is-below',
      comment: 'Every area asks access; it asks none of them.',
      severity: 'error',
      from: { path: '^server/access/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(tenancy|webhooks|conversations|processing|reports|exports|staff)/' },
    },
    {
      name: 'tenancy-is-below',
      severity: 'error',
      from: { path: '^server/tenancy/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(webhooks|conversations|processing|reports|exports|staff)/' },
    },
    {
      name: 'webhooks-are-below',
      severity: 'error',
      from: { path: '^server/webhooks/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(conversations|processing|reports|exports|staff)/' },
    },
    {
      name: 'conversations-are-below',
      severity: 'error',
      from: { path: '^server/conversations/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(processing|reports|exports|staff)/' },
    },
    {
      name: 'processing-is-below',
      severity: 'error',
      from: { path: '^server/processing/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(reports|exports|staff)/' },
    },
    {
      name: 'reports-are-below',
      severity: 'error',
      from: { path: '^server/reports/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(exports|staff)/' },
    },
    {
      name: 'exports-are-below-staff',
      severity: 'error',
      from: { path: '^server/exports/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/staff/' },
    },
    {
      name: 'identity-over-http',
      comment: 'The backend reaches the identity store over HTTP alone.',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.test\\.ts$' },
      to: { path: '^identity/' },
    },
    {
      name: 'identity-stands-on-the-kernel',
      severity: 'error',
      from: { path: '^identity/', pathNot: '\\.test\\.ts$|conformance' },
      to: { path: '^server/', pathNot: '^server/kernel/' },
    },
    {
      name: 'no-test-in-production',
      severity: 'error',
      from: { path: '^(server|identity)/', pathNot: '\\.test\\.ts$|conformance' },
      to: { path: '^test/|\\.test\\.ts$' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
