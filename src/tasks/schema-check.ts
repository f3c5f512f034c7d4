import type { ErrorObject } from "ajv";
import stepText from "../../schema/step-text.schema.json" with { type: "json" };
import task from "../../schema/task.schema.json" with { type: "json" };
import taskText from "../../schema/task-text.schema.json" with { type: "json" };
import { type Message, message } from "../messages/catalogue.ts";
import type { Problem } from "./problem.ts";
import type { YamlDocument } from "./yaml-file.ts";

const schemas = { task, "task-text": taskText, "step-text": stepText };

/** Compares a document with a published schema; each difference is a problem at its line. */
export async function checkSchema(
  schema: keyof typeof schemas,
  file: string,
  document: YamlDocument,
): Promise<Problem[]> {
  // A CommonJS module whose export is the class itself: bundlers and Node name it differently, its own property not.
  const { Ajv2020 } = (await import("ajv/dist/2020.js")).default as unknown as typeof import("ajv/dist/2020.js");
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  const validate = ajv.compile(schemas[schema]);
  if (validate(document.value)) return [];
  return (validate.errors ?? [])
    .filter((error) => error.keyword !== "anyOf")
    .map((error) => {
      const path = pathOf(error);
      return { file, ...document.place(path), text: describe(error, path) };
    });
}

function pathOf(error: ErrorObject): (string | number)[] {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const extra = error.params["additionalProperty"] as string | undefined;
  return extra === undefined ? path : [...path, extra];
}

function describe(error: ErrorObject, path: (string | number)[]): Message {
  const field = path.length === 0 ? "." : path.join(".");
  const params = error.params as Record<string, unknown>;
  const value = JSON.stringify(error.data) ?? "";
  switch (error.keyword) {
    case "required":
      return message(path.length === 0 ? "tasks.schema.required-top" : "tasks.schema.required", {
        field,
        name: String(params["missingProperty"]),
      });
    case "additionalProperties": {
      const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {}).join(", ");
      return message("tasks.schema.unknown", { field, known });
    }
    case "type":
      return message("tasks.schema.type", { field, type: String(params["type"]), value });
    case "enum":
      return message("tasks.schema.enum", { field, allowed: (params["allowedValues"] as string[]).join(", "), value });
    case "const":
      return message("tasks.schema.enum", { field, allowed: String(params["allowedValue"]), value });
    case "pattern":
      return message("tasks.schema.pattern", { field, pattern: String(params["pattern"]), value });
    default:
      return message("tasks.schema.other", { field, reason: error.message ?? error.keyword });
  }
}
