import type { RequestInput } from '../operations/endpoint.js'
import type { LookBack } from '../operations/lookBack.js'
import { namedBy, Outdated } from './entityTag.js'

const mostAttempts = 5

/**
 * `If-Match` of forms that are saved twice: the field's portal sends the ETag of its first read again with its second
 * save. It passes when only the same user wrote since: then nobody else's change is lost.
 *
 * For sessions, not for API tokens: a program that sends `If-Match` counts on it among its own kind, too.
 *
 * @param decide decides the write; again, with the present state for the one named, when only the caller wrote since
 */
export async function pastOwnWrites<T>(
  lookBack: LookBack,
  input: RequestInput,
  decide: (input: RequestInput) => Promise<T>,
): Promise<T> {
  let asked = input
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide(asked)
    } catch (error) {
      if (!(error instanceof Outdated) || input.user.tokenId !== null || attempt === mostAttempts) throw error
      const present = await lookBack.presentTag(error.means, namedBy(input), input.user)
      if (present === null) throw error
      asked = { ...input, headers: { ...input.headers, 'if-match': `"${present}"` } }
    }
  }
}
