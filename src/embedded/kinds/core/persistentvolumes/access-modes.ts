/** Access modes in the order and the short form of the tables. */
const shortModes: Record<string, string> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

export const accessModes = Object.keys(shortModes).sort();

/** `RWO,ROX`. */
export function formatAccessModes(modes: readonly string[] | undefined): string {
  return Object.entries(shortModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

/** The class by field, or by the annotation of old. */
export function storageClassOf(
  annotations: Record<string, string> | undefined,
  storageClassName: string | undefined,
): string {
  return annotations?.["volume.beta.kubernetes.io/storage-class"] ?? storageClassName ?? "";
}
