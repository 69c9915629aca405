import { type Json, getOwnValue, setKey, type JsonObject } from '../../wire/json.ts'
import type { KeyAliases } from '../../wire/residue.ts'

/** Every key of more than one word that we read or write; hosts and clients spell them `likeThis` or `like_this`. */
const wireKeys: readonly string[] = [
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

/** The same for what stands in schemas of the provider's own form. */
const schemaKeys: readonly string[] = (
  'anyOf additionalProperties prefixItems propertyOrdering minItems maxItems minLength maxLength minProperties ' +
  'maxProperties'
).split(' ')

function toSnakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Both spellings: the one that we write, and the other one. */
export const keyAliases: KeyAliases = Object.fromEntries(
  [...wireKeys, ...schemaKeys].map((key) => [key, [toSnakeCase(key)]]),
)

function indexBySnakeCase(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((key) => [toSnakeCase(key), key]))
}

const fromSnake = indexBySnakeCase(wireKeys)
const fromSnakeSchema = indexBySnakeCase(schemaKeys)

/** An object with its known keys spelled as we write them; where both spellings came, ours counts. */
export function toCamelCaseKeys(wire: object): JsonObject {
  return renameKeys(wire, fromSnake)
}

/** A schema with its keywords spelled as JSON Schema does. */
export function toCamelCaseSchema(schema: object): JsonObject {
  return renameKeys(schema, fromSnakeSchema)
}

function renameKeys(wire: object, names: ReadonlyMap<string, string>): JsonObject {
  if (!Object.keys(wire).some((key) => names.has(key))) return wire as JsonObject
  const out: Record<string, Json> = {}
  for (const key of Object.keys(wire)) {
    const ours = names.get(key)
    const name = ours === undefined || Object.hasOwn(wire, ours) ? key : ours
    setKey(out, name, getOwnValue(wire, key))
  }
  return out
}

/** Keys in both spellings, for what is compared with the wire as it came. */
export function listBothCasings(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, toSnakeCase(name)])
}
