import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { selectCluster } from "../../src/clusters/index.ts";
import { loadTranslator } from "../../src/messages/translator.ts";
import { type Machine, machine } from "./kind/stand-in/machine.ts";

let here: Machine;
beforeEach(async () => {
  here = await machine();
});
afterEach(() => here.remove());

const select = (wanted: string, task?: string) => selectCluster({ wanted, home: here.home, env: here.env, task });
async function reason(task?: string): Promise<[string, string]> {
  const say = await loadTranslator("en");
  const { provider, why } = await select("auto", task);
  return [provider.kind, say(why!)];
}
const daemonDown = { fail: { info: { text: "Cannot connect to the Docker daemon. Is the docker daemon running?\n" } } };

describe("the kind of cluster", () => {
  it("is what the learner says, without a word on it", async () => {
    for (const wanted of ["embedded", "kind", "context:school"]) {
      const { provider, why } = await select(wanted);
      expect(provider.kind).toBe(wanted.split(":")[0]);
      expect(why).toBeUndefined();
    }
    expect(await here.calls()).toEqual([]);
  });

  it.each(["minikube", "context:", "", "Kind"])("can't be %j", async (wanted) => {
    await expect(select(wanted)).rejects.toMatchObject({ kind: "usage", text: { key: "clusters.unknown" } });
  });

  it("is kind by itself where kind is installed and an engine answers", async () => {
    expect(await reason()).toEqual(["kind", expect.stringContaining("kind on docker")]);
  });

  it("is embedded where the engine does not answer, and that is said", async () => {
    await here.set(daemonDown);
    expect(await reason()).toEqual(["embedded", expect.stringContaining("no container engine answers")]);
  });

  it("is embedded where kind is too old, and that is said", async () => {
    await here.set({ kindVersion: "0.20.0" });
    expect(await reason()).toEqual(["embedded", expect.stringContaining("too old")]);
  });

  it("is embedded where kind is missing, and no engine is woken for that", async () => {
    await here.remove();
    here = await machine(["docker"]);
    expect(await reason()).toEqual(["embedded", expect.stringContaining("kind is not installed")]);
    expect(await here.calls()).toEqual([]);
  });

  it("stays the same for a task, whatever comes and goes", async () => {
    await here.set(daemonDown);
    expect((await reason("a"))[0]).toBe("embedded");
    await here.set({ fail: {} });
    expect(await reason("a")).toEqual(["embedded", expect.stringContaining("as before")]);
    expect((await reason("b"))[0]).toBe("kind");
  });
});
