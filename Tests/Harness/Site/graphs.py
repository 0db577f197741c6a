"""The symbol graphs of the library products, with the symbols that only Apple systems have."""

import glob
import json
import os
import subprocess
import sys

# The names of systems in Tests/Harness/AppleStubs, in the package, and in symbol graphs.
SYSTEMS = {"iOS": "ios", "macOS": "macos", "tvOS": "tvos", "watchOS": "watchos", "visionOS": "visionos"}
BLOCKS = "-emit-extension-block-symbols"


def output(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{result.stdout}{result.stderr}error: `{' '.join(command)}` failed")
    return result.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def extract(products, modules, work):
    """Writes the graphs of a build for this system into a folder for each product."""
    target = json.loads(output("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    for product in products:
        folder = f"{work}/{product}"
        os.makedirs(folder)
        output(
            "swift", "symbolgraph-extract", "-module-name", product, "-target", target, "-I", f"{modules}/Modules",
            "-I", f"{modules}/RegistryC.build", "-minimum-access-level", "public", "-skip-synthesized-members", BLOCKS,
            "-output-dir", folder)


def add_apple_symbols(products, modules, work, platforms):
    """Adds the symbols that only Apple systems have, as the stand-ins for their frameworks show them."""
    apple = f"{work}/apple"
    environment = {**os.environ, "REGISTRY_MACROS": f"{modules}/RegistryMacros-tool", "REGISTRY_GRAPH_OPTIONS": BLOCKS}
    command = ["bash", "Tests/Harness/AppleStubs/check", "graphs", apple, *SYSTEMS]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(f"{result.stdout}{result.stderr}error: `{' '.join(command)}` failed")
    versions = {platform["platformName"]: platform["version"] for platform in platforms}
    for product in products:
        known = set()
        for path in glob.glob(f"{work}/{product}/*.symbols.json"):
            known |= {identifier(symbol) for symbol in read(path)["symbols"]}
        added = {}
        for system, name in SYSTEMS.items():
            for path in sorted(glob.glob(f"{apple}/{system}/{product}.symbols.json")
                               + glob.glob(f"{apple}/{system}/{product}@*.symbols.json")):
                add(read(path), known, added, f"{work}/{product}/{os.path.basename(path)}", system, versions[name])


def identifier(symbol):
    return symbol["identifier"]["precise"]


def is_extension(symbol):
    return symbol["kind"]["identifier"] == "swift.extension"


def add(graph, known, added, path, system, version):
    """Adds a graph's symbols that are not known to the graph in a file."""
    merged = read(path) if os.path.exists(path) else {**graph, "symbols": [], "relationships": []}
    new = set()
    for symbol in graph["symbols"]:
        name = identifier(symbol)
        if name in known or is_extension(symbol):
            continue
        if name not in added:
            added[name] = symbol
            merged["symbols"].append(symbol)
            new.add(name)
        # Another system has declared the symbol in the same file, so the merged graph contains it.
        symbol = next((each for each in merged["symbols"] if identifier(each) == name), symbol)
        places = symbol.setdefault("availability", [])
        if not any(place.get("domain") == system for place in places):
            major, minor = version.split(".")
            places.append({"domain": system, "introduced": {"major": int(major), "minor": int(minor)}})
    # An extension is part of the graph if one of its members is.
    extensions = {each["target"] for each in graph["relationships"] if each["source"] in new}
    for symbol in graph["symbols"]:
        if is_extension(symbol) and identifier(symbol) in extensions:
            merged["symbols"].append(symbol)
            new.add(identifier(symbol))
    merged["relationships"] += [each for each in graph["relationships"] if each["source"] in new]
    if merged["symbols"]:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(merged, file)
