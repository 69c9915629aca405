import { sdkObject, type SdkKnownFields } from './to-sdk-input.ts'

const part = sdkObject(
  'text thought thoughtSignature inlineData fileData executableCode codeExecutionResult functionResponse toolCall toolResponse mediaResolution videoMetadata audioTranscription partMetadata mediaProcessing speechMetadata',
  { functionCall: sdkObject('id name args') },
)

const content = sdkObject('role', { parts: part })

const tool = sdkObject(
  'functionDeclarations codeExecution urlContext fileSearch computerUse mcpServers googleSearchRetrieval',
  {
    googleSearch: sdkObject('searchTypes timeRangeFilter'),
    googleMaps: sdkObject('enableWidget', { authConfig: sdkObject('apiKey') }),
  },
)

const generationConfig = sdkObject(
  'temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs presencePenalty frequencyPenalty seed responseMimeType responseSchema responseJsonSchema responseModalities mediaResolution speechConfig thinkingConfig audioTranscriptionConfig enableEnhancedCivicAnswers',
  { imageConfig: sdkObject('aspectRatio imageSize') },
)

/**
 * How `@google/genai` reads the body of `models.generateContent` for the Gemini API: it removes fields that are not
 * listed, or refuses those that only Vertex AI supports.
 */
export const geminiSdkKnownFields: SdkKnownFields = {
  sendsUnknown: false,
  rename: (name) => name,
  request: sdkObject('cachedContent serviceTier store labels continuationToken', {
    contents: content,
    systemInstruction: content,
    tools: tool,
    toolConfig: sdkObject('retrievalConfig includeServerSideToolInvocations', {
      functionCallingConfig: sdkObject('mode allowedFunctionNames'),
    }),
    safetySettings: sdkObject('category threshold'),
    generationConfig,
  }),
}
