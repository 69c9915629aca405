import { type Json, ownValue, setKey } from '../../wire/json.ts'
import type { Aliases } from '../../wire/residue.ts'

export type Wire = { readonly [key: string]: Json }

/** Every key of more than one word that we read or write; hosts and clients spell them `likeThis` or `like_this`. */
const keys: readonly string[] = [
  'systemInstruction generationConfig toolConfig promptFeedback usageMetadata modelVersion responseId createTime',
  'inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall toolResponse',
  'thoughtSignature mimeType displayName fileUri toolType',
  'functionDeclarations parametersJsonSchema functionCallingConfig allowedFunctionNames',
  'googleSearch googleSearchRetrieval googleMaps codeExecution urlContext computerUse fileSearch mcpServers',
  'enterpriseWebSearch exaAiSearch parallelAiSearch',
  'topP topK maxOutputTokens stopSequences candidateCount presencePenalty frequencyPenalty responseLogprobs',
  'responseMimeType responseSchema responseJsonSchema thinkingConfig thinkingBudget thinkingLevel includeThoughts',
  'finishReason blockReason groundingMetadata groundingChunks groundingSupports groundingChunkIndices',
  'citationMetadata logprobsResult avgLogprobs partIndex startIndex endIndex',
  'promptTokenCount candidatesTokenCount totalTokenCount cachedContentTokenCount thoughtsTokenCount',
  'toolUsePromptTokenCount partialArgs willContinue jsonPath stringValue numberValue boolValue nullValue',
].flatMap((line) => line.split(' '))

function snake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Both spellings: the one that we write, and the other one. */
export const aliases: Aliases = Object.fromEntries(keys.map((key) => [key, [snake(key)]]))

const fromSnake: ReadonlyMap<string, string> = new Map(keys.map((key) => [snake(key), key]))

/** An object with its known keys spelled as we write them; where both spellings came, ours counts. */
export function camel(wire: object): Wire {
  if (!Object.keys(wire).some((key) => fromSnake.has(key))) return wire as Wire
  const out: Record<string, Json> = {}
  for (const key of Object.keys(wire)) {
    const ours = fromSnake.get(key)
    const name = ours === undefined || Object.hasOwn(wire, ours) ? key : ours
    setKey(out, name, ownValue(wire, key))
  }
  return out
}

/** Keys in both spellings, for what is compared with the wire as it came. */
export function bothSpellings(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, snake(name)])
}
