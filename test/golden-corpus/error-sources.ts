import { PROVIDER_ERROR_KINDS, type ProviderErrorDetails } from 'interlingua'

/** An error of a provider, from which a case is built. */
export interface ErrorSource {
  readonly name: string
  readonly description: string
  readonly error: { readonly message: string } & Omit<ProviderErrorDetails, 'cause' | 'body'>
}

const kinds = PROVIDER_ERROR_KINDS.map((kind): ErrorSource => ({
  name: kind,
  description: `An error of the kind \`${kind}\`, without further details.`,
  error: { message: 'The request failed.', kind },
}))

/** Errors of every kind, and one with all details. */
export const errorSources: readonly ErrorSource[] = [
  ...kinds,
  {
    name: 'all-details',
    description: 'A rate limit with all details.',
    error: {
      message: 'Too many requests.',
      kind: 'rate-limit',
      status: 429,
      requestId: 'req_1',
      retryAfterMs: 2000,
      type: 'tokens',
      providerCode: 'rate_limit_exceeded',
      param: 'messages',
    },
  },
]
