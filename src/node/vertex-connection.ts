import { throwInvalid } from '../canonical/shape/shape.ts'
import { ProviderError, type ProviderErrorKind } from '../errors.ts'
import { checkOptions } from '../wire/check-options.ts'
import { describeType } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import { loadOptionalPackage } from '../wire/load-modules.ts'

/** Options of {@link connectToVertex}. */
export interface VertexConnectionOptions {
  /** The location of the endpoint, such as `europe-west4`. Default: `GOOGLE_CLOUD_LOCATION`, otherwise `global`. */
  readonly location?: string
  /** The id of the project. Default: `GOOGLE_CLOUD_PROJECT`, otherwise the project of the credentials. */
  readonly project?: string
  /** The path of a file with credentials. Default: Application Default Credentials. */
  readonly credentialsFile?: string
}

/** Options for a provider on Vertex AI: its URL, and a function that returns the current access token. */
export interface VertexConnection {
  readonly baseUrl: string
  readonly auth: 'bearer'
  readonly apiKey: () => Promise<string>
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'

/** The characters of locations and project ids: both are parts of the URL, and a location is part of the host. */
const namePattern = /^[a-z0-9][a-z0-9.:-]*$/

/**
 * Signs in to Google Cloud with Application Default Credentials and returns the options for models on Vertex AI. It needs the
 * package `google-auth-library`, which caches the access token and renews it before it expires.
 *
 * @example
 * const gemini = vertex('gemini-…', await connectToVertex({ location: 'europe-west4' }))
 */
export async function connectToVertex(options: VertexConnectionOptions = {}): Promise<VertexConnection> {
  checkOptions('`connectToVertex`', options, { location: true, project: true, credentialsFile: true })
  const { GoogleAuth } = await loadOptionalPackage('google-auth-library', () => import('google-auth-library'))
  const { credentialsFile } = options
  const auth = new GoogleAuth({
    scopes: SCOPE,
    ...(credentialsFile !== undefined && { keyFilename: credentialsFile }),
  })
  const location = options.location ?? process.env['GOOGLE_CLOUD_LOCATION'] ?? 'global'
  const project =
    options.project ??
    process.env['GOOGLE_CLOUD_PROJECT'] ??
    (await auth.getProjectId().catch((error: unknown) => {
      throw createSignInError(error)
    }))
  checkName(location, 'location')
  checkName(project, 'project')
  const host = location === 'global' ? 'aiplatform.googleapis.com' : `${location}-aiplatform.googleapis.com`
  let pending: Promise<string> | undefined
  return {
    baseUrl: `https://${host}/v1beta1/projects/${project}/locations/${location}`,
    auth: 'bearer',
    // Requests that start at the same time share one sign-in.
    apiKey: () =>
      (pending ??= requestToken(() => auth.getAccessToken()).finally(() => {
        pending = undefined
      })),
  }
}

async function requestToken(getAccessToken: () => Promise<unknown>): Promise<string> {
  const token = await getAccessToken().catch((error: unknown) => {
    throw createSignInError(error)
  })
  if (typeof token === 'string' && token !== '') return token
  throw createSignInError(undefined)
}

function checkName(name: string, option: string): void {
  if (typeof (name as unknown) !== 'string' || !namePattern.test(name))
    throwInvalid(
      'invalid-value',
      child(undefined, option),
      typeof (name as unknown) === 'string' ? 'other characters' : describeType(name),
      'lower-case letters, digits and hyphens',
    )
}

/** Reasons in the errors of the package: what they mean, and what to do. */
const REASONS: readonly (readonly [
  pattern: RegExp,
  kind: ProviderErrorKind,
  reason: string,
  hint?: string,
])[] = [
  [
    /could not load the default credentials|ENOENT|file at .* does not exist|not a file/i,
    'authentication',
    'no credentials were found',
    'Run `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS to the path of a file with credentials.',
  ],
  [
    /unable to detect a project/i,
    'invalid-request',
    'no project was found',
    'Pass `project`, or set the environment variable GOOGLE_CLOUD_PROJECT.',
  ],
  [
    /invalid_grant/,
    'authentication',
    'the credentials are expired or revoked (invalid_grant)',
    'Sign in again: `gcloud auth application-default login`.',
  ],
  [/ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ECONNRESET/, 'network', 'the server cannot be reached'],
]

/** Creates the error of a failed sign-in. The error of the package contains the request with its secrets, so it is no cause. */
function createSignInError(error: unknown): ProviderError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const text = error instanceof Error ? `${error.message} ${code}` : ''
  const [, kind, reason, hint] = REASONS.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    'authentication' as const,
    /error code (\w+)/i.exec(text)?.[1] ?? 'the server returned no access token',
  ]
  return new ProviderError(`The sign-in to Google Cloud failed: ${reason}`, {
    kind,
    provider: 'vertex',
    ...(hint !== undefined && { hint }),
  })
}
