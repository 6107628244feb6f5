import type { Answer } from './ask.js'

/** Asks until the answer is as expected, for what a cache does in its own time; gives the last answer. */
export async function eventually(ask: () => Promise<Answer>, asExpected: (answer: Answer) => boolean): Promise<Answer> {
  const until = Date.now() + 15_000
  for (;;) {
    const answer = await ask()
    if (asExpected(answer) || Date.now() > until) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
