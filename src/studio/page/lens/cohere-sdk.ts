import { objectShape, type SdkShape, toCamelCase, variantShape } from './sdk-fields.ts'

const call = objectShape('id type', { function: objectShape('name arguments') })

const source = variantShape('type', {
  tool: objectShape('type id tool_output'),
  document: objectShape('type id document'),
})

const content = variantShape('type', {
  text: objectShape('type text'),
  thinking: objectShape('type thinking'),
  document: objectShape('type', { document: objectShape('id data') }),
  image_url: objectShape('type', { image_url: objectShape('url detail') }),
})

const message = variantShape('role', {
  system: objectShape('role', { content }),
  user: objectShape('role', { content }),
  assistant: objectShape('role tool_plan', {
    content,
    tool_calls: call,
    citations: objectShape('start end text content_index type', { sources: source }),
  }),
  tool: objectShape('role tool_call_id', { content }),
})

/** How `cohere-ai` reads the body of `chat` of its second version: it sends fields that are not listed as they are. */
export const cohereSdk: SdkShape = {
  sendsUnknown: true,
  rename: toCamelCase,
  request: objectShape(
    'model tools strict_tools documents safety_mode max_tokens stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs tool_choice priority',
    {
      messages: message,
      citation_options: objectShape('mode'),
      response_format: variantShape('type', { json_object: objectShape('type json_schema') }),
      thinking: objectShape('type token_budget'),
    },
  ),
}
