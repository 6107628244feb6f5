import { parameterValue } from '../cdn/parameters.js'
import { isWord } from '../cdn/text.js'
import type { CompileContext } from '../core/defineFile.js'
import { cdnFile } from '../core/defineFile.js'
import { one } from '../core/reader.js'
import type { Job } from '../data/model.js'

/**
 * Which cached content is out of date, and until when that has to be remembered (config-files.md §6.16). No clock
 * is read: a rule that has run out is taken from the data by a journal entry.
 */
export default cdnFile({
  name: 'regex_revalidate.config',
  view: (context) => {
    const { data, subject } = context
    const longest = longestHours(context)
    const ends = new Map<string, number>()
    for (const service of data.ids('deliveryServices', 'cdnId', subject.id)) {
      for (const job of data.by('jobs', 'activeService', service)) {
        const end = endOf(context, job, longest)
        if (end !== null) ends.set(job.assetUrl, Math.max(end, ends.get(job.assetUrl) ?? 0))
      }
    }
    return { rules: [...ends].sort(([a], [b]) => (a < b ? -1 : 1)).map(([url, end]) => ({ url, end })) }
  },
})

const hour = 3600

/** Seconds since 1970 when the rule ends; `null` for jobs that are no rule or could not be one. */
function endOf({ warn }: CompileContext, job: Job, longest: number): number | null {
  if (job.keyword !== 'PURGE') return null
  const hours = Number(/^TTL:(\d{1,6})h/.exec(job.parameters)?.[1])
  const start = Date.parse(job.startTime)
  if (Number.isFinite(hours) && Number.isFinite(start) && isWord(job.assetUrl) && !job.assetUrl.startsWith('#')) {
    return Math.floor(start / 1000) + Math.min(Math.max(hours, 1), longest) * hour
  }
  const record = { kind: 'jobs', id: job.id, name: `job ${job.id}` }
  warn(
    'value-ignored',
    record,
    'an invalidation whose URL is not one word, or without start and TTL:<hours>h, is left out',
  )
  return null
}

function longestHours({ data, warn }: CompileContext): number {
  const profile = one(data, 'profiles', 'name', 'GLOBAL')
  const value = profile && parameterValue(data, profile.id, 'regex_revalidate.config', 'maxRevalDurationDays')
  if (value == null) return 90 * 24
  if (/^[1-9]\d{0,4}$/.test(value.trim())) return Number(value) * 24
  const text = 'maxRevalDurationDays is not a number of days; 90 is used'
  warn('value-ignored', { kind: 'profiles', id: profile!.id, name: profile!.name }, text)
  return 90 * 24
}
