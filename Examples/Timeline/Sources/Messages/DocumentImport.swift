import CoreData
import CoreDataExchange

/// Imports a document, at a URL of the web or of a file, into the store of a container by a mapping of the folder
/// `Mappings`.
///
/// - Throws: `ImportError`; `CancellationError`.
func importObjects(from document: URL, mapping: String, into container: NSPersistentContainer) async throws {
    let file = Bundle.module.bundleURL.appendingPathComponent("Mappings/\(mapping).mapping.plist")
    try await container.importObjects(from: document, mapping: ImportMapping(contentsOf: file))
}
