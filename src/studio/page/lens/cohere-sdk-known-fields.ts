import { sdkObject, type SdkKnownFields, toCamelCase, sdkVariant } from './to-sdk-input.ts'

const call = sdkObject('id type', { function: sdkObject('name arguments') })

const source = sdkVariant('type', {
  tool: sdkObject('type id tool_output'),
  document: sdkObject('type id document'),
})

const content = sdkVariant('type', {
  text: sdkObject('type text'),
  thinking: sdkObject('type thinking'),
  document: sdkObject('type', { document: sdkObject('id data') }),
  image_url: sdkObject('type', { image_url: sdkObject('url detail') }),
})

const message = sdkVariant('role', {
  system: sdkObject('role', { content }),
  user: sdkObject('role', { content }),
  assistant: sdkObject('role tool_plan', {
    content,
    tool_calls: call,
    citations: sdkObject('start end text content_index type', { sources: source }),
  }),
  tool: sdkObject('role tool_call_id', { content }),
})

/** How `cohere-ai` reads the body of `chat` of its second version: it sends fields that are not listed as they are. */
export const cohereSdkKnownFields: SdkKnownFields = {
  sendsUnknown: true,
  rename: toCamelCase,
  request: sdkObject(
    'model tools strict_tools documents safety_mode max_tokens stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs tool_choice priority',
    {
      messages: message,
      citation_options: sdkObject('mode'),
      response_format: sdkVariant('type', { json_object: sdkObject('type json_schema') }),
      thinking: sdkObject('type token_budget'),
    },
  ),
}
