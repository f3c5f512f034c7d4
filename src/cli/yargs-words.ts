import type { MessageKey } from "../messages/catalogue.ts";
import type { Say } from "../messages/translator.ts";

/** yargs' own sentences and the catalogue keys that replace them. `%s` stays: yargs fills it. */
const words: Record<string, MessageKey> = {
  "Commands:": "cli.help.commands",
  "Options:": "cli.help.options",
  "Positionals:": "cli.help.positionals",
  "Examples:": "cli.help.examples",
  boolean: "cli.help.boolean",
  string: "cli.help.string",
  number: "cli.help.number",
  array: "cli.help.array",
  required: "cli.help.required",
  "default:": "cli.help.default",
  "choices:": "cli.help.choices",
  "aliases:": "cli.help.aliases",
  command: "cli.help.command",
  "Show help": "cli.help.show-help",
  "Show version number": "cli.help.show-version",
  "Invalid values:": "cli.usage.invalid-values",
  "Argument: %s, Given: %s, Choices: %s": "cli.usage.choices",
  "Not enough arguments following: %s": "cli.usage.value-missing",
  "Arguments %s and %s are mutually exclusive": "cli.usage.exclusive",
};

const plurals: Record<string, MessageKey> = {
  "Not enough non-option arguments: got %s, need at least %s": "cli.usage.too-few",
  "Too many non-option arguments: got %s, maximum of %s": "cli.usage.too-many",
  "Missing argument value: %s": "cli.usage.value-missing",
  "Missing required argument: %s": "cli.usage.argument-missing",
  "Unknown argument: %s": "cli.usage.unknown-option",
  "Unknown command: %s": "cli.usage.unknown-option",
};

/** What yargs' `updateStrings` takes, so that `--help` and usage errors speak the learner's language. */
export function yargsWords(say: Say): Record<string, string> {
  const strings: Record<string, unknown> = {};
  for (const [original, key] of Object.entries(words)) strings[original] = say({ key });
  for (const [original, key] of Object.entries(plurals)) {
    strings[original] = { one: say({ key }), other: say({ key }) };
  }
  // yargs' types know only the plain strings.
  return strings as Record<string, string>;
}
