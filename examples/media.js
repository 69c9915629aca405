// @ts-check
// Sends an image URL to a model that accepts only bytes. The image is fetched from allowed hosts only.
import { createServer } from 'node:http'
import { image, user } from 'interlingua'
import { createGuardedFetch } from 'interlingua/node'
import { resolveMedia, scripted } from 'interlingua/providers'

// Replaces an image host on the internet.
const server = createServer((_request, response) =>
  response.setHeader('content-type', 'image/gif').end('GIF89a'),
)
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = server.address()
const port = typeof address === 'object' ? address?.port : address

const request = {
  messages: [
    user([
      'What is this?',
      image(`http://images.test:${port}/cat.gif`),
      image('http://elsewhere.test/dog.gif'),
      image('http://169.254.169.254/latest/meta-data'),
    ]),
  ],
}

const { request: ready, unresolved } = await resolveMedia(request, {
  // Public hosts need neither of these two options.
  fetch: createGuardedFetch({ allowAddresses: ['127.0.0.1'], lookup: async () => ['127.0.0.1'] }),
  allowedHosts: ['images.test', '169.254.169.254'],
})
for (const { path, reason, error } of unresolved) console.log(path, reason, error?.message ?? '(not fetched)')

const model = scripted(['A cat, I think.'], { dialect: 'ollama' })
const { text, losses } = await model.generate(ready)
console.log(text)
for (const { severity, path, rule } of losses) if (severity === 'loss') console.log(path, rule)

server.close()

/* prints:
/messages/0/content/2 not-allowed (not fetched)
/messages/0/content/3 failed The URL was not fetched: a host that is not public (linkLocal)
A cat, I think.
/messages/0/content/2 unsupported-media
/messages/0/content/3 unsupported-media
*/
