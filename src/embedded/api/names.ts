/**
 * Formats of names, each a function from a value to what is wrong with it, in the API server's words
 * (k8s.io/apimachinery/pkg/util/validation). An empty list: the value is fine.
 */
export type NameCheck = (value: string) => string[];

const dns1123Label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`;
const dns1035Label = "[a-z]([-a-z0-9]*[a-z0-9])?";
const labelKeyName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelKeyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** `must be no more than 63 characters`. */
export function maxLengthMessage(length: number): string {
  return `must be no more than ${length} characters`;
}

/** The rule, examples and the regular expression, as the server strings them together. */
export function regexMessage(rule: string, regex: string, ...examples: string[]): string {
  if (examples.length === 0) return `${rule} (regex used for validation is '${regex}')`;
  const quoted = examples.map((e) => `'${e}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${regex}')`;
}

/** `must be between 1 and 65535, inclusive`. */
export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** A DNS label as RFC 1123 has it: names of Namespaces, containers, volumes. */
export const dns1123LabelErrors: NameCheck = (value) => {
  const errors = value.length > 63 ? [maxLengthMessage(63)] : [];
  if (matches(dns1123Label, value)) return errors;
  if (matches(dns1123Subdomain, value)) return [...errors, "must not contain dots"];
  return [
    ...errors,
    regexMessage(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      dns1123Label,
      "my-name",
      "123-abc",
    ),
  ];
};

/** A DNS subdomain as RFC 1123 has it: most objects' names. */
export const dns1123SubdomainErrors: NameCheck = (value) => [
  ...(value.length > 253 ? [maxLengthMessage(253)] : []),
  ...(matches(dns1123Subdomain, value)
    ? []
    : [
        regexMessage(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
          dns1123Subdomain,
          "example.com",
        ),
      ]),
];

/** `*.example.com`: an Ingress host. */
export const wildcardDns1123SubdomainErrors: NameCheck = (value) => {
  const regex = `\\*\\.${dns1123Subdomain}`;
  return [
    ...(value.length > 253 ? [maxLengthMessage(253)] : []),
    ...(matches(regex, value)
      ? []
      : [
          regexMessage(
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
            regex,
            "*.example.com",
          ),
        ]),
  ];
};

/** A DNS label as RFC 1035 has it: it starts with a letter. */
export const dns1035LabelErrors: NameCheck = (value) => [
  ...(value.length > 63 ? [maxLengthMessage(63)] : []),
  ...(matches(dns1035Label, value)
    ? []
    : [
        regexMessage(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
          dns1035Label,
          "my-name",
          "abc-123",
        ),
      ]),
];

/** A label key or other qualified name: `name` or `example.com/name`. */
export const qualifiedNameErrors: NameCheck = (value) => {
  const rule = regexMessage(labelKeyRule, labelKeyName, "MyName", "my.name", "123-abc");
  const parts = value.split("/");
  const name = parts[parts.length - 1] ?? "";
  if (parts.length > 2) {
    return [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    if (prefix === "") errors.push("prefix part must be non-empty");
    else errors.push(...dns1123SubdomainErrors(prefix).map((e) => `prefix part ${e}`));
  }
  if (name === "") errors.push("name part must be non-empty");
  else if (name.length > 63) errors.push(`name part ${maxLengthMessage(63)}`);
  if (!matches(labelKeyName, name)) errors.push(`name part ${rule}`);
  return errors;
};

/** A label's value: at most 63 characters, or empty. */
export const labelValueErrors: NameCheck = (value) => {
  const regex = `(${labelKeyName})?`;
  return [
    ...(value.length > 63 ? [maxLengthMessage(63)] : []),
    ...(matches(regex, value)
      ? []
      : [
          regexMessage(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            regex,
            "MyValue",
            "my_value",
            "12345",
          ),
        ]),
  ];
};

/** An identifier of C. */
export const cIdentifierErrors: NameCheck = (value) =>
  matches("[A-Za-z_][A-Za-z0-9_]*", value)
    ? []
    : [
        regexMessage(
          "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
          "[A-Za-z_][A-Za-z0-9_]*",
          "my_name",
          "MY_NAME",
          "MyName",
        ),
      ];

/** A port's name (IANA_SVC_NAME): at most 15 characters with a letter among them. */
export const portNameErrors: NameCheck = (value) => [
  ...(value.length > 15 ? [maxLengthMessage(15)] : []),
  ...(/^[-a-z0-9]+$/.test(value) ? [] : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
  ...(/[a-z]/.test(value) ? [] : ["must contain at least one letter (a-z)"]),
  ...(value.includes("--") ? ["must not contain consecutive hyphens"] : []),
  ...(/^-|-$/.test(value) ? ["must not begin or end with a hyphen"] : []),
];

/** A port's number. */
export function portNumberErrors(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : [rangeMessage(1, 65535)];
}

/** An environment variable's name: printable ASCII other than `=` (RelaxedEnvironmentVariableValidation). */
export const envVarNameErrors: NameCheck = (value) => [
  ...(value === "" ? ["environment variable name must be non-empty"] : []),
  ...(/^[ -<>-~]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]),
];

/** A key of a ConfigMap or a Secret: it becomes a file's name. */
export const configMapKeyErrors: NameCheck = (value) => [
  ...(value.length > 253 ? [maxLengthMessage(253)] : []),
  ...(matches("[-._a-zA-Z0-9]+", value)
    ? []
    : [
        regexMessage(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          "[-._a-zA-Z0-9]+",
          "key.name",
          "KEY_NAME",
          "key-name",
        ),
      ]),
  ...(value === "."
    ? ["must not be '.'"]
    : value === ".."
      ? ["must not be '..'"]
      : value.startsWith("..")
        ? ["must not start with '..'"]
        : []),
];

/** A percentage: digits and `%`. */
export const percentErrors: NameCheck = (value) =>
  matches("[0-9]+%", value)
    ? []
    : [
        regexMessage(
          "a valid percent string must be a numeric string followed by an ending '%'",
          "[0-9]+%",
          "1%",
          "93%",
        ),
      ];

/** An HTTP header's name. */
export const httpHeaderNameErrors: NameCheck = (value) =>
  matches("[-A-Za-z0-9]+", value)
    ? []
    : [
        regexMessage(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          "[-A-Za-z0-9]+",
          "X-Header-Name",
        ),
      ];

/** A name that is one segment of a path: RBAC objects' names. */
export const pathSegmentErrors: NameCheck = (value) => {
  if (value === ".") return ["may not be '.'"];
  if (value === "..") return ["may not be '..'"];
  return ["/", "%"].filter((c) => value.includes(c)).map((c) => `may not contain '${c}'`);
};

function matches(regex: string, value: string): boolean {
  return new RegExp(`^${regex}$`).test(value) && !value.endsWith("\n");
}
