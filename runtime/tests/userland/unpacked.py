"""Programs of packages that lib/tests/clients/unpack.sh has unpacked, and how they are run."""

import os
import pathlib
import shutil
import socket


class Unpacked:
    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        libraries = sorted({str(file.parent) for file in self.root.glob("**/*.so.*")})
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries),
                            "PYTHONPATH": str(self.root / "usr/lib/python3/dist-packages")}

    def find(self, name):
        """The program's path, unpacked or installed; None if it is neither."""
        for found in sorted(self.root.glob(f"usr/**/{name}")) + [shutil.which(name)]:
            if found is not None and os.path.isfile(found) and os.access(found, os.X_OK):
                return str(found)
        return None


def as_somebody(words):
    """Databases refuse to run as root: there they are somebody else, with root's files."""
    return ["unshare", "--user", "--map-user=1000", *words] if os.getuid() == 0 else words


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
