import { type Diagnosis, diagnose, type Finding } from "../../clusters/diagnosis/index.ts";
import { message } from "../../messages/catalogue.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-code.ts";

/** What is here, what is missing for which kind of cluster, and the line that fixes it. */
export default defineCommand<object>({
  async run(_, context) {
    const { globals, env, out, say } = context;
    const diagnosis = await diagnose(globals.home, env);
    const document = {
      checks: diagnosis.findings.map(({ id, state, detail, fix, neededFor }) => ({
        id,
        state,
        neededFor,
        detail: say(detail),
        ...(fix === undefined || state === "ok" ? {} : { fix: say(fix) }),
      })),
      usable: diagnosis.usable,
    };
    out.result(document, () => render(diagnosis, context));
    return diagnosis.usable.embedded || diagnosis.usable.kind ? exitCodes.ok : exitCodes.environment;
  },
});

const marks = { ok: ["✔", "green"], warning: ["!", "yellow"], missing: ["✘", "red"] } as const;

function render({ findings, usable }: Diagnosis, { out, say }: CommandContext): string {
  const names = findings.map(({ id }) => say(message(`clusters.doctor.${id}`)));
  const width = Math.max(...names.map((name) => name.length));
  const rows = findings.flatMap((finding: Finding, index) => {
    const [mark, color] = marks[finding.state];
    const line = `${out.paint(color, mark)} ${names[index]!.padEnd(width)}  ${say(finding.detail)}`;
    const fix = finding.state === "ok" ? undefined : finding.fix;
    return fix === undefined ? [line] : [line, out.paint("dim", `${" ".repeat(width + 4)}→ ${say(fix)}`)];
  });
  const verdict = (["embedded", "kind"] as const).map((kind) => {
    const [mark, color] = marks[usable[kind] ? "ok" : "missing"];
    return `${out.paint(color, mark)} --cluster ${kind}`;
  });
  return [...rows, "", say(message("clusters.doctor.usable")), ...verdict].join("\n");
}
