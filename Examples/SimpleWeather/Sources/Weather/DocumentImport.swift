import CoreData

/// Imports a document, at a URL of the web or of a file, into the store of a container by a mapping of the folder
/// `Mappings`.
///
/// The tool `coredata` does it; the variable `COREDATA_TOOL` says where it is if it is not in the path.
///
/// - Throws: `ImportFailure` with what the tool says.
func importObjects(from document: URL, mapping: String, into container: NSPersistentContainer) async throws {
    let file = Bundle.module.bundleURL.appendingPathComponent("Mappings/\(mapping).mapping.plist")
    guard let store = container.persistentStoreDescriptions.first?.url else { throw ImportFailure("there is no store") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let tool = ProcessInfo.processInfo.environment["COREDATA_TOOL"] ?? "coredata"
    let place = document.isFileURL ? document.path : document.absoluteString
    process.arguments = [tool, "import", store.path, place, "--mapping", file.path, "--no-progress"]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, output)
    try process.run()
    let said = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let said = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            continuation.resume(returning: said)
        }
    }
    guard process.terminationStatus == 0 else { throw ImportFailure(String(decoding: said, as: UTF8.self)) }
}

/// Why a document was not imported.
struct ImportFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description.trimmingCharacters(in: .whitespacesAndNewlines) }
}
