import type { Transporter } from 'nodemailer'
import type { Failed } from '../flow/failed.js'

export interface Mail {
  /** Whether mails can be sent at all (`SMTP_URL`). */
  readonly enabled: boolean
  /**
   * Resolves with whether the mail server took it; it never rejects. Whoever may not be told whether an address exists
   * is answered before.
   */
  send(message: { to: string; subject: string; text: string }): Promise<boolean>
}

/** Who waits for a mail to be sent waits no longer than for anything else, in ms. */
const patience = { connectionTimeout: 5000, greetingTimeout: 5000, dnsTimeout: 5000, socketTimeout: 10_000 }

export function createMail({ smtpUrl, failed }: { smtpUrl: string | null; failed: Failed }): Mail {
  if (smtpUrl === null) return { enabled: false, send: async () => false }
  let transport: Promise<Transporter> | null = null
  return {
    enabled: true,
    send: async (message) => {
      // Loaded with the first mail, which is rare.
      transport ??= import('nodemailer').then(({ createTransport }) => createTransport({ url: smtpUrl, ...patience }))
      try {
        const mailer = await transport
        await mailer.sendMail({ from: 'edgewright@localhost.localdomain', ...message })
        return true
      } catch (error) {
        failed('mail', error, { subject: message.subject })
        return false
      }
    },
  }
}
