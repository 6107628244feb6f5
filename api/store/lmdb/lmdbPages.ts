import { closeSync, openSync, readSync } from 'node:fs'

/** What a tree's record says of it (MDB_db). */
interface Tree {
  /** Flags and sizes of sorts of trees that we have none of: 0, but for the tree of free pages. */
  readonly sort: number
  readonly depth: number
  readonly branches: number
  readonly leaves: number
  readonly overflows: number
  readonly entries: number
  readonly root: number
}

export interface Meta {
  readonly pageSize: number
  readonly lastPage: number
  readonly transaction: number
  readonly free: Tree
  readonly main: Tree
}

/** Sizes and places in LMDB's pages (data version 2, 64 bits, little endian), in bytes. */
const header = 24
const nodeHeader = 8
const treeSize = 48
const branchPage = 1
const leafPage = 2
const overflowPage = 4
const bigData = 1
const subTree = 2
const mostDepth = 32
const noPage = 0xffff_ffff_ffff_ffffn

export function treeAt(page: Buffer, at: number): Tree {
  const number = (from: number): number => Number(page.readBigUInt64LE(at + from))
  return {
    sort: page.readUIntLE(at, 6),
    depth: page.readUInt16LE(at + 6),
    branches: number(8),
    leaves: number(16),
    overflows: number(24),
    entries: number(32),
    root: page.readBigUInt64LE(at + 40) === noPage ? -1 : number(40),
  }
}

/**
 * Goes through every page that LMDB would follow a number to, and throws an Error that says what does not fit. LMDB
 * itself trusts its pages: of a wrong number in one of them the process dies, or other data is written over.
 *
 * What values say is not looked at, nor how they are made up: rows have checksums of their own.
 */
export function checkPages(file: string, meta: Meta): void {
  const descriptor = openSync(file, 'r')
  try {
    new Walk(descriptor, meta).run()
  } finally {
    closeSync(descriptor)
  }
}

class Walk {
  readonly #seen: Uint8Array
  readonly #pages: Buffer[] = []
  readonly #head = Buffer.alloc(header)
  #counted = { branches: 0, leaves: 0, overflows: 0, entries: 0 }

  constructor(
    private readonly descriptor: number,
    private readonly meta: Meta,
  ) {
    this.#seen = new Uint8Array(meta.lastPage + 1)
    this.#seen.fill(1, 0, 2)
  }

  run(): void {
    const { free, main } = this.meta
    const trees: Tree[] = []
    this.#tree(main, (page, at, size, flags) => {
      if (flags !== subTree || size !== treeSize) throw new Error('a row of the tree of trees is no tree')
      trees.push(treeAt(page, at))
    })
    for (const tree of [main, ...trees]) if (tree.sort !== 0) throw new Error('a tree is of another kind')
    for (const tree of trees) this.#tree(tree, noRow)
    const lists: Buffer[] = []
    this.#tree(free, (page, at, size, flags) => {
      if (flags !== bigData) return void lists.push(Buffer.from(page.subarray(at, at + size)))
      const list = Buffer.alloc(Math.min(size, this.meta.lastPage * 16 + 16))
      readSync(this.descriptor, list, 0, list.length, this.#overflow(page, at, size) * this.meta.pageSize + header)
      lists.push(list)
    })
    for (const list of lists) this.#free(list)
  }

  #tree(tree: Tree, onRow: OnRow): void {
    this.#counted = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    if (tree.depth > mostDepth) throw new Error('a tree is too deep')
    if (tree.root >= 0 && tree.depth > 0) this.#page(tree.root, tree.depth, { low: null, high: null }, onRow)
    for (const name of ['branches', 'leaves', 'overflows', 'entries'] as const) {
      if (this.#counted[name] !== tree[name]) throw new Error(`${tree[name]} ${name} were written`)
    }
  }

  #page(number: number, depth: number, { low, high }: Bounds, onRow: OnRow): void {
    const page = this.#read(number, depth)
    const room = this.meta.pageSize - header
    const isLeaf = depth === 1
    if (page.readUInt16LE(18) !== (isLeaf ? leafPage : branchPage)) throw new Error(`page ${number} is of another kind`)
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
    if (lower % 2 !== 0 || lower > upper || upper > room) throw new Error(`page ${number} has no right bounds`)
    if (isLeaf) this.#counted.leaves += 1
    else this.#counted.branches += 1
    let before = low
    const keys: Buffer[] = []
    const children: number[] = []
    for (let index = 0; index < lower / 2; index++) {
      const place = page.readUInt16LE(header + index * 2)
      const at = header + place
      if (place < upper || place + nodeHeader > room) throw new Error(`page ${number} points beside itself`)
      const [flags, keySize] = [page.readUInt16LE(at + 4), page.readUInt16LE(at + 6)]
      const size = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 0x10000
      const inPage = nodeHeader + keySize + (isLeaf ? (flags === bigData ? header : size) : 0)
      if (place + inPage > room) throw new Error(`page ${number} has a row that does not fit`)
      const key = Buffer.from(page.subarray(at + nodeHeader, at + nodeHeader + keySize))
      // The first key of a branch stands for everything that is smaller.
      if (isLeaf || index > 0) {
        const isFirst = index === (isLeaf ? 0 : 1)
        const order = before === null ? -1 : before.compare(key)
        if (onRow === noRow && (order > 0 || (order === 0 && !isFirst) || (high !== null && key.compare(high) >= 0)))
          throw new Error(`page ${number} is out of order`)
        before = key
      }
      if (isLeaf) {
        this.#counted.entries += 1
        const value = at + nodeHeader + keySize
        if (flags === bigData && onRow === noRow) this.#overflow(page, value, size)
        else if (flags !== 0 && onRow === noRow) throw new Error(`page ${number} has a row of another kind`)
        else onRow(page, value, size, flags)
      } else {
        keys.push(key)
        children.push(size + flags * 2 ** 32)
      }
    }
    if (lower === 0) throw new Error(`page ${number} is empty`)
    children.forEach((child, index) => {
      const bounds = { low: index === 0 ? low : keys[index]!, high: keys[index + 1] ?? high }
      this.#page(child, depth - 1, bounds, onRow)
    })
  }

  /** The pages of a large value, of which the first says how many: its number. */
  #overflow(page: Buffer, at: number, size: number): number {
    const number = Number(page.readBigUInt64LE(at))
    const count = Number(page.readBigUInt64LE(at + 16))
    // A value that took the place of a larger one keeps its pages.
    if (count * this.meta.pageSize < header + size || count > this.meta.lastPage)
      throw new Error('a large value has another size')
    for (let next = number; next < number + count; next++) this.#take(next)
    this.#counted.overflows += count
    readSync(this.descriptor, this.#head, 0, header, number * this.meta.pageSize)
    this.#isOwn(this.#head, number)
    if (this.#head.readUInt16LE(18) !== overflowPage || this.#head.readUInt32LE(20) !== count)
      throw new Error(`page ${number} begins no large value`)
    return number
  }

  /** Page numbers that are free: none of them in use, none of them twice. */
  #free(list: Buffer): void {
    const words = list.length / 8
    const count = words < 1 ? 0 : Number(list.readBigUInt64LE(0))
    if (!Number.isInteger(words) || count >= words) throw new Error('a list of free pages is damaged')
    for (let word = 1; word <= count; word++) {
      const said = list.readBigInt64LE(word * 8)
      if (said === 0n) continue
      // A negative number is a run: so many pages, from the one that the next word says.
      if (said > 0n) this.#take(Number(said))
      else {
        word += 1
        const from = Number(list.readBigInt64LE(word * 8))
        for (let next = 0; next < -Number(said); next++) this.#take(from + next)
      }
    }
  }

  #read(number: number, depth: number): Buffer {
    this.#take(number)
    this.#pages[depth] ??= Buffer.alloc(this.meta.pageSize)
    const page = this.#pages[depth]
    const length = readSync(this.descriptor, page, 0, page.length, number * this.meta.pageSize)
    if (length < page.length) throw new Error(`page ${number} is missing`)
    this.#isOwn(page, number)
    return page
  }

  #isOwn(page: Buffer, number: number): void {
    if (page.readBigUInt64LE(0) !== BigInt(number) || page.readBigUInt64LE(8) > BigInt(this.meta.transaction))
      throw new Error(`page ${number} is another one`)
  }

  #take(number: number): void {
    if (!(number >= 2 && number <= this.meta.lastPage)) throw new Error(`there is no page ${number}`)
    if (this.#seen[number]) throw new Error(`page ${number} is used twice`)
    this.#seen[number] = 1
  }
}

interface Bounds {
  readonly low: Buffer | null
  readonly high: Buffer | null
}

type OnRow = (page: Buffer, at: number, size: number, flags: number) => void
const noRow: OnRow = () => undefined
