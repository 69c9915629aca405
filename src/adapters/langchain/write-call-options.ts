import { createLoss } from '../../canonical/losses/create-loss.ts'
import { settingLossRules, toolLossRules } from '../../canonical/losses/request-rules.ts'
import { buildLossRuleTable } from '../../canonical/losses/rule-table.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ToolChoice } from '../../canonical/model/tool.ts'
import { langchain } from '../../formats/langchain/index.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** The target of the losses. */
const TARGET = { dialect: 'langchain' } as const

const lossRules = /* @__PURE__ */ buildLossRuleTable(settingLossRules, toolLossRules)

/** Whether every chat model has an option for a setting. Most settings are fields of the class of a provider. */
const SETTINGS: { readonly [name in keyof Required<Omit<ChatRequest, 'messages'>>]: boolean } = {
  stop: true,
  tools: true,
  toolChoice: true,
  // The model of the adapter decides these.
  model: true,
  stream: true,
  maxOutputTokens: false,
  temperature: false,
  topP: false,
  topK: false,
  presencePenalty: false,
  frequencyPenalty: false,
  seed: false,
  output: false,
  parallelToolCalls: false,
  reasoning: false,
  candidateCount: false,
  logprobs: false,
  user: false,
  metadata: false,
  verbosity: false,
  serviceTier: false,
  store: false,
  promptCacheKey: false,
  safetyIdentifier: false,
  extra: false,
}

/** A call of a chat model, and what of the request it does not contain. */
export interface WrittenCall {
  /** In the serialized form of each. */
  readonly messages: readonly JsonObject[]
  /** Definitions as OpenAI has them, which every chat model accepts. */
  readonly tools: readonly JsonObject[]
  readonly toolChoice?: string
  readonly stop?: string[]
  readonly losses: readonly Loss[]
}

/** Returns the call of LangChain for a request. */
export function writeCall(request: ChatRequest): WrittenCall {
  const { value: messages, losses: messageLosses } = langchain.toMessages(request.messages)
  // Fields that only a store needs are not missing in a call.
  const sentLosses = messageLosses.filter(({ rule }) => rule !== 'message-field')
  const losses: Loss[] = sentLosses.map((loss) => ({ ...loss, path: `/messages${loss.path}` }))
  const report: Reporter = (rule, path) => {
    losses.push(createLoss(lossRules, rule, path, TARGET))
  }
  for (const [name, isSupported] of Object.entries(SETTINGS)) {
    const isOmitted = !isSupported && request[name as keyof ChatRequest] !== undefined
    if (isOmitted) report('no-field', child(undefined, name))
  }
  const tools = writeTools(request, report)
  const { stop, toolChoice } = request
  return {
    messages: messages as unknown as readonly JsonObject[],
    tools,
    ...(toolChoice && tools.length > 0 && { toolChoice: writeToolChoice(toolChoice) }),
    ...(stop && { stop: [...stop] }),
    losses,
  }
}

type Reporter = (rule: keyof typeof lossRules, path: Path) => void

/** Writes the tools that the application runs. Of a list of allowed tools, which LangChain lacks, only these are sent. */
function writeTools({ tools = [], toolChoice }: ChatRequest, report: Reporter): readonly JsonObject[] {
  const allowed =
    typeof toolChoice === 'object' && 'allowed' in toolChoice ? new Set(toolChoice.allowed) : undefined
  if (allowed !== undefined) report('allowed-tools', child(undefined, 'toolChoice'))
  return tools.flatMap((tool, index): readonly JsonObject[] => {
    if (tool.type !== 'function') {
      report('foreign-tool', child(child(undefined, 'tools'), index))
      return []
    }
    const { name, description, strict, input } = tool
    if (allowed?.has(name) === false) return []
    const definition = { name, parameters: input, ...omitUndefined({ description, strict }) } as JsonObject
    return [{ type: 'function', function: definition }]
  })
}

/** The words of LangChain for a choice. */
const CHOICES = { auto: 'auto', none: 'none', required: 'any' } as const

function writeToolChoice(choice: ToolChoice): string {
  if (typeof choice === 'string') return CHOICES[choice]
  return 'name' in choice ? choice.name : CHOICES[choice.mode]
}
