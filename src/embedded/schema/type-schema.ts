/** One type, or the type of one field: the form of data/types.json. */
export interface TypeSchema {
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  format?: string;
  /** Name of another type. */
  ref?: string;
  /** Of an array. */
  items?: TypeSchema;
  /** Of a map. */
  values?: TypeSchema;
  properties?: Record<string, TypeSchema>;
  required?: string[];
  default?: unknown;
  enum?: unknown[];
  oneOf?: string[];
  "list-type"?: "atomic" | "set" | "map";
  "list-map-keys"?: string[];
  "map-type"?: "atomic" | "granular";
  "patch-strategy"?: string;
  "patch-merge-key"?: string;
  unions?: { discriminator?: string; "fields-to-discriminateBy"?: Record<string, string> }[];
  gvk?: [string, string, string];
  /** Custom resources: keeps fields that the schema does not name. */
  preserveUnknown?: boolean;
  nullable?: boolean;
  /** Custom resources: a value of another type is kept as it is, for validation to find. */
  lenient?: boolean;
  /** Custom resources: what kubectl explain says of it. */
  description?: string;
}

export const quantityType = "io.k8s.apimachinery.pkg.api.resource.Quantity";
export const intOrStringType = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
export const timeType = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
export const microTimeType = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
export const objectMetaType = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
export const deleteOptionsType = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
