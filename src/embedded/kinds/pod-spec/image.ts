/**
 * The tag an image reference stands for: `latest` when it names neither tag nor digest, "" when it has a digest only.
 */
export function imageTag(image: string): string {
  const [name = "", digest] = image.split("@");
  const last = name.slice(name.lastIndexOf("/") + 1);
  const colon = last.indexOf(":");
  if (colon >= 0) return last.slice(colon + 1);
  return digest === undefined && name !== "" ? "latest" : "";
}
