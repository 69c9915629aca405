import { type Json, getOwnValue, setKey, type JsonObject } from '../../wire/json.ts'
import type { AliasesByKey } from '../../wire/residue.ts'

/** The compound keys that the dialect reads or writes. Hosts and clients spell them in camel or snake case. */
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

/** The compound keywords of schemas in Gemini's own form. */
const schemaKeys: readonly string[] = (
  'anyOf additionalProperties prefixItems propertyOrdering minItems maxItems minLength maxLength minProperties ' +
  'maxProperties'
).split(' ')

function toSnakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The snake-case alias of every camel-case key. */
export const keyAliases: AliasesByKey = Object.fromEntries(
  [...wireKeys, ...schemaKeys].map((key) => [key, [toSnakeCase(key)]]),
)

function indexBySnakeCase(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((key) => [toSnakeCase(key), key]))
}

const camelKeysBySnake = indexBySnakeCase(wireKeys)
const camelSchemaKeysBySnake = indexBySnakeCase(schemaKeys)

/** Returns the object with its known keys in camel case; a key that exists in camel case wins. */
export function toCamelCaseKeys(wire: object): JsonObject {
  return renameKeys(wire, camelKeysBySnake)
}

/** Returns the schema with its keywords in camel case. */
export function toCamelCaseSchema(schema: object): JsonObject {
  return renameKeys(schema, camelSchemaKeysBySnake)
}

function renameKeys(wire: object, names: ReadonlyMap<string, string>): JsonObject {
  if (!hasKeyOf(wire, names)) return wire as JsonObject
  const out: Record<string, Json> = {}
  for (const key of Object.keys(wire)) {
    const camelKey = names.get(key)
    const name = camelKey === undefined || Object.hasOwn(wire, camelKey) ? key : camelKey
    setKey(out, name, getOwnValue(wire, key))
  }
  return out
}

function hasKeyOf(wire: object, names: ReadonlyMap<string, string>): boolean {
  for (const key in wire) if (names.has(key)) return true
  return false
}

/** Returns keys in both spellings, for a comparison with the original wire object. */
export function listBothCasings(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, toSnakeCase(name)])
}
