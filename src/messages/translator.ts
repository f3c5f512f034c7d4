import { english, type Language, languages, type Message, type Texts } from "./catalogue.ts";
import { formatMessage } from "./format.ts";

/** Says a message in the language it was made for. */
export type Say = (message: Message) => string;

const areas = ["attempts", "cli", "clusters", "grade", "tasks", "verify"] as const;

/**
 * Loads a language and returns its voice. Only that language's files are read; a key it does not have is said in
 * English. A new language is a new folder beside `en`, with no code.
 */
export async function loadTranslator(language: Language): Promise<Say> {
  const texts = language === "en" ? {} : await loadTexts(language);
  return ({ key, values }) => {
    const own = texts[key];
    return formatMessage(own === undefined ? "en" : language, own ?? english[key], values);
  };
}

/** All texts of a language, without the English ones it lacks. */
export async function loadTexts(language: Language): Promise<Texts> {
  if (language === "en") return english;
  const parts = await Promise.all(
    areas.map(async (area): Promise<Texts> => {
      try {
        return ((await import(`./${language}/${area}.json`)) as { default: Texts }).default;
      } catch {
        return {};
      }
    }),
  );
  return Object.assign({}, ...parts) as Texts;
}

/**
 * The learner's language: what was asked for, else K8S_PRACTICE_LANG, LC_ALL, LANG (`de_DE.UTF-8` is de), else English.
 * `undefined` when a language was asked for by `wanted` that the runner does not speak.
 */
export function chooseLanguage(wanted: string | undefined, env: NodeJS.ProcessEnv): Language | undefined {
  const known = (tag: string | undefined) => languages.find((l) => l === tag?.toLowerCase().split(/[-_.@]/)[0]);
  if (wanted !== undefined) return known(wanted);
  for (const name of ["K8S_PRACTICE_LANG", "LC_ALL", "LANG"]) {
    const value = env[name];
    // As gettext does: the first one that is set decides, whether or not we speak it.
    if (value !== undefined && value !== "") return known(value) ?? "en";
  }
  return "en";
}
