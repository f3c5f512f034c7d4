import { IntlMessageFormat } from "intl-messageformat";
import type { Language, MessageValues } from "./catalogue.ts";

/**
 * An ICU message with its values filled in. A text that is not valid ICU, or names a value that was not given, comes
 * back as it is: a learner is better served by a sentence with a gap than by an error about our sentence.
 */
export function formatMessage(language: Language, text: string, values: MessageValues | undefined): string {
  if (!/[{'#]/.test(text)) return text;
  try {
    return String(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(values));
  } catch {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values?.[name] ?? whole));
  }
}
