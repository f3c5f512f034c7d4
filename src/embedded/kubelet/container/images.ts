/** What the container runtime finds under an image's name. */
export type ImageFinding =
  | { kind: "found" }
  | { kind: "invalid"; message: string }
  | { kind: "missing"; error: string };

const referencePattern =
  /^(?:(?<host>(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?)\/)?(?<path>[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$/;

/** Words in a name or tag by which manifests say that an image is not there. */
const absent = /does-?not-?exist|non-?exist|not-?exist|no-?such|not-?found|^invalid|bad-?tag|broken-tag|wrong-?tag/i;
/** Images whose published versions are numbers below a hundred: `nginx:1.161` never was. */
const versioned = /^(library\/)?(nginx|httpd|redis|busybox|alpine|mysql|postgres|mongo|memcached|webserver)$/;

export interface ImageReference {
  host: string;
  path: string;
  tag: string;
  digest?: string;
}

/** Takes an image's name apart, with Docker's defaults: `nginx` is `docker.io/library/nginx:latest`. */
export function parseImage(image: string): ImageReference | undefined {
  const parts = referencePattern.exec(image)?.groups;
  if (!parts?.["path"]) return undefined;
  let host = parts["host"];
  let path = parts["path"];
  // Only a name with a dot or a port, or localhost, is a registry.
  if (host !== undefined && !/[.:]/.test(host) && host !== "localhost") {
    path = `${host}/${path}`;
    host = undefined;
  }
  if (host === undefined) {
    host = "docker.io";
    if (!path.includes("/")) path = `library/${path}`;
  }
  const { digest, tag } = parts;
  return { host, path, tag: tag ?? (digest ? "" : "latest"), ...(digest === undefined ? {} : { digest }) };
}

/** `docker.io/library/nginx:latest`, as the runtime calls it. */
export function fullName(reference: ImageReference): string {
  const tag = reference.tag === "" ? "" : `:${reference.tag}`;
  return `${reference.host}/${reference.path}${tag}${reference.digest === undefined ? "" : `@${reference.digest}`}`;
}

/**
 * Whether an image can be pulled. There is no registry to ask, so the rule is: everything can, except a name or tag
 * that says otherwise (`does-not-exist`, `nonexistent`, `no-such…`, `bad-tag` …), a registry in a domain that cannot
 * exist (`.invalid`), and versions that well-known images never had (`nginx:1.161`, `webserver:404`).
 */
export function findImage(image: string): ImageFinding {
  const reference = parseImage(image);
  if (reference === undefined) {
    return {
      kind: "invalid",
      message: `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format${/[A-Z]/.test(image.split(":")[0] ?? "") ? ": repository name must be lowercase" : ""}`,
    };
  }
  const name = fullName(reference);
  const failed = `failed to pull and unpack image "${name}": failed to resolve`;
  if (/\.invalid(:[0-9]+)?$/.test(reference.host)) {
    const url = `https://${reference.host}/v2/${reference.path}/manifests/${reference.tag}`;
    return {
      kind: "missing",
      error: `${failed} reference "${name}": failed to do request: Head "${url}": dial tcp: lookup ${reference.host.replace(/:.*/, "")}: no such host`,
    };
  }
  if (absent.test(reference.path) || reference.path.split("/").some((part) => absent.test(part))) {
    return {
      kind: "missing",
      error: `${failed} reference "${name}": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`,
    };
  }
  const numbers = (/^[0-9]+(\.[0-9]+)*/.exec(reference.tag)?.[0] ?? "").split(".").map(Number);
  const impossible = versioned.test(reference.path) && numbers.slice(0, 2).some((n) => n >= 100 && n < 2000);
  if (absent.test(reference.tag) || impossible)
    return { kind: "missing", error: `${failed} reference "${name}": ${name}: not found` };
  return { kind: "found" };
}

/** Images without a program that goes on: run without a command they end at once. */
export function endsWithoutCommand(image: string): boolean {
  const path = parseImage(image)?.path ?? "";
  return /^(library\/)?(busybox|alpine|ubuntu|debian|centos|fedora|bash|hello-world|rockylinux|amazonlinux)$/.test(
    path,
  );
}

/** Images in which arguments alone are a command, since they have no entry point. */
export function runsArguments(image: string): boolean {
  return (
    endsWithoutCommand(image) ||
    /(^|\/)(perl|python|node|curl|stress|polinux\/stress)$/.test(parseImage(image)?.path ?? "")
  );
}

/** The port a well-known image listens on, when its manifest declares none. */
export function wellKnownPorts(image: string): number[] | undefined {
  const ports: Record<string, number[]> = {
    nginx: [80],
    httpd: [80],
    redis: [6379],
    mysql: [3306],
    postgres: [5432],
    mongo: [27017],
    memcached: [11211],
  };
  return ports[(parseImage(image)?.path ?? "").replace(/^library\//, "")];
}
