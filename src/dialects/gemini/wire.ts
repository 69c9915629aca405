// The bodies of Google's generateContent as `gemini` writes them; contents, parts and tools fit the types of
// `@google/genai`. Its types name words as members of enums, for which no word will do: where a part or a tool has such a
// word (the language of code, the types of a schema), it is left out here. Parts, tools and settings that are not listed
// are kept and sent all the same.
import type { JsonObject } from '../../wire/json.ts'

type Inline = { mimeType: string; data: string; displayName?: string }
type Filed = { mimeType?: string; fileUri: string; displayName?: string }

type FunctionResponse = {
  id?: string
  name?: string
  response: JsonObject
  parts?: { inlineData?: Inline; fileData?: Filed }[]
}

/** A part holds one thing, under its key. */
type Part = {
  text?: string
  /** Whether the text is a thought. */
  thought?: boolean
  inlineData?: Inline
  fileData?: Filed
  functionCall?: { id?: string; name: string; args: JsonObject }
  functionResponse?: FunctionResponse
  executableCode?: { code: string; id?: string }
  codeExecutionResult?: { output?: string; id?: string }
  toolCall?: { id: string; args?: JsonObject }
  toolResponse?: { id: string; response?: JsonObject }
  /** The token by which the provider recognises the part. */
  thoughtSignature?: string
  videoMetadata?: { startOffset?: string; endOffset?: string; fps?: number }
}

type Content = { role?: 'user' | 'model'; parts: Part[] }

type FunctionDeclaration = { name: string; description?: string; parametersJsonSchema?: JsonObject }

/** Functions of the application, or one of the tools that the provider runs. */
type Tool = {
  functionDeclarations?: FunctionDeclaration[]
  googleSearch?: { excludeDomains?: string[] }
  codeExecution?: { [key: string]: never }
  urlContext?: { [key: string]: never }
}

type GenerationConfig = {
  temperature?: number
  topP?: number
  topK?: number
  maxOutputTokens?: number
  stopSequences?: string[]
  candidateCount?: number
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  responseLogprobs?: boolean
  logprobs?: number
  responseMimeType?: string
  responseJsonSchema?: JsonObject
  responseSchema?: JsonObject
  thinkingConfig?: {
    thinkingBudget?: number
    thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'
    includeThoughts?: boolean
  }
  responseModalities?: ('TEXT' | 'IMAGE' | 'AUDIO')[]
}

/**
 * A request to `POST /v1beta/models/{model}:generateContent`, or `:streamGenerateContent`: the path names the model and
 * says whether the answer is streamed.
 */
export type GeminiRequest = {
  contents: Content[]
  systemInstruction?: Content
  tools?: Tool[]
  toolConfig?: {
    functionCallingConfig?: { mode?: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'; allowedFunctionNames?: string[] }
  }
  generationConfig?: GenerationConfig
  safetySettings?: { category: string; threshold: string }[]
  cachedContent?: string
  labels?: { [key: string]: string }
}

type Segment = { partIndex?: number; startIndex?: number; endIndex?: number; text?: string }

/** What an answer rests on: pages, and which stretch of the text each speaks for. */
type Grounding = {
  groundingChunks?: { web?: { uri?: string; title?: string } }[]
  groundingSupports?: { segment?: Segment; groundingChunkIndices?: number[]; confidenceScores?: number[] }[]
  webSearchQueries?: string[]
  searchEntryPoint?: { renderedContent?: string; sdkBlob?: string }
}

type FinishReason =
  | 'STOP'
  | 'MAX_TOKENS'
  | 'SAFETY'
  | 'RECITATION'
  | 'LANGUAGE'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'SPII'
  | 'MALFORMED_FUNCTION_CALL'
  | 'UNEXPECTED_TOOL_CALL'
  | 'TOO_MANY_TOOL_CALLS'
  | 'IMAGE_SAFETY'
  | 'IMAGE_PROHIBITED_CONTENT'
  | 'IMAGE_RECITATION'
  | 'IMAGE_OTHER'
  | 'NO_IMAGE'
  | 'CONTINUATION'
  | 'FINISH_REASON_UNSPECIFIED'

type Candidate = {
  content?: Content
  finishReason?: FinishReason
  finishMessage?: string
  index?: number
  groundingMetadata?: Grounding
  avgLogprobs?: number
}

/** A whole answer, or a chunk of one that is streamed: each holds the next parts. */
export type GeminiResponse = {
  candidates?: Candidate[]
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string }
  usageMetadata?: {
    promptTokenCount?: number
    candidatesTokenCount?: number
    totalTokenCount?: number
    cachedContentTokenCount?: number
    thoughtsTokenCount?: number
    toolUsePromptTokenCount?: number
  }
  modelVersion?: string
  responseId?: string
  createTime?: string
}
