/** Times are stored as ISO 8601 UTC with milliseconds, and shown as interface.md §Conventions says. */

/** ISO text of what a client wrote: ISO 8601, `YYYY-MM-DD HH:MM:SS` (UTC, optionally `+00`), or null. */
export function parseMoment(text: string): string | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(\.\d{1,6})?(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text)
  if (!parts) return null
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = parts
  const offset =
    zone === 'Z'
      ? 'Z'
      : zone.length === 3
        ? `${zone}:00`
        : zone.length === 5
          ? `${zone.slice(0, 3)}:${zone.slice(3)}`
          : zone
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${offset}`
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return null
  // The 31st of February would silently become March.
  const plain = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return plain.getUTCDate() === Number(day) ? time.toISOString() : null
}

/** `2026-01-31T12:00:00.123Z` → `2026-01-31 12:00:00`. */
export const shownTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`

/** The form of 1.3: `2026-01-31 12:00:00+00`. */
export const zonedTime = (iso: string): string => `${shownTime(iso)}+00`
