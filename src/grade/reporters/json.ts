import type { Reporter } from "./reporter.ts";

/** The whole result as one document, as schema/grade-result.schema.json describes it. */
export const json: Reporter = (result) => `${JSON.stringify(result, null, 2)}\n`;
