import { badRequest } from '../../config/errors.js'
import { isLong, turn } from '../../flow/turns.js'

/** No record of the interface comes near these; what does would take far longer to parse than to send. */
const deepest = 100
const mostMembers = 1000
/** Of all objects together: objects that are all shaped differently take a microsecond a member to parse. */
const mostTogether = 40_000

/** Characters that are looked at before others are heard. */
const sliceLength = 64 * 1024

/** Refuses JSON that is nested too deeply, or has objects of too many members, before it is parsed. */
export async function mustBeModest(text: string): Promise<void> {
  /** How many commas at each depth that is an object's; -1 where it is an array's. */
  const members = new Int32Array(deepest + 1)
  let together = 0
  let depth = 0
  let slice = sliceLength
  for (let at = 0; at < text.length && depth >= 0; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x7b:
      case 0x5b:
        depth += 1
        if (depth > deepest) throw badRequest(`The request body is nested deeper than ${deepest} levels.`)
        members[depth] = text.charCodeAt(at) === 0x7b ? 1 : -1
        break
      case 0x7d:
      case 0x5d:
        depth -= 1
        break
      case 0x2c:
        if (members[depth]! > 0 && ++members[depth]! > mostMembers)
          throw badRequest(`An object of the request body has more than ${mostMembers} members.`)
        break
      // Each member has one, and nothing else has outside of texts.
      case 0x3a:
        together += 1
        if (together > mostTogether)
          throw badRequest(`The objects of the request body have more than ${mostTogether} members together.`)
    }
    if (at < slice) continue
    slice = at + sliceLength
    if (isLong()) await turn()
  }
}

/** Where the string that begins at `start` ends; the text's end when it does not, which the parser says. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}
