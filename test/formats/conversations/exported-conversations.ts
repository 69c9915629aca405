const node = (
  id: string,
  parent: string | null,
  message: object | null,
  children: readonly string[] = [],
): object => ({
  id,
  parent,
  children,
  message: message && { id, status: 'finished_successfully', recipient: 'all', weight: 1, ...message },
})

const text = (...parts: readonly unknown[]): object => ({ content_type: 'text', parts })

/** A conversation of ChatGPT: a hidden root, custom instructions, a tool loop, an image, and a regenerated answer. */
export const chatgptConversation: object = {
  title: 'Weather',
  create_time: 1_769_860_800.25,
  update_time: 1_769_860_900,
  conversation_id: '6a0c',
  current_node: 'n8',
  default_model_slug: 'gpt-5',
  mapping: {
    n0: node('n0', null, null, ['n1']),
    n1: node('n1', 'n0', {
      author: { role: 'system' },
      content: text(''),
      metadata: { is_visually_hidden_from_conversation: true },
    }),
    n2: node('n2', 'n1', {
      author: { role: 'user' },
      content: {
        content_type: 'user_editable_context',
        user_profile: 'I live in Oslo.',
        user_instructions: 'Be brief.',
      },
      metadata: { is_visually_hidden_from_conversation: true, is_user_system_message: true },
    }),
    n3: node('n3', 'n2', {
      author: { role: 'user' },
      create_time: 1_769_860_801,
      content: {
        content_type: 'multimodal_text',
        parts: [
          { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-abc', width: 1 },
          'How warm is it?',
        ],
      },
    }),
    n4: node('n4', 'n3', {
      author: { role: 'assistant' },
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Weather', content: 'Compute it.' }] },
      metadata: { model_slug: 'gpt-5' },
    }),
    n5: node('n5', 'n4', {
      author: { role: 'assistant' },
      recipient: 'python',
      content: { content_type: 'code', language: 'python', text: 'print(2 + 2)' },
      metadata: { model_slug: 'gpt-5' },
    }),
    n6: node('n6', 'n5', {
      author: { role: 'tool', name: 'python' },
      content: { content_type: 'execution_output', text: '4' },
    }),
    n7: node('n7', 'n6', {
      author: { role: 'assistant' },
      content: text('4 degrees'),
      metadata: { model_slug: 'gpt-5' },
    }),
    n8: node('n8', 'n6', {
      author: { role: 'assistant' },
      content: text('About 4 degrees'),
      metadata: { model_slug: 'gpt-5' },
    }),
  },
}

const ROOT = '00000000-0000-4000-8000-000000000000'

/** A conversation of Claude.ai: an attachment, a tool loop inside of an answer, and an edited question. */
export const claudeConversation: object = {
  uuid: 'c0',
  name: 'Weather',
  created_at: '2026-01-31T12:00:00.000000Z',
  updated_at: '2026-01-31T12:05:00.000000Z',
  account: { uuid: 'a0' },
  chat_messages: [
    {
      uuid: 'm1',
      sender: 'human',
      parent_message_uuid: ROOT,
      created_at: '2026-01-31T12:00:00.000000Z',
      text: 'How warm is it?',
      content: [{ type: 'text', text: 'How warm is it?', citations: [] }],
      attachments: [{ file_name: 'a.txt', file_size: 4, file_type: 'txt', extracted_content: 'Oslo' }],
      files: [{ file_name: 'b.png' }],
    },
    {
      uuid: 'm2',
      sender: 'assistant',
      parent_message_uuid: 'm1',
      created_at: '2026-01-31T12:00:01.000000Z',
      text: '',
      content: [
        { type: 'thinking', thinking: 'Look it up.', summaries: [] },
        { type: 'tool_use', id: null, name: 'web_search', input: { query: 'Oslo' } },
        {
          type: 'tool_result',
          tool_use_id: null,
          name: 'web_search',
          content: [{ type: 'text', text: '4' }],
          is_error: false,
        },
        { type: 'text', text: '4 degrees' },
      ],
      attachments: [],
      files: [],
    },
    {
      uuid: 'm3',
      sender: 'human',
      parent_message_uuid: 'm2',
      text: 'And tomorrow?',
      content: [],
      attachments: [],
      files: [],
    },
    {
      uuid: 'm4',
      sender: 'human',
      parent_message_uuid: 'm2',
      text: 'And today?',
      content: [],
      attachments: [],
      files: [],
    },
    {
      uuid: 'm5',
      sender: 'assistant',
      parent_message_uuid: 'm4',
      text: 'The same.',
      content: [],
      attachments: [],
      files: [],
    },
  ],
}
