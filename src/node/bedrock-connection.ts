import { throwInvalid } from '../canonical/shape/shape.ts'
import { ProviderError } from '../errors.ts'
import { checkOptions } from '../wire/check-options.ts'
import { describeType } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import { loadOptionalPackage } from '../wire/load-modules.ts'

/** The credentials of an AWS identity. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials. */
  readonly sessionToken?: string
}

/** Options of {@link connectToBedrock}. */
export interface BedrockConnectionOptions {
  /** The region, such as `eu-central-1`. Default: `AWS_REGION`, otherwise `AWS_DEFAULT_REGION`. */
  readonly region?: string
  /**
   * Returns the credentials, before each request: a credential provider of `@aws-sdk/credential-providers` fits. Default: the
   * variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
   */
  readonly credentials?: () => AwsCredentials | Promise<AwsCredentials>
}

/** Options for a provider on Bedrock: its URL, and a `fetch` that signs each request. */
export interface BedrockConnection {
  readonly baseUrl: string
  readonly auth: 'none'
  readonly fetch: typeof globalThis.fetch
}

/** The name by which signatures refer to the service; its host has another one. */
const SERVICE = 'bedrock'

/** A region is part of the host. */
const regionPattern = /^[a-z0-9-]+$/

/**
 * Returns the options with which a provider signs its requests to Bedrock with AWS credentials (Signature Version 4). It needs
 * the package `aws4fetch`. With a key of Bedrock as bearer token, it is not needed.
 *
 * @example
 * const connection = await connectToBedrock({ region: 'eu-central-1', credentials: fromNodeProviderChain() })
 * const claude = bedrock('eu.anthropic.claude-…', connection)
 */
export async function connectToBedrock(options: BedrockConnectionOptions = {}): Promise<BedrockConnection> {
  checkOptions('`connectToBedrock`', options, { region: true, credentials: Function })
  const { AwsClient } = await loadOptionalPackage('aws4fetch', () => import('aws4fetch'))
  const region = options.region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION']
  if (typeof region !== 'string' || !regionPattern.test(region))
    return throwInvalid(
      'invalid-value',
      child(undefined, 'region'),
      typeof region === 'string' ? 'other characters' : describeType(region),
      'a region such as `us-east-1`: pass `region`, or set AWS_REGION',
    )
  const { credentials = readCredentials } = options
  // Signing keys are valid for a day; the package computes each one once.
  const cache = new Map<string, ArrayBuffer>()
  return {
    baseUrl: `https://bedrock-runtime.${region}.amazonaws.com`,
    auth: 'none',
    fetch: async (input, init) => {
      const { accessKeyId, secretAccessKey, sessionToken } = await requestCredentials(credentials)
      const client = new AwsClient({
        accessKeyId,
        secretAccessKey,
        ...(sessionToken !== undefined && { sessionToken }),
        service: SERVICE,
        region,
        cache,
      })
      return globalThis.fetch(await client.sign(input instanceof URL ? input.href : input, init))
    },
  }
}

function readCredentials(): AwsCredentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
  const { AWS_SESSION_TOKEN: sessionToken } = process.env
  if (!accessKeyId || !secretAccessKey) throw createSignInError()
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

/** Returns the credentials. The error of a credential provider may contain secrets, so it is no cause. */
async function requestCredentials(
  credentials: NonNullable<BedrockConnectionOptions['credentials']>,
): Promise<AwsCredentials> {
  try {
    const found = await credentials()
    if (typeof found.accessKeyId === 'string' && typeof found.secretAccessKey === 'string') return found
  } catch (error) {
    if (error instanceof ProviderError) throw error
  }
  throw createSignInError()
}

function createSignInError(): ProviderError {
  return new ProviderError('The sign-in to AWS failed: no credentials were found', {
    kind: 'authentication',
    provider: 'bedrock',
    hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pass `credentials`, such as `fromNodeProviderChain()`.',
  })
}
