import attempts from "./en/attempts.json" with { type: "json" };
import cli from "./en/cli.json" with { type: "json" };
import clusters from "./en/clusters.json" with { type: "json" };
import grade from "./en/grade.json" with { type: "json" };
import tasks from "./en/tasks.json" with { type: "json" };
import verify from "./en/verify.json" with { type: "json" };

/** English is complete; every other language is a folder of the same files and falls back to it key by key. */
export const english = { ...attempts, ...cli, ...clusters, ...tasks, ...verify, ...grade };

export type MessageKey = keyof typeof english;
export type MessageValues = Record<string, string | number | boolean | undefined>;

/** A sentence for a person that is not yet in any language: the catalogue's key and the values of its placeholders. */
export interface Message {
  key: MessageKey;
  values?: MessageValues;
}

export function message(key: MessageKey, values?: MessageValues): Message {
  return values === undefined ? { key } : { key, values };
}

export const languages = ["en", "ru", "zh", "de"] as const;
export type Language = (typeof languages)[number];

/** The texts of one language: key → ICU message (https://unicode-org.github.io/icu/userguide/format_parse/messages/). */
export type Texts = Partial<Record<MessageKey, string>>;

export function hasMessage(key: string): key is MessageKey {
  return Object.hasOwn(english, key);
}
