import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Whether the person at the terminal says yes; anything else is a no. */
export async function confirmed(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await asked(`${question} [y/N] `, process.stderr)).trim())
}

/** What the person at the terminal types without it being shown. */
export async function askedSecretly(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await asked('', nowhere)
  process.stderr.write('\n')
  return answer
}

async function asked(question: string, output: Writable): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  // Who ends the input says nothing.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}
