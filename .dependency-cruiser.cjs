/** Dependencies point one way; src/embedded/README.md and CONTRIBUTING.md say why. */
const rule = (name, from, to, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true, dependencyTypesNot: ["type-only"] } },
    rule("embedded-knows-nothing-of-the-runner", "^src/embedded", "^src/(cli|tasks|verify|attempts|clusters|grade)/"),
    rule("clusters-stand-alone", "^src/clusters", "^src/(cli|tasks|verify|attempts|grade)/"),
    rule("tasks-do-not-run-checks", "^src/tasks", "^src/((cli|attempts|grade)/|clusters/(?!provider))"),
    rule("verify-knows-no-command", "^src/verify", "^src/(cli|attempts|grade)/"),
    rule("attempts-are-only-data", "^src/attempts", "^src/(cli|clusters|verify|grade)/"),
    rule("grade-knows-no-command", "^src/grade/", "^src/cli/"),
    rule("client-stands-alone", "^src/(client|storage)/", "^src/(cli|tasks|verify|attempts|clusters|grade|embedded)/"),
    rule("api-words-import-nothing", "^src/embedded/api", "^src/embedded/(?!api)"),
    rule("schema-imports-api", "^src/embedded/schema", "^src/embedded/(?!api|schema)"),
    rule("patch-imports-schema", "^src/embedded/patch", "^src/embedded/(?!api|schema|patch)"),
    rule("store-imports-api", "^src/embedded/store", "^src/embedded/(?!api|store)"),
    rule("kinds-are-pure", "^src/embedded/kinds", "^src/embedded/(?!api|kinds|schema|registry/strategy)"),
    rule(
      "registry-knows-no-server",
      "^src/embedded/registry",
      "^src/embedded/(server|audit|auth|controllers|scheduler|kubelet|process)",
    ),
    rule(
      "control-loops-know-no-server",
      "^src/embedded/(controllers|scheduler|kubelet|nodes)",
      "^src/embedded/(server|audit|auth|process)",
    ),
    rule("no-test-code-in-src", "^src", "^test"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: undefined,
    enhancedResolveOptions: { extensions: [".ts", ".mjs", ".js", ".json"] },
  },
};
