import type { AIMessageChunk } from '@langchain/core/messages'
import type { Loss } from '../../canonical/model/loss.ts'
import type { Reply } from '../../canonical/model/model-interface.ts'
import { FormatLossReporter } from '../../formats/engine/format-loss-reporter.ts'
import { langchain } from '../../formats/langchain/index.ts'
import { LossReporter } from '../../formats/shared/loss-reporter.ts'
import { ProtocolDriver } from '../../formats/shared/protocol-driver.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import type { LangChainCore } from './langchain-core.ts'
import { type MessageChunk, MessageChunkWriter } from './message-chunk-writer.ts'

const NAME = 'langchain'

/** Creates the converter of the events of a response to message chunks. */
export function createChunkDriver(): ProtocolDriver<MessageChunk> {
  const losses: Loss[] = []
  const collect = (loss: Loss): void => {
    losses.push(loss)
  }
  const writer = new MessageChunkWriter(new FormatLossReporter(NAME, collect), () => toLossMetadata(losses))
  return new ProtocolDriver(writer, new LossReporter(NAME, collect))
}

/** Returns losses as metadata of a response, as plain JSON; notes change nothing for the model or the user. */
function toLossMetadata(losses: readonly Loss[]): JsonObject {
  const found = losses.filter(({ severity }) => severity === 'loss')
  if (found.length === 0) return {}
  return { losses: found.map(({ rule, path, reason }) => ({ rule, path, reason })) }
}

/** Returns the message of a reply. It is a chunk, because structured output of LangChain accepts only chunks. */
export function writeAnswer({ response, message, losses }: Reply, core: LangChainCore): AIMessageChunk {
  const { value, losses: written } = langchain.toMessages([message])
  const data: JsonObject = value[0]?.data ?? { content: '' }
  const { content, response_metadata: metadata, invalid_tool_calls: invalid, id: _id, ...others } = data
  const { id, model: model_name } = response
  const fields = {
    ...others,
    content: Array.isArray(content) ? content.map(toStandardBlock) : content,
    response_metadata: {
      ...omitUndefined({ id, model_name }),
      ...(isObject(metadata) ? metadata : {}),
      ...toLossMetadata([...losses, ...written]),
    },
  }
  const answer = new core.AIMessageChunk(fields as never)
  // The constructor keeps only the invalid calls that it finds itself.
  if (Array.isArray(invalid) && invalid.length > 0)
    Object.assign(answer, { invalid_tool_calls: invalid }).lc_kwargs['invalid_tool_calls'] = invalid
  return answer
}

/** Returns reasoning of Anthropic as a standard block, as a stream has it. */
function toStandardBlock(block: Json): Json {
  if (!isObject(block)) return block
  const { type, thinking, signature, data } = block
  if (type === 'thinking') return writeSignedReasoning(thinking, { signature: sign(signature) })
  if (type === 'redacted_thinking') return writeSignedReasoning('', { redacted: true, signature: sign(data) })
  return block
}

function writeSignedReasoning(reasoning: Json | undefined, own: JsonObject): JsonObject {
  return { type: 'reasoning', reasoning: reasoning ?? '', extras: { interlingua: own } }
}

function sign(value: Json | undefined): JsonObject {
  return { vendor: 'anthropic', value: value ?? '' }
}
