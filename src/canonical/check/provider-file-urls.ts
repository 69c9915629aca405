import { tryParseUrl } from '../../wire/urls.ts'

/**
 * The API hosts of providers, with the vendor whose files they serve. A provider reads a URL of its own API with the
 * credentials of the account, so such a URL is a file id: it may name a file of another user. A row also covers the
 * hosts below it, such as `eu.api.openai.com`.
 */
const PROVIDER_API_HOSTS: readonly (readonly [host: string, vendor: string])[] = [
  ['googleapis.com', 'google'],
  ['api.openai.com', 'openai'],
  ['openai.azure.com', 'azure'],
  ['services.ai.azure.com', 'azure'],
  ['cognitiveservices.azure.com', 'azure'],
  ['api.anthropic.com', 'anthropic'],
  ['api.claude.com', 'anthropic'],
  ['platform.claude.com', 'anthropic'],
  ['api.x.ai', 'xai'],
  ['api.mistral.ai', 'mistral'],
  ['api.groq.com', 'groq'],
  ['api.deepseek.com', 'deepseek'],
  ['openrouter.ai', 'openrouter'],
  ['api.together.xyz', 'together'],
  ['api.together.ai', 'together'],
  ['api.fireworks.ai', 'fireworks'],
  ['api.cerebras.ai', 'cerebras'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.cohere.com', 'cohere'],
  ['api.cohere.ai', 'cohere'],
  ['api.moonshot.ai', 'moonshot'],
  ['api.moonshot.cn', 'moonshot'],
  ['api.z.ai', 'zai'],
  ['open.bigmodel.cn', 'zai'],
  ['dashscope.aliyuncs.com', 'alibaba'],
  ['dashscope-intl.aliyuncs.com', 'alibaba'],
  ['api.replicate.com', 'replicate'],
  ['router.huggingface.co', 'huggingface'],
]

/** Hosts below a row that serve anyone's public files, without credentials of the account. */
const PUBLIC_FILE_HOSTS: readonly string[] = ['storage.googleapis.com']

/** Schemes of object storage, which a cloud reads with the credentials of the account. */
const STORAGE_SCHEMES: ReadonlyMap<string, string> = new Map([
  ['gs:', 'google'],
  ['s3:', 'amazon'],
  ['az:', 'azure'],
  ['abfs:', 'azure'],
  ['abfss:', 'azure'],
  ['azureml:', 'azure'],
])

/** Returns true for an API host of Amazon Bedrock: the region and private endpoints are part of its name. */
function isBedrockHost(host: string): boolean {
  const isAws = ['amazonaws.com', 'amazonaws.com.cn'].some((parent) => isSameOrSubdomain(host, parent))
  return isAws && host.split('.').some((label) => label.startsWith('bedrock'))
}

/** Returns the host name of a URL without the dots of its root. */
export function getHostName({ hostname }: URL): string {
  return hostname.replace(/\.+$/, '').toLowerCase()
}

/** Returns true if the host is `parent` or a host below it. */
export function isSameOrSubdomain(host: string, parent: string): boolean {
  return host === parent || host.endsWith(`.${parent}`)
}

/**
 * Returns the vendor that reads the URL with the credentials of the account; undefined for any other URL. The parser
 * has normalized the host: case, port, userinfo, percent-encoding and full-width characters do not matter.
 */
export function findFileVendor(text: string): string | undefined {
  const url = tryParseUrl(text)
  if (url === undefined) return undefined
  const storage = STORAGE_SCHEMES.get(url.protocol)
  if (storage !== undefined) return storage
  const host = getHostName(url)
  if (PUBLIC_FILE_HOSTS.some((parent) => isSameOrSubdomain(host, parent))) return undefined
  if (isBedrockHost(host)) return 'amazon'
  return PROVIDER_API_HOSTS.find(([parent]) => isSameOrSubdomain(host, parent))?.[1]
}
