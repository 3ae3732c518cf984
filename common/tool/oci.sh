# shellcheck shell=sh disable=SC2154
# Part of image.sh: the root as an OCI image layout (opencontainers/image-spec, image-layout.md), written without a container
# tool: one layer, its configuration, a manifest, an index. podman load, docker load and skopeo copy oci-archive: read it.
say "packing"
case $(uname -m) in aarch64) architecture=arm64 ;; *) architecture=amd64 ;; esac
layout=$work/oci
blobs=$layout/blobs/sha256
mkdir -p "$blobs"

# Moves a file to where its hash names it. Sets digest and size.
blob() {
  digest=$(sha256sum "$1" | cut -d ' ' -f 1)
  size=$(stat -c %s "$1")
  mv "$1" "$blobs/$digest"
}

tar -C "$root" --numeric-owner --sort=name --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* --exclude=./tmp/* -cf "$work/layer.tar" .
unpacked=$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)
gzip -n -6 "$work/layer.tar"
blob "$work/layer.tar.gz"
layer="{\"mediaType\": \"application/vnd.oci.image.layer.v1.tar+gzip\", \"digest\": \"sha256:$digest\", \"size\": $size}"
cat >"$work/config.json" <<END
{"architecture": "$architecture", "os": "linux",
 "config": {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LADDER_HARNESS=/opt/ladder/build",
                    "LADDER_OFFLINE=1"], "Cmd": ["/bin/bash"]},
 "rootfs": {"type": "layers", "diff_ids": ["sha256:$unpacked"]}}
END
blob "$work/config.json"
cat >"$work/manifest.json" <<END
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
 "config": {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "sha256:$digest", "size": $size},
 "layers": [$layer]}
END
blob "$work/manifest.json"
cat >"$layout/index.json" <<END
{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
 "manifests": [{"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "sha256:$digest", "size": $size,
                "platform": {"architecture": "$architecture", "os": "linux"},
                "annotations": {"org.opencontainers.image.ref.name": "ladder"}}]}
END
printf '{"imageLayoutVersion": "1.0.0"}\n' >"$layout/oci-layout"
say "sha256:$digest"
tar -C "$layout" -cf "$out" oci-layout index.json blobs
