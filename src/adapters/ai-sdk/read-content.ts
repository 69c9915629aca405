import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider'
import type { Citation } from '../../canonical/model/citation.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { AssistantMessage, Finish } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { aiSdkModelMessages } from '../../formats/ai-sdk-model-messages/index.ts'
import { omitUndefined, tryParseJson } from '../../wire/json.ts'
import { TARGET } from './write-call-options.ts'

type Source = Extract<LanguageModelV3Content, { readonly type: 'source' }>

/** Returns the part of a piece of content that is no source; undefined if it has no counterpart. */
export function readContent(content: Exclude<LanguageModelV3Content, Source>): AssistantPart | undefined {
  const { providerMetadata: providerOptions, ...fields } = content
  const part = { ...toMessagePart(fields), ...(providerOptions && { providerOptions }) }
  const { value } = aiSdkModelMessages.fromMessages([{ role: 'assistant', content: [part] }])
  return (value[0] as AssistantMessage | undefined)?.content[0]
}

/** Returns content in the form that it has in a message. */
function toMessagePart(content: Exclude<LanguageModelV3Content, Source>): object {
  if (content.type === 'tool-call') return { ...content, input: tryParseJson(content.input) ?? content.input }
  if (content.type !== 'tool-result') return content
  const { result, isError = false, ...others } = content
  const kind = typeof result === 'string' ? 'text' : 'json'
  return { ...others, output: { type: isError ? `error-${kind}` : kind, value: result } }
}

/** Returns the citation of a source. */
export function readSource(source: Source): Citation {
  const { title } = source
  const own = source.providerMetadata?.['interlingua']
  const url = source.sourceType === 'url' ? source.url : undefined
  return { type: 'source', ...omitUndefined({ url, title }), ...own }
}

export function readFinish({ unified, raw }: LanguageModelV3FinishReason): Finish {
  return { reason: unified, ...(raw !== undefined && { raw }) }
}

/** Returns the counts; undefined if the provider reports none. */
export function readUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined
  const { total: input = 0, cacheRead: cachedInputTokens, cacheWrite: cacheWriteTokens } = inputTokens
  const { total: output = 0, reasoning: reasoningTokens } = outputTokens
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    ...omitUndefined({ cachedInputTokens, cacheWriteTokens, reasoningTokens }),
  }
}

/** Returns the warnings of a provider of the SDK as losses. */
export function readWarnings(warnings: readonly SharedV3Warning[]): readonly Loss[] {
  return warnings.map((warning) => {
    const feature = warning.type === 'other' ? '' : warning.feature
    const details = warning.type === 'other' ? warning.message : warning.details
    return {
      path: feature === '' ? '' : `/${feature}`,
      dialect: TARGET.dialect,
      rule: 'no-field',
      action: 'dropped',
      severity: warning.type === 'compatibility' ? 'note' : 'loss',
      reason: details ?? `The provider does not support ${feature}.`,
    }
  })
}
