// What `kubectl explain` says of types and fields, read from the doc comments of the npm package kubernetes-models into
// dist/descriptions.json: {"io.k8s.api.apps.v1.DaemonSet": ["of the type", {"spec": "of the field"}]}. Not committed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the file where it is missing or was made from another version of the package. */
export function writeDescriptions(root, out) {
  const source = join(root, "node_modules/kubernetes-models");
  const folders = [source, join(root, "node_modules/@kubernetes-models/apimachinery")];
  const target = join(out, "descriptions.json");
  if (!existsSync(source)) return;
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  if (existsSync(target) && readFileSync(target, "utf8").startsWith(`{"":["${version}"`)) return;
  const types = Object.keys(JSON.parse(readFileSync(join(root, "data/types.json"), "utf8")));
  const names = new Map(types.map((name) => [name.replace(/[^a-z0-9]/gi, "").toLowerCase(), name]));
  const found = { "": [version, {}] };
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => [folder, file]));
  for (const [folder, file] of files) {
    if (!file.endsWith(".d.ts") || file.startsWith("_schemas")) continue;
    for (const [name, description, fields] of readInterfaces(readFileSync(join(folder, file), "utf8"))) {
      const type = names.get(name.toLowerCase());
      if (type !== undefined) found[type] = [description, fields];
    }
  }
  writeFileSync(target, JSON.stringify(found));
}

/** Interfaces with their doc comments: [long name, description, {field: description}]. */
function* readInterfaces(text) {
  const aliases = new Map([...text.matchAll(/\bI(\w+) as I(Io\w+)/g)].map(([, short, long]) => [short, long]));
  for (const [, comment = "", name, body] of text.matchAll(
    /(?:\/\*\*\n((?: \*[^\n]*\n)*?) \*\/\n)?export interface I(\w+)(?: extends [^{]+)? \{\n([\s\S]*?)\n\}/g,
  )) {
    const fields = {};
    for (const [, doc, field] of body.matchAll(/ {4}\/\*\*\n((?: {5}\*[^\n]*\n)*?) {5}\*\/\n {4}"?([$\w-]+)"?\??:/g)) {
      fields[field] = plain(doc);
    }
    yield [aliases.get(name) ?? name, plain(comment), fields];
  }
}

/** A doc comment without its stars. */
function plain(comment) {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim()
    .replaceAll("*\\/", "*/");
}
