import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pki } from "./create-pki.ts";

export type { Pki } from "./create-pki.ts";

const files: Record<keyof Pki, string> = {
  ca: "ca.crt",
  caKey: "ca.key",
  serverCert: "apiserver.crt",
  serverKey: "apiserver.key",
  clientCert: "admin.crt",
  clientKey: "admin.key",
  serviceAccountKey: "sa.key",
};

/**
 * The PKI kept in `folder`, so that a learner's kubeconfig stays good when the process is started again; made there
 * when it is missing or not whole. Without a folder: a new one, in memory.
 */
export async function loadPki(folder?: string): Promise<Pki> {
  const kept = folder === undefined ? undefined : await read(folder);
  if (kept !== undefined) return kept;
  // Making certificates needs a library that is of no use afterwards.
  const { createPki } = await import("./create-pki.ts");
  const pki = await createPki();
  if (folder !== undefined) await write(folder, pki);
  return pki;
}

async function read(folder: string): Promise<Pki | undefined> {
  try {
    const texts = Object.entries(files).map(async ([name, file]) => {
      const text = await readFile(join(folder, file), "utf8");
      if (!/-----END [A-Z ]+-----\s*$/.test(text)) throw new Error(`${file} is not whole`);
      return [name, text] as const;
    });
    return Object.fromEntries(await Promise.all(texts)) as unknown as Pki;
  } catch {
    return undefined;
  }
}

/** The folder appears as a whole, or not at all. */
async function write(folder: string, pki: Pki): Promise<void> {
  const making = `${folder}.making-${process.pid}`;
  await mkdir(making, { recursive: true, mode: 0o700 });
  for (const [name, file] of Object.entries(files)) {
    await writeFile(join(making, file), pki[name as keyof Pki], { mode: 0o600 });
  }
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
}

/** A kubeconfig with the administrator's certificate; cluster, user and context all have the name. */
export function kubeconfigFor(pki: Pki, url: string, name: string): string {
  const base64 = (pem: string) => Buffer.from(pem).toString("base64");
  return `apiVersion: v1
kind: Config
clusters:
- cluster:
    certificate-authority-data: ${base64(pki.ca)}
    server: ${url}
  name: ${name}
contexts:
- context:
    cluster: ${name}
    user: ${name}
  name: ${name}
current-context: ${name}
users:
- name: ${name}
  user:
    client-certificate-data: ${base64(pki.clientCert)}
    client-key-data: ${base64(pki.clientKey)}
`;
}
