/** What every product may use. */
const CODECS = ['dialects', 'models', 'schema', 'canonical', 'wire', 'errors']

/** Who may import whom: a layer may use itself and the ones listed. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  wire: ['errors'],
  canonical: ['wire', 'errors'],
  models: ['canonical', 'wire', 'errors'],
  schema: ['canonical', 'wire', 'errors'],
  dialects: ['models', 'schema', 'canonical', 'wire', 'errors'],
  formats: CODECS,
  client: CODECS,
  adapters: ['stores', 'formats', 'client', 'agent', ...CODECS],
  providers: ['client', ...CODECS],
  agent: ['models', 'schema', 'canonical', 'wire', 'errors'],
  otel: [
    'gateway',
    'stores',
    'agent',
    'client',
    'formats',
    'models',
    'schema',
    'canonical',
    'wire',
    'errors',
  ],
  stores: ['agent', 'canonical', 'wire', 'errors'],
  handlers: ['stores', 'formats', 'agent', ...CODECS],
  gateway: ['stores', 'providers', 'client', ...CODECS],
  memory: ['stores', 'agent', 'canonical', 'wire', 'errors'],
  node: ['canonical', 'wire', 'errors'],
  golden: ['node', 'dialects', 'canonical', 'wire', 'errors'],
  studio: ['studio-api', 'node', 'gateway', 'providers', 'client', 'stores', 'agent', 'formats', ...CODECS],
  'studio-api': ['gateway', 'stores', ...CODECS],
  'studio-page': ['studio-api', 'formats', 'testing', ...CODECS],
  testing: ['node', 'client', 'models', 'dialects', 'schema', 'canonical', 'wire', 'errors'],
  index: ['dialects', 'models', 'schema', 'canonical', 'wire', 'errors'],
  entries: ['schema', 'canonical', 'wire', 'errors'],
  cli: [
    'canonical',
    'wire',
    'errors',
    'models',
    'schema',
    'dialects',
    'formats',
    'client',
    'providers',
    'agent',
    'stores',
    'node',
    'testing',
    'otel',
    'gateway',
    'studio',
  ],
}

/** The layers of pure functions: equal input always has equal output. */
export const PURE: readonly string[] = [...CODECS, 'formats']

/** The layers that run in browsers and workers, too. */
export const NEUTRAL: readonly string[] = [
  'errors',
  'wire',
  'canonical',
  'models',
  'schema',
  'dialects',
  'formats',
  'client',
  'adapters',
  'providers',
  'agent',
  'otel',
  'index',
  'entries',
  'studio-page',
]

/** Packages that the bundle of the studio's page contains. */
export const BUNDLED_WITH_PAGE: readonly string[] = ['preact', '@preact/signals', 'marked', 'dompurify']

/** Packages whose code the build adds to the package: programs do not install them. */
export const BUNDLED: readonly string[] = ['@cfworker/json-schema', '@noble/hashes']
