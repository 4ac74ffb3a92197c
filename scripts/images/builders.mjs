// How each of three programs builds a target of the Dockerfile and writes it out. The first that works is taken.

const withArgs = (args) =>
  Object.entries(args).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);

/** By program: `probe` succeeds where it can build; `commands` are what to run, in order. */
export const builders = {
  docker: {
    probe: ["info"], // fails where only the client is there
    commands: ({ target, tag, archive, buildArgs }) => [
      ["docker", "build", "--target", target, "--tag", tag, ...withArgs(buildArgs), "."],
      ["docker", "save", "--output", archive, tag],
    ],
  },
  podman: {
    probe: ["info"],
    commands: ({ target, tag, archive, buildArgs }) => [
      [
        "podman",
        "build",
        "--format",
        "docker",
        "--target",
        target,
        "--tag",
        tag,
        ...withArgs(buildArgs),
        ".",
      ],
      ["podman", "save", "--format", "docker-archive", "--output", archive, tag],
    ],
  },
  buildah: {
    probe: ["info"],
    // Without user namespaces and a daemon, as in CI.
    commands: ({ target, tag, archive, buildArgs }) => [
      [
        "buildah",
        "bud",
        "--isolation",
        "chroot",
        "--target",
        target,
        "--tag",
        tag,
        ...withArgs(buildArgs),
        ".",
      ],
      ["buildah", "push", "--quiet", tag, `docker-archive:${archive}:${tag}`],
    ],
  },
};
