// How each of three programs builds a target of the Dockerfile and writes it out. The first that works is taken.

const withArgs = (args) =>
  Object.entries(args).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);

/** By program: `probe` succeeds where it can build; `commands` are what to run, in order. */
export const builders = {
  docker: {
    probe: ["info"], // fails where only the client is there
    commands: ({ file, context, target, tag, archive, buildArgs }) => [
      ["docker", "build", "--file", file, "--target", target, "--tag", tag, ...withArgs(buildArgs), context],
      ["docker", "save", "--output", archive, tag],
    ],
  },
  podman: {
    probe: ["info"],
    commands: ({ file, context, target, tag, archive, buildArgs }) => [
      [
        "podman",
        "build",
        "--format",
        "docker",
        "--file",
        file,
        "--target",
        target,
        "--tag",
        tag,
        ...withArgs(buildArgs),
        context,
      ],
      ["podman", "save", "--format", "docker-archive", "--output", archive, tag],
    ],
  },
  buildah: {
    probe: ["info"],
    // Without user namespaces and a daemon, as in CI.
    commands: ({ file, context, target, tag, archive, buildArgs }) => [
      [
        "buildah",
        "bud",
        "--isolation",
        "chroot",
        "--file",
        file,
        "--target",
        target,
        "--tag",
        tag,
        ...withArgs(buildArgs),
        context,
      ],
      ["buildah", "push", "--quiet", tag, `docker-archive:${archive}:${tag}`],
    ],
  },
};
