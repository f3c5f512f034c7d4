import { describe, expect, it } from "vitest";
import { english, message } from "../../src/messages/catalogue.ts";
import { chooseLanguage, loadTranslator } from "../../src/messages/translator.ts";

describe("the learner's language", () => {
  it.each([
    [undefined, { LANG: "de_DE.UTF-8" }, "de"],
    [undefined, { LANG: "de_DE.UTF-8", LC_ALL: "ru_RU" }, "ru"],
    [undefined, { K8S_PRACTICE_LANG: "zh", LC_ALL: "ru_RU" }, "zh"],
    [undefined, { LANG: "C.UTF-8" }, "en"],
    [undefined, { LC_ALL: "fr_FR", LANG: "de" }, "en"],
    [undefined, {}, "en"],
    ["zh-Hans", { LANG: "de" }, "zh"],
    ["xx", {}, undefined],
  ])("--lang %s with %o is %s", (wanted, env, expected) => expect(chooseLanguage(wanted, env)).toBe(expected));
});

describe("the catalogue", () => {
  it("is said in English where a language has no text", async () => {
    const say = await loadTranslator("de");
    expect(say(message("cli.bug", { reason: "x" }))).toContain("x");
  });
  it("puts plurals right", async () => {
    const say = await loadTranslator("en");
    expect(say(message("cli.list.steps", { steps: 1 }))).toBe("1 step");
    expect(say(message("cli.list.steps", { steps: 3 }))).toBe("3 steps");
  });
  it("holds only messages that are valid", async () => {
    const { IntlMessageFormat } = await import("intl-messageformat");
    for (const [key, text] of Object.entries(english)) {
      expect(() => new IntlMessageFormat(text, "en", undefined, { ignoreTag: true }), key).not.toThrow();
    }
  });
});
