"""The public symbols of the library's modules, as the toolchain reads them from a debug build."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What `import CoreData` shows, and the other products that programs use.
MODULES = ["CoreDataFoundation", "CoreDataModeling", "CoreDataStore", "CoreDataRecordStores", "CoreDataGraph",
           "CoreDataSQLite", "CoreDataMigration", "CoreDataPostgres", "CoreDataSyncing",
           "CoreDataSyncHub", "CoreDataSyncSealing", "CoreDataTransfer",
           "CoreDataAccounts", "CoreDataJobs", "CoreDataLocalization", "CoreDataDocuments",
           "CoreDataExchange", "NetServices", "Documents", "MultipeerConnectivity", "CoreDataSyncPeers", "SwiftData",
           "UniformTypeIdentifiers", "CoreDataMail", "CoreDataPlaces", "CoreDataGazetteer",
           "CoreDataPictures", "CoreDataPhotoLibrary", "CoreDataCodes", "CoreDataSpeech",
           "CoreDataRecordings", "CoreDataTesting", "CoreDataMedia"]
# Those whose public symbols are listed: the site has an article of the browser, which cannot stand beside its class.
LISTED = MODULES + ["CoreDataBrowser", "CoreDataBrowserServer"]
_C_MODULES = ["CAvahi", "CEpoll", "CGMime", "CMarkdown", "CSQLite", "CZlib", "CSpawn", "CSwiftRuntime", "CPostgres", "CCurl", "COpenSSL",
              "CSodium", "CLibXML2", "CMicroHTTPD"]


def build_folder():
    """The folder of the debug build; ends the program where there is none."""
    path = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
    folder = pathlib.Path(path.stdout.strip())
    if not (folder / "Modules/CoreData.swiftmodule").exists():
        raise SystemExit("there is no debug build; 'swift build' makes one")
    return folder


def extract(folder, modules=MODULES):
    """Writes the graph of each module alone: one with what it re-exports would have symbols twice."""
    build = build_folder()
    maps = ["-Xcc", "-I/usr/include/postgresql", "-Xcc", "-I/usr/include/libxml2"]
    for module in _C_MODULES:
        folder_of_map = ROOT / "Sources/System" / module
        own = folder_of_map / "include/module.modulemap"
        # A library that pkg-config finds has its map without a folder for headers.
        if (folder_of_map / "module.modulemap").exists():
            own = folder_of_map / "module.modulemap"
        maps += ["-Xcc", f"-fmodule-map-file={own if own.exists() else build / (module + '.build/module.modulemap')}"]
    info = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout)
    for module in modules:
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-I", build / "Modules", "-target",
             info["target"]["triple"], "-output-dir", folder, "-minimum-access-level", "public", *maps],
            check=True, stdout=subprocess.DEVNULL)
