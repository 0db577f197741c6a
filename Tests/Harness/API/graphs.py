"""The symbol graphs of the library products, for this system and for Apple's systems."""

import glob
import json
import os
import subprocess
import sys

# Apple's systems as the stand-ins in Tests/Harness/AppleStubs name them, and as symbol graphs do.
APPLE_SYSTEMS = {"iOS": "ios", "macOS": "macos", "tvOS": "tvos", "watchOS": "watchos", "visionOS": "visionos"}


def output(*command, **environment):
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if result.returncode:
        sys.exit(f"{result.stdout}{result.stderr}error: `{' '.join(command)}` failed")
    return result.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def library_products(package):
    """Returns the products that are the library of one target, each after those that it uses."""
    names = [
        product["name"] for product in package["products"]
        if "library" in product["type"] and product["targets"] == [product["name"]]
    ]
    targets = {target["name"]: json.dumps(target["dependencies"]) for target in package["targets"]}
    ordered = []
    while rest := sorted(set(names) - set(ordered)):
        ordered += [name for name in rest if not any(f'"{other}"' in targets[name] for other in rest)]
    return ordered


def write(products, folder, apple_systems, *options):
    """Builds the package, and writes the graphs of the products into FOLDER/Linux and FOLDER/SYSTEM.

    The graphs of Apple's systems are those that the stand-ins for their frameworks show.
    """
    subprocess.run(["swift", "build"], stdout=sys.stderr, check=True)
    modules = output("swift", "build", "--show-bin-path").strip()
    target = json.loads(output("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    os.makedirs(f"{folder}/Linux")
    for product in products:
        # The build writes a module map for the C target beside the target's objects.
        output(
            "swift", "symbolgraph-extract", "-module-name", product, "-target", target, "-I", f"{modules}/Modules",
            "-I", f"{modules}/RegistryC.build", "-I", f"{modules}/AnalysisPage.build", "-minimum-access-level", "public", "-skip-synthesized-members",
            "-output-dir", f"{folder}/Linux", *options)
    output(
        "bash", "Tests/Harness/AppleStubs/check", "graphs", folder, *apple_systems,
        REGISTRY_MACROS=f"{modules}/RoutingMacros-tool", REGISTRY_GRAPH_OPTIONS=" ".join(options))


def paths(product, folder):
    """Returns the paths of a module's graph, and of those of its extensions of other modules' types."""
    found = glob.glob(f"{folder}/{product}.symbols.json") + glob.glob(f"{folder}/{product}@*.symbols.json")
    return sorted(found)
