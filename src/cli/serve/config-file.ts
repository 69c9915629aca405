import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { GatewayConfig, RecordingOptions } from '../../gateway/config.ts'
import { postgresGatewayState } from '../../gateway/node/postgres-gateway-state.ts'
import { gatewayTracing } from '../../otel/gateway-tracing.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ProviderOptions } from '../../providers/provider-options.ts'
import { validateValue } from '../../schema/validate-value.ts'
import { toTypedError } from '../../wire/typed-errors.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import { toAbsolutePath } from '../input/input-source.ts'
import { openStore } from '../store/open-store.ts'
import { CONFIG_FILE_SCHEMA } from './config-schema.ts'
import { type DatabaseUse, SharedDatabases } from './shared-databases.ts'
import { createSecretReader, readSecret, type SecretSource } from './secret-source.ts'

/** The configuration of a gateway in a file, which {@link CONFIG_FILE_SCHEMA} describes. */
interface GatewayFileConfig extends Omit<
  GatewayConfig,
  | 'providers'
  | 'sealKeys'
  | 'state'
  | 'storage'
  | 'recording'
  | 'tracer'
  | 'registry'
  | 'onRequest'
  | 'onError'
> {
  readonly $schema?: string
  readonly providers?: {
    readonly [name: string]: Omit<ProviderOptions, 'apiKey'> & { readonly apiKey?: SecretSource }
  }
  readonly sealKeys?: readonly SecretSource[]
  readonly state?: { readonly postgres: SecretSource }
  readonly storage?: string | SecretSource
  readonly recording?: { readonly store: string | SecretSource } & Omit<
    RecordingOptions,
    'storage' | 'redact'
  >
  readonly tracing?: boolean
}

/** Reads the configuration file of a gateway, perhaps several times, and keeps what it opened. */
export class ConfigFile {
  readonly #path: string
  readonly #absolute: string
  readonly #terminal: Terminal
  readonly #databases = new SharedDatabases()

  constructor(path: string, terminal: Terminal) {
    this.#path = path
    this.#absolute = toAbsolutePath(path, terminal)
    this.#terminal = terminal
  }

  /** The absolute path. */
  get location(): string {
    return this.#absolute
  }

  /**
   * Reads and checks the file. Keys of providers are read when they are used. What only this configuration uses is closed when it
   * retires; one that is not used must be retired, too.
   */
  async read(): Promise<GatewayConfig & Required<Pick<GatewayConfig, 'onRetired'>>> {
    const file = await readConfigJson(this.#absolute, this.#path)
    const used: DatabaseUse = new Set()
    const onRetired = (): void =>
      void this.#databases
        .release(used)
        .catch((error: unknown) => printNotice(this.#terminal, `error: ${toTypedError(error).message}`))
    try {
      return { ...(await this.#open(file, used)), onRetired }
    } catch (error) {
      onRetired()
      throw error
    }
  }

  async #open(file: GatewayFileConfig, used: DatabaseUse): Promise<GatewayConfig> {
    const {
      $schema: _schema,
      providers = {},
      sealKeys,
      state,
      storage,
      recording,
      tracing = false,
      ...rest
    } = file
    const folder = dirname(this.#absolute)
    const place = { folder, used }
    const secrets = sealKeys?.map((source, index) =>
      readSecret(source, { path: `/sealKeys/${index}`, folder }),
    )
    return {
      ...rest,
      providers: Object.fromEntries(
        Object.entries(providers).map(([name, { apiKey, ...options }]) => [
          name,
          {
            ...options,
            ...(apiKey && {
              apiKey: createSecretReader(apiKey, { path: `/providers/${name}/apiKey`, folder }),
            }),
          },
        ]),
      ),
      ...(secrets && { sealKeys: await Promise.all(secrets) }),
      ...(state && { state: await this.#openState(state.postgres, place) }),
      ...(storage !== undefined && { storage: await this.#openStorage(storage, '/storage', place) }),
      ...(recording && { recording: await this.#openRecording(recording, place) }),
      ...(tracing && { tracer: gatewayTracing() }),
    }
  }

  #openState(
    source: SecretSource,
    { folder, used }: FilePlace,
  ): Promise<NonNullable<GatewayConfig['state']>> {
    return this.#databases.open(['state', source], used, async () =>
      postgresGatewayState(await readSecret(source, { path: '/state/postgres', folder })),
    )
  }

  async #openRecording(
    { store, ...options }: NonNullable<GatewayFileConfig['recording']>,
    place: FilePlace,
  ): Promise<RecordingOptions> {
    return { ...options, storage: await this.#openStorage(store, '/recording/store', place) }
  }

  /** Opens the store of a file, or of the URL in a secret. Sections with the same store share it. */
  #openStorage(
    store: string | SecretSource,
    path: string,
    { folder, used }: FilePlace,
  ): Promise<NonNullable<GatewayConfig['storage']>> {
    return this.#databases.open(['store', store], used, async () => {
      const location = typeof store === 'string' ? store : await readSecret(store, { path, folder })
      return (await openStore(location, { ...this.#terminal, folder })).storage
    })
  }

  /** Closes everything that was opened. */
  close(): Promise<void> {
    return this.#databases.close()
  }
}

/** The folder of a configuration file, and the databases that the configuration uses. */
interface FilePlace {
  readonly folder: string
  readonly used: DatabaseUse
}

async function readConfigJson(absolute: string, path: string): Promise<GatewayFileConfig> {
  const value = await readJsonFile(absolute, path)
  const { issues } = await validateValue(CONFIG_FILE_SCHEMA, value)
  const issue = issues?.find(({ message }) => message.includes('unknown')) ?? issues?.[0]
  if (issue === undefined) return value as GatewayFileConfig
  const field = issue.path === '' ? '' : ` at ${issue.path}`
  throw new InterlinguaError('invalid-value', `${path} is not valid${field}: ${issue.message}`, {
    path: issue.path,
    found: 'another value',
    expected: 'a value of the schema gateway.schema.json',
    hint: HINTS.find(([pattern]) => pattern.test(issue.path))?.[1] ?? SCHEMA_HINT,
  })
}

const HINTS: readonly (readonly [path: RegExp, hint: string])[] = [
  [
    /\/(apiKey$|sealKeys\/|postgres$)/,
    'A configuration contains no secrets: write { "env": "NAME" }, { "file": "path" } or { "command": ["program"] }.',
  ],
  [/^\/(port|host)$/, 'Pass it on the command line: `interlingua serve --port 4000 --host 127.0.0.1`.'],
]
const SCHEMA_HINT =
  'Set "$schema" to ./node_modules/interlingua/gateway.schema.json, so that your editor shows mistakes.'

async function readJsonFile(absolute: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(absolute, 'utf8')) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError) throw createSyntaxError(cause, path)
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new InterlinguaError('unreadable-file', `${path} cannot be read (${reason})`, {
      found: reason,
      expected: 'a readable file',
      hint:
        reason === 'ENOENT'
          ? 'Check the path: the file does not exist.'
          : 'Check the path and the permissions.',
      cause,
    })
  }
}

/** Returns the error with the position alone: the message of a syntax error quotes the file, which may contain a key. */
function createSyntaxError({ message }: SyntaxError, path: string): InterlinguaError {
  const [place] = /line \d+ column \d+|position \d+/.exec(message) ?? []
  return new InterlinguaError(
    'not-json',
    `${path} is not valid JSON${place === undefined ? '' : ` (${place})`}`,
    {
      found: 'text that is not JSON',
      expected: 'a JSON file',
      hint: 'Look for a missing or a trailing comma, a comment, and quotation marks that are not double.',
    },
  )
}
