import protobufJson from "../../../data/protobuf.json" with { type: "json" };
import { apiError } from "../api/api-error.ts";
import { rfc3339, rfc3339Micro } from "../api/clock.ts";
import type { TypeCatalog } from "./type-catalog.ts";

type Field = [name: string, shape: "one" | "list" | "map", type: string];
const messages = protobufJson as unknown as Record<string, Record<string, Field>>;

const apimachinery = "io.k8s.apimachinery.pkg";
const magic = Buffer.from("k8s\0", "latin1");
/** A message in a message in a message …: deeper than any Kubernetes type, and no deeper than the stack. */
const maxDepth = 64;

/**
 * Fields that are pointers in Kubernetes' Go types, where a zero on the wire was meant. Other numbers and booleans are
 * always on the wire, and a zero there says nothing.
 */
const meantZeros = new Set(
  `replicas automountServiceAccountToken suspend parallelism completions backoffLimit terminationGracePeriodSeconds
  allowPrivilegeEscalation runAsNonRoot readOnlyRootFilesystem privileged enableServiceLinks optional immutable
  blockOwnerDeletion controller ttlSecondsAfterFinished gracePeriodSeconds orphanDependents revisionHistoryLimit
  partition runAsUser runAsGroup fsGroup tolerationSeconds activeDeadlineSeconds progressDeadlineSeconds value
  successfulJobsHistoryLimit failedJobsHistoryLimit startingDeadlineSeconds shareProcessNamespace hostUsers
  setHostnameAsFQDN allowVolumeExpansion allocateLoadBalancerNodePorts attachRequired podInfoOnMount expirationSeconds`
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * A body of `application/vnd.kubernetes.protobuf` as the JSON object it stands for. kubectl sends some creations in it
 * and does not fall back to JSON. https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 *
 * @throws ApiError 400 for bytes that are no such object
 */
export function decodeProtobuf(body: Buffer, types: TypeCatalog): Record<string, unknown> {
  if (!body.subarray(0, 4).equals(magic)) throw malformed("no magic number");
  const unknown = new Decoder(types).message(body.subarray(4), `${apimachinery}.runtime.Unknown`, 0, false) as {
    typeMeta?: { apiVersion?: string; kind?: string };
    raw?: Buffer;
  };
  const { apiVersion = "", kind = "" } = unknown.typeMeta ?? {};
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const meta = `${apimachinery}.apis.meta.v1.${kind}`;
  const type = types.nameOf(group, version, kind) ?? (messages[meta] === undefined ? undefined : meta);
  if (type === undefined || messages[type] === undefined) {
    throw apiError.badRequest(`no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  const object = new Decoder(types).message(unknown.raw ?? Buffer.alloc(0), type, 0, true) as Record<string, unknown>;
  return { kind, apiVersion, ...object };
}

function malformed(why: string) {
  return apiError.badRequest(`the body is not a Kubernetes protobuf message: ${why}`);
}

class Decoder {
  constructor(private readonly types: TypeCatalog) {}

  /** @param known false for a message that is no type of the API: its bytes stay bytes, its zeros stay */
  message(bytes: Buffer, type: string, depth: number, known: boolean): unknown {
    if (depth > maxDepth) throw malformed("nested too deeply");
    const fields = messages[type];
    if (fields === undefined) return {};
    const out: Record<string, unknown> = {};
    const reader = new Reader(bytes);
    while (!reader.done) {
      const tag = reader.varint();
      const field = fields[String(Number(tag >> 3n))];
      const wire = Number(tag & 7n);
      if (field === undefined) {
        reader.skip(wire);
        continue;
      }
      this.#set(out, field, reader, { wire, type, depth, known });
    }
    return special(type, out);
  }

  #set(
    out: Record<string, unknown>,
    [name, shape, type]: Field,
    reader: Reader,
    at: { wire: number; type: string; depth: number; known: boolean },
  ): void {
    const { wire, depth, known } = at;
    if (shape === "map") {
      const [key, value] = this.#entry(reader.bytes(wire), type, depth);
      out[name] ??= {};
      const map = out[name] as Record<string, unknown>;
      // A key such as __proto__ is data like any other.
      Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
      return;
    }
    if (shape === "list") {
      out[name] ??= [];
      const list = out[name] as unknown[];
      if (wire === 2 && ["int32", "int64", "bool"].includes(type)) {
        const packed = new Reader(reader.bytes(wire));
        while (!packed.done) list.push(scalar(packed, 0, type));
      } else list.push(this.#value(reader, wire, type, depth, known));
      return;
    }
    const value = this.#value(reader, wire, type, depth, known);
    if (known && isSilent(name, value)) return;
    if (known && type.startsWith("io.") && this.#isInline(at.type, name)) Object.assign(out, value);
    else out[name] = value;
  }

  #value(reader: Reader, wire: number, type: string, depth: number, known: boolean): unknown {
    if (type.startsWith("io.")) return this.message(reader.bytes(wire), type, depth + 1, known);
    const value = scalar(reader, wire, type);
    return known && Buffer.isBuffer(value) ? value.toString("base64") : value;
  }

  #entry(bytes: Buffer, type: string, depth: number): [string, unknown] {
    const reader = new Reader(bytes);
    let key = "";
    let value: unknown = type.startsWith("io.") ? this.message(Buffer.alloc(0), type, depth + 1, true) : "";
    while (!reader.done) {
      const tag = reader.varint();
      const wire = Number(tag & 7n);
      if (tag >> 3n === 1n) key = reader.bytes(wire).toString("utf8");
      else if (tag >> 3n === 2n) value = this.#value(reader, wire, type, depth, true);
      else reader.skip(wire);
    }
    return [key, value];
  }

  /** Go embeds some messages (a Volume's source): on the wire a field, in JSON its fields stand in the parent. */
  #isInline(parent: string, name: string): boolean {
    try {
      const { properties } = this.types.get(parent);
      return properties !== undefined && !Object.hasOwn(properties, name);
    } catch {
      return false;
    }
  }
}

/** Said by every writer for a field that was not set. */
function isSilent(name: string, value: unknown): boolean {
  if (value === "" || value === null) return true;
  return (value === 0 || value === false) && !meantZeros.has(name);
}

/** Messages that are something else in JSON. */
function special(type: string, message: Record<string, unknown>): unknown {
  switch (type) {
    case `${apimachinery}.util.intstr.IntOrString`:
      return message["strVal"] !== undefined && message["type"] === 1 ? message["strVal"] : (message["intVal"] ?? 0);
    case `${apimachinery}.api.resource.Quantity`:
      return message["string"] ?? "0";
    case `${apimachinery}.apis.meta.v1.Time`:
    case `${apimachinery}.apis.meta.v1.MicroTime`: {
      if (message["seconds"] === undefined && message["nanos"] === undefined) return null;
      const milliseconds = Number(message["seconds"] ?? 0) * 1000 + Number(message["nanos"] ?? 0) / 1e6;
      return type.endsWith("MicroTime") ? rfc3339Micro(milliseconds) : rfc3339(milliseconds);
    }
    case `${apimachinery}.apis.meta.v1.FieldsV1`:
      return parseJson(message["Raw"]);
    case `${apimachinery}.runtime.RawExtension`:
      return parseJson(message["raw"]);
    default:
      return type.endsWith(".ExtraValue") ? (message["items"] ?? []) : message;
  }
}

function parseJson(base64: unknown): unknown {
  try {
    return JSON.parse(Buffer.from(String(base64 ?? ""), "base64").toString("utf8"));
  } catch {
    return {};
  }
}

function scalar(reader: Reader, wire: number, type: string): unknown {
  switch (type) {
    case "string":
      return reader.bytes(wire).toString("utf8");
    case "bytes":
      return reader.bytes(wire);
    case "bool":
      return reader.varint() !== 0n;
    default:
      return Number(BigInt.asIntN(64, reader.varint()));
  }
}

/** https://protobuf.dev/programming-guides/encoding/ */
class Reader {
  #at = 0;

  constructor(private readonly data: Buffer) {}

  get done(): boolean {
    return this.#at >= this.data.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.data[this.#at++];
      if (byte === undefined) throw malformed("it ends in the middle of a number");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw malformed("a number is too long");
  }

  bytes(wire: number): Buffer {
    if (wire !== 2) throw malformed("a field has the wrong wire type");
    const length = Number(this.varint());
    if (length > this.data.length - this.#at) throw malformed("it ends in the middle of a field");
    this.#at += length;
    return this.data.subarray(this.#at - length, this.#at);
  }

  skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 2) this.bytes(wire);
    else if (wire === 1 || wire === 5) this.#at += wire === 1 ? 8 : 4;
    else throw malformed("a field has an unknown wire type");
  }
}
