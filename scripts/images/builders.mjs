// How each of three programs builds a target of the Dockerfile and writes it out. The first that works is taken.

/** By program, the commands to run, in order. `PROGRAM info` succeeds where it can build, not where only a client is. */
export const builders = {
  docker: (image) => [
    ["docker", "build", ...optionsOf(image)],
    ["docker", "save", "--output", image.archive, image.tag],
  ],
  podman: (image) => [
    ["podman", "build", "--format", "docker", ...optionsOf(image)],
    ["podman", "save", "--format", "docker-archive", "--output", image.archive, image.tag],
  ],
  // Without user namespaces and a daemon, as in CI.
  buildah: (image) => [
    ["buildah", "bud", "--isolation", "chroot", ...optionsOf(image)],
    ["buildah", "push", "--quiet", image.tag, `docker-archive:${image.archive}:${image.tag}`],
  ],
};

/** Builds and pushes an image with a bill of materials and the record of how it was built, both attached to it. */
export const pushCommand = (image) => [
  ...["docker", "buildx", "build", "--push", "--sbom=true", "--provenance=mode=max"],
  ...optionsOf(image),
];

function optionsOf({ file, context, target, tag, buildArgs }) {
  const args = Object.entries(buildArgs).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
  return ["--file", file, "--target", target, "--tag", tag, ...args, context];
}
