import type { MessageKey, MessageValues } from "../../messages/catalogue.ts";
import type { GradeResult } from "../result.ts";

/** The runner's own words in the language of the run. */
export type Words = (key: MessageKey, values?: MessageValues) => string;

export interface ReportContext {
  words: Words;
  /** BCP 47 tag of the run's language, for `lang` attributes and number formats. */
  language: string;
  /** The environment of a CI job, for what only it knows (GITHUB_REPOSITORY, GITHUB_SHA …). */
  env: Readonly<Record<string, string | undefined>>;
}

/** Turns a result into the text of one format. Pure: no clock, no file, no process. */
export type Reporter = (result: GradeResult, context: ReportContext) => string;
