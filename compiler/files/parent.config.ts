import type { Facts } from '../cdn/facts.js'
import { facts, readFacts } from '../cdn/facts.js'
import { cacheServerVersion, parameterValue } from '../cdn/parameters.js'
import type { ChildClass, ParentBlock, TopClass } from '../cdn/parents/parentBlocks.js'
import { childBlock, joined, originBlock, parentHole, weighted } from '../cdn/parents/parentBlocks.js'
import { modernVersion } from '../cdn/remap/remapPlugins.js'
import { assignedInCdn, definePerService, isMid, serviceIds, serviceRef, typeName } from '../cdn/services.js'
import type { Parents } from '../cdn/topology.js'
import { isTopTier, parentCaches, parentGroups } from '../cdn/topology.js'
import type { CompileContext } from '../core/defineFile.js'
import { serverFile } from '../core/defineFile.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'

type Context = CompileContext<'servers'>

/** Where a cache sends what it does not have (config-files.md §5). */
export default serverFile({
  name: 'parent.config',
  view: (context) => (isTopTier(context.data, context.subject.cachegroupId) ? originView(context) : childView(context)),
})

/** The form of a cache that faces the origins: lines for services with several origins or a shield. */
function originView(context: Context) {
  const { data, subject } = context
  const top = {
    version: cacheServerVersion(data, subject.profileId),
    cdnId: subject.cdnId,
    ...parentGroups(data, subject.cachegroupId),
    onMid: isMid(typeName(data, subject.typeId)),
    algorithm: parameterValue(data, subject.profileId, 'parent.config', 'algorithm'),
  }
  const lines = top.onMid
    ? originLinesInCdn(context, facts(top), subject.cdnId)
    : firstOfEach(context, originLines(context, serviceIds(context, subject), top))
  return { lines: lines.map(({ text }) => text).sort(), last: null }
}

/** The form of a cache with caches above it: a line for each service and one for everything else. */
function childView(context: Context) {
  const { data, subject, warn } = context
  const setting = (name: string) => parameterValue(data, subject.profileId, 'parent.config', name)
  const version = cacheServerVersion(data, subject.profileId)
  const parents = parentCaches(context, subject.cdnId, parentGroups(data, subject.cachegroupId))
  const child = {
    version,
    tier: isMid(typeName(data, subject.typeId)) ? ('inner' as const) : ('first' as const),
    hasParents: parents.primary.length > 0,
    hasSecondary: parents.secondary.length > 0,
    qstringHandling: setting('psel.qstring_handling'),
  }
  if (!child.hasParents) {
    const text = `the parent cache groups of ${subject.hostName} hold no cache that may be its parent`
    warn('no-parents', { kind: 'servers', id: subject.id, name: subject.hostName }, text)
  }
  const filled = version < modernVersion ? legacyParents(context, parents, version) : modernParents(context, parents)
  const lines =
    child.tier === 'inner'
      ? childLinesInCdn(context, facts(child), subject.cdnId)
      : firstOfEach(context, childLines(context, serviceIds(context, subject), child))
  return {
    lines: lines.map(({ text, hasHole }) => (hasHole ? text.replace(parentHole, () => filled) : text)).sort(),
    last: child.hasParents ? defaultLine(context, parents, version) : null,
  }
}

const childLines = definePerService('parent.config.child', childBlock)
const originLines = definePerService('parent.config.origin', originBlock)

/** The mids of a CDN that have all facts in common share their lines. */
const childLinesInCdn = defineFragment(
  'parent.config.child on mids',
  (making, child: Facts<ChildClass>, cdnId: number) =>
    firstOfEach(making, childLines(making, assignedInCdn(making, cdnId), readFacts<ChildClass>(child))),
)
const originLinesInCdn = defineFragment('parent.config.origin on mids', (making, top: Facts<TopClass>, cdnId: number) =>
  firstOfEach(making, originLines(making, assignedInCdn(making, cdnId), readFacts<TopClass>(top))),
)

/** One block for each host and port of an origin: the service with the lowest xml id decides (§5.3, §5.5). */
function firstOfEach({ data, warn }: Asking, blocks: readonly ParentBlock[]): ParentBlock[] {
  const byOrigin = new Map<string, ParentBlock>()
  for (const block of blocks) {
    const rival = byOrigin.get(block.origin)
    if (!rival) {
      byOrigin.set(block.origin, block)
      continue
    }
    const [first, second] = rival.xmlId < block.xmlId ? [rival, block] : [block, rival]
    byOrigin.set(block.origin, first)
    if (first.text === second.text) continue
    const service = data.get('deliveryServices', second.serviceId)
    const text = `${second.origin} is also the origin of ${first.xmlId}, whose settings differ and win`
    if (service) warn('duplicate-origin', serviceRef(service), text)
  }
  return [...byOrigin.values()]
}

/** Versions before 6 know no second list. */
const lists = ({ primary, secondary }: Parents, version: number) =>
  version >= 6 ? { primary, secondary } : { primary: [...primary, ...secondary], secondary: [] }

function legacyParents({ render }: Context, parents: Parents, version: number): string {
  const { primary, secondary } = lists(parents, version)
  return render('parent.config.parents.7', { primary: primary.map(weighted), secondary: secondary.map(weighted) })
}

function modernParents({ render }: Context, { primary, secondary }: Parents): string {
  return render('parent.config.parents', { primary: joined(primary), secondary: joined(secondary) })
}

/** Where requests go that no line names. `round_robin=urlhash`, which the field wrote here, is refused (§5.3). */
function defaultLine(context: Context, parents: Parents, version: number): string {
  const { data, subject, render } = context
  const setting = (name: string) => parameterValue(data, subject.profileId, 'parent.config', name)
  const hashes = setting('algorithm') === 'consistent_hash'
  const wanted = setting('qstring')
  const qstring = wanted === 'consider' || wanted === 'ignore' ? wanted : null
  const { primary, secondary } = lists(parents, version)
  const shown = hashes ? secondary : []
  if (version >= modernVersion) {
    const text = modernParents(context, { primary, secondary: shown, other: [] })
    return render('parent.config.default', { parents: text, secondaryMode: shown.length > 0 ? 1 : null, qstring })
  }
  return render('parent.config.default.7', {
    primary: primary.map(weighted),
    secondary: shown.map(weighted),
    qstring,
  })
}
