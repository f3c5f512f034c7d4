/**
 * Node images as kind's release notes publish them, by digest, newest first
 * (https://github.com/kubernetes-sigs/kind/releases). An image needs at least the kind it was released with.
 */
const nodeImages = [
  {
    kind: [0, 33],
    image: "kindest/node:v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed",
  },
  {
    kind: [0, 32],
    image: "kindest/node:v1.36.1@sha256:3489c7674813ba5d8b1a9977baea8a6e553784dab7b84759d1014dbd78f7ebd5",
  },
  {
    kind: [0, 31],
    image: "kindest/node:v1.35.0@sha256:452d707d4862f52530247495d180205e029056831160e22870e37e3f6c1ac31f",
  },
] as const;

export type KindVersion = readonly [major: number, minor: number];

/** `kind v0.33.0 go1.25.0 linux/amd64` → [0, 33]; undefined for anything else. */
export function parseKindVersion(output: string): KindVersion | undefined {
  const match = /\bkind v(\d+)\.(\d+)\./.exec(output);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/**
 * The node image to create a cluster with: `override` if given, else the newest that this kind can start; undefined when
 * kind is older than every image we know.
 */
export function nodeImageFor(version: KindVersion, override: string | undefined): string | undefined {
  if (override !== undefined && override !== "") return override;
  return nodeImages.find(({ kind }) => compare(version, kind) >= 0)?.image;
}

/** The oldest kind that one of our images works with, `0.31`. */
export const oldestKind = nodeImages.at(-1)!.kind.join(".");

function compare(a: KindVersion, b: KindVersion): number {
  return a[0] - b[0] || a[1] - b[1];
}
