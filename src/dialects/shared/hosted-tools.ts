import type { ProviderTool, Tool } from '../../canonical/model/tool.ts'
import { getOwnValue, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** The vendors whose hosted tools have counterparts. */
export type HostedToolVendor = 'anthropic' | 'google' | 'openai' | 'mistral' | 'openrouter'

/** A hosted tool at one vendor. */
interface HostedToolForm {
  /** Its names, without date: the first is sent. */
  readonly names: readonly string[]
  /** The dated type that is sent, if the vendor has versions. */
  readonly version?: string
  /** Fields that the vendor requires. */
  readonly required?: JsonObject
  /** The paths of the options that other vendors have too. */
  readonly options?: { readonly [option: string]: readonly string[] }
}

const location = { userLocation: ['user_location'] } as const

/**
 * The hosted tools by plain name, with their form at each vendor. Sources: the tool unions of the SDKs of Anthropic and OpenAI,
 * ai.google.dev/api/caching#Tool. The versions are those that every model with the tool accepts.
 */
const hostedTools: {
  readonly [plainName: string]: { readonly [vendor in HostedToolVendor]?: HostedToolForm }
} = {
  web_search: {
    openai: {
      names: ['web_search', 'web_search_preview'],
      options: { ...location, allowedDomains: ['filters', 'allowed_domains'] },
    },
    anthropic: {
      names: ['web_search'],
      version: 'web_search_20250305',
      required: { name: 'web_search' },
      options: { ...location, allowedDomains: ['allowed_domains'] },
    },
    google: { names: ['googleSearch', 'google_search', 'googleSearchRetrieval', 'enterpriseWebSearch'] },
    mistral: { names: ['web_search', 'web_search_premium'] },
    openrouter: { names: ['web_search'] },
  },
  code_execution: {
    openai: { names: ['code_interpreter'], required: { container: { type: 'auto' } } },
    anthropic: {
      names: ['code_execution'],
      version: 'code_execution_20250825',
      required: { name: 'code_execution' },
    },
    google: { names: ['codeExecution'] },
    mistral: { names: ['code_interpreter'] },
  },
  web_fetch: {
    anthropic: { names: ['web_fetch'], version: 'web_fetch_20250910', required: { name: 'web_fetch' } },
    google: { names: ['urlContext', 'url_context'] },
  },
  bash: { anthropic: { names: ['bash'], version: 'bash_20250124', required: { name: 'bash' } } },
  memory: { anthropic: { names: ['memory'], version: 'memory_20250818', required: { name: 'memory' } } },
  text_editor: {
    anthropic: {
      names: ['text_editor'],
      version: 'text_editor_20250728',
      required: { name: 'str_replace_based_edit_tool' },
    },
  },
}

/** A hosted tool as a vendor declares it. */
export interface HostedToolDeclaration {
  readonly name: string
  readonly options: JsonObject
}

/** The date at the end of a name: `_20250305`, `_2025_08_26`. */
const datePattern = /_\d{4}_?\d{2}_?\d{2}$/

/** Providers whose tools have the names of a vendor in the table. */
const vendorAliases: ReadonlyMap<string, string> = new Map([['gemini', 'google']])

function getVendor(provider: string): string {
  return vendorAliases.get(provider) ?? provider
}

/** The vendors whose hosted tools the dialects declare in their lists of tools. */
const dialectVendors: ReadonlyMap<string, HostedToolVendor> = new Map([
  ['anthropic', 'anthropic'],
  ['gemini', 'google'],
  ['gemini-interactions', 'google'],
  ['mistral', 'mistral'],
  ['openai-responses', 'openai'],
])

/** Returns the plain name of a hosted tool; undefined if it is in no row of the table. */
export function getPlainToolName({ name }: ProviderTool): string | undefined {
  const undated = name.replace(datePattern, '')
  if (Object.hasOwn(hostedTools, undated)) return undated
  return Object.keys(hostedTools).find((plain) =>
    Object.values(hostedTools[plain] ?? {}).some((form) => form.names.includes(undated)),
  )
}

/**
 * Returns the positions of hosted tools of other vendors whose counterpart would repeat another tool: one of the vendor of
 * the dialect, an earlier counterpart, or a function with its name. Anthropic refuses them: "Tool names must be unique."
 */
export function findRepeatedCounterparts(tools: readonly Tool[], dialect: string): ReadonlySet<number> {
  const target = dialectVendors.get(dialect)
  const repeated = new Set<number>()
  if (target === undefined || !tools.some(({ type }) => type === 'provider')) return repeated
  const isOwn = ({ provider }: ProviderTool): boolean => getVendor(provider) === target
  const functionNames = new Set<Json>(tools.map((tool) => (tool.type === 'function' ? tool.name : '')))
  const declared = new Set(
    tools.map((tool) => (tool.type === 'provider' && isOwn(tool) ? getPlainToolName(tool) : undefined)),
  )
  for (const [index, tool] of tools.entries()) {
    const plain = tool.type === 'provider' && !isOwn(tool) ? getPlainToolName(tool) : undefined
    const form = plain === undefined ? undefined : hostedTools[plain]?.[target]
    if (form === undefined) continue
    if (declared.has(plain) || functionNames.has(form.required?.['name'] ?? null)) repeated.add(index)
    declared.add(plain)
  }
  return repeated
}

/**
 * Returns the positions of functions with the name of a tool that the vendor of the dialect declares: Anthropic refuses two
 * tools of one name. The function is the one to omit, since it can still run the calls of a tool such as `bash`.
 */
export function findFunctionsNamedAsHosted(tools: readonly Tool[], dialect: string): ReadonlySet<number> {
  const target = dialectVendors.get(dialect)
  const hostedNames = new Set<Json | undefined>()
  for (const tool of tools) {
    if (target === undefined || tool.type !== 'provider' || getVendor(tool.provider) !== target) continue
    const plain = getPlainToolName(tool)
    const form = plain === undefined ? undefined : hostedTools[plain]?.[target]
    hostedNames.add(completeOwnTool(tool, plain, form).options['name'])
  }
  if (hostedNames.size === 0) return new Set()
  return new Set(
    tools.flatMap((tool, index) => (tool.type === 'function' && hostedNames.has(tool.name) ? index : [])),
  )
}

/**
 * Returns a hosted tool as the target declares it: the tool itself, with a plain name completed by its version, or the
 * counterpart of another vendor's tool. Undefined, with a loss, if the target has no counterpart.
 */
export function toHostedTool(
  tool: ProviderTool,
  target: HostedToolVendor,
  path: Path | undefined,
  context: EncodeContext,
): HostedToolDeclaration | undefined {
  const plain = getPlainToolName(tool)
  const form = plain === undefined ? undefined : hostedTools[plain]?.[target]
  if (getVendor(tool.provider) === target) return completeOwnTool(tool, plain, form)
  if (plain === undefined || form === undefined) {
    context.report('foreign-tool', path)
    return undefined
  }
  context.report('hosted-tool', path)
  const options = convertOptions(tool, plain, form, child(path, 'options'), context)
  return { name: form.version ?? form.names[0] ?? plain, options: { ...form.required, ...options } }
}

/** Completes a tool of the target: a plain name gets the version and the required fields. An explicit `type` is the version. */
function completeOwnTool(
  { name, options }: ProviderTool,
  plain: string | undefined,
  form: HostedToolForm | undefined,
): HostedToolDeclaration {
  const { type, ...others } = options
  const version = typeof type === 'string' ? type : undefined
  if (form === undefined)
    return version === undefined ? { name, options } : { name: version, options: others }
  const isPlain = name === plain && form.version !== undefined
  const isKnown = name !== plain || form.names.includes(name)
  const sentName = isPlain ? form.version : isKnown ? name : (form.names[0] ?? name)
  const completed = version === undefined ? options : others
  return { name: version ?? sentName ?? name, options: { ...form.required, ...completed } }
}

/** Converts the options that both vendors have; the others are reported. */
function convertOptions(
  { provider, options }: ProviderTool,
  plain: string,
  target: HostedToolForm,
  path: Path,
  context: EncodeContext,
): JsonObject {
  const source = getOwnValue(hostedTools[plain] ?? {}, getVendor(provider)) as HostedToolForm | undefined
  const made: Record<string, Json> = {}
  const sentKeys = new Set<string>(Object.keys(source?.required ?? {}))
  for (const [option, sourcePath] of Object.entries(source?.options ?? {})) {
    const targetPath = target.options?.[option]
    const value = sourcePath.reduce<Json | undefined>(
      (each, key) => (isObject(each) ? (getOwnValue(each, key) as Json | undefined) : undefined),
      options,
    )
    const [key = '', nested] = targetPath ?? []
    if (targetPath === undefined || value === undefined) continue
    made[key] = nested === undefined ? value : { [nested]: value }
    sentKeys.add(sourcePath[0] ?? '')
  }
  for (const key of Object.keys(options)) {
    if (!sentKeys.has(key)) context.report('no-field', child(path, key))
  }
  return made
}
