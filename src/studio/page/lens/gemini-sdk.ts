import { objectShape, type SdkShape } from './sdk-fields.ts'

const part = objectShape(
  'text thought thoughtSignature inlineData fileData executableCode codeExecutionResult functionResponse toolCall toolResponse mediaResolution videoMetadata audioTranscription partMetadata mediaProcessing speechMetadata',
  { functionCall: objectShape('id name args') },
)

const content = objectShape('role', { parts: part })

const tool = objectShape(
  'functionDeclarations codeExecution urlContext fileSearch computerUse mcpServers googleSearchRetrieval',
  {
    googleSearch: objectShape('searchTypes timeRangeFilter'),
    googleMaps: objectShape('enableWidget', { authConfig: objectShape('apiKey') }),
  },
)

const generationConfig = objectShape(
  'temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs presencePenalty frequencyPenalty seed responseMimeType responseSchema responseJsonSchema responseModalities mediaResolution speechConfig thinkingConfig audioTranscriptionConfig enableEnhancedCivicAnswers',
  { imageConfig: objectShape('aspectRatio imageSize') },
)

/**
 * How `@google/genai` reads the body of `models.generateContent` for the Gemini API: it removes fields that are not
 * listed, or refuses those that only Vertex AI supports.
 */
export const geminiSdk: SdkShape = {
  sendsUnknown: false,
  rename: (name) => name,
  request: objectShape('cachedContent serviceTier store labels continuationToken', {
    contents: content,
    systemInstruction: content,
    tools: tool,
    toolConfig: objectShape('retrievalConfig includeServerSideToolInvocations', {
      functionCallingConfig: objectShape('mode allowedFunctionNames'),
    }),
    safetySettings: objectShape('category threshold'),
    generationConfig,
  }),
}
