// The bodies of Google's generateContent as the `gemini` dialect writes them; contents, parts and tools are
// assignable to the types of `@google/genai`. Those types use enums, to which no string is assignable, so
// fields with enum values (the language of code, the types of a schema) are missing in these types. Parts,
// tools and settings that are missing are kept and sent too.
import type { JsonObject } from '../../wire/json.ts'

type InlineData = { mimeType: string; data: string; displayName?: string }
type FileData = { mimeType?: string; fileUri: string; displayName?: string }

type FunctionResponse = {
  id?: string
  name?: string
  response: JsonObject
  parts?: { inlineData?: InlineData; fileData?: FileData }[]
}

/** A part has exactly one data key. */
type Part = {
  text?: string
  /** True if the text is reasoning. */
  thought?: boolean
  inlineData?: InlineData
  fileData?: FileData
  functionCall?: { id?: string; name: string; args: JsonObject }
  functionResponse?: FunctionResponse
  executableCode?: { code: string; id?: string }
  codeExecutionResult?: { output?: string; id?: string }
  toolCall?: { id: string; args?: JsonObject }
  toolResponse?: { id: string; response?: JsonObject }
  /** The token with which the provider verifies the part. */
  thoughtSignature?: string
  videoMetadata?: { startOffset?: string; endOffset?: string; fps?: number }
}

type Content = { role?: 'user' | 'model'; parts: Part[] }

type FunctionDeclaration = { name: string; description?: string; parametersJsonSchema?: JsonObject }

/** Functions of the application, or a tool that the provider executes. */
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
 * A request to `POST /v1beta/models/{model}:generateContent` or `:streamGenerateContent`. The path contains
 * the model and determines if the response is streamed.
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

/** The web pages that a candidate is based on, and the text ranges that each page supports. */
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

/** A complete response, or a chunk of a streamed response with the next parts. */
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
