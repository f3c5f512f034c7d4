/** XML 1.0 allows no control characters but tab, line feed and carriage return, no lone surrogates, no U+FFFE/U+FFFF. */
const notXml =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text for XML content and attribute values; what XML can't hold becomes U+FFFD. */
export function xml(text: string): string {
  return text
    .replace(notXml, "\ufffd")
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/\r/g, "&#13;");
}

/** Text for HTML content and quoted attribute values. */
export function html(text: string): string {
  return text.replace(notXml, "\ufffd").replace(/[&<>"'`]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Text inside a Markdown paragraph or table cell, on one line, with nothing in it that Markdown or HTML acts on. */
export function markdown(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .replace(/[\\`*_{}[\]()#+\-.!|<>~@&:]/g, (c) => `&#${c.charCodeAt(0)};`)
    .trim();
}

/** A fenced Markdown block whose fence no line inside can close. */
export function markdownBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((m) => m[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.replace(/\r/g, "").replace(/\n$/, "")}\n${fence}`;
}

/**
 * A CSV field (RFC 4180). A field that a spreadsheet would read as a formula gets a leading apostrophe
 * (OWASP, CSV Injection).
 */
export function csv(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n;]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The data of a GitHub workflow command (actions/toolkit, core/command). */
export function githubData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A property of a GitHub workflow command. */
export function githubProperty(text: string): string {
  return githubData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A TAP 14 description: one line, with `\` and `#` escaped, so that it can't become a directive. */
export function tap(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .replace(/[\\#]/g, (c) => `\\${c}`)
    .trim();
}
