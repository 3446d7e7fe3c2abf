import CoreData
import SQLiteKit

/// Checks the store's UUID, its metadata, and that its cached model matches the version hashes in the metadata.
struct MetadataCheck {
    let raw: RawStore

    /// The faults of `Z_METADATA`: a missing or invalid UUID, or metadata that cannot be read.
    func faults() -> [StoreFault] {
        do {
            let metadata = try raw.metadata()
            guard metadata[NSStoreUUIDKey] == nil else { return [] }
            return [
                StoreFault(
                    finding: StoreFinding(
                        .missingIdentity, "The store's identity in Z_METADATA is missing or no UUID.",
                        remedy: "The store gets a new identity; addresses of its objects kept elsewhere lead nowhere."),
                    statements: [("UPDATE Z_METADATA SET Z_UUID = ?", [.text(UUID().uuidString)])])
            ]
        } catch {
            let reason = (error as NSError).userInfo[NSLocalizedFailureReasonErrorKey] as? String
            return [
                StoreFault(
                    finding: StoreFinding(
                        .badMetadata, "The store cannot be used: \(reason ?? ErrorText.line(for: error))."))
            ]
        }
    }

    /// A fault if entities of the model have other version hashes than the store's metadata; else empty.
    func faults(of model: StoreModel) -> [StoreFault] {
        guard let hashes = (try? raw.metadata())?[NSStoreModelVersionHashesKey] as? [String: Data] else { return [] }
        let names = model.model.entityNamesDiffering(from: hashes, configuration: model.configuration)
        guard !names.isEmpty else { return [] }
        let listed = names.prefix(10).map { PrintableText.escaped($0, limit: 100) }.joined(separator: ", ")
        let text = "The model that the store keeps differs from the version hashes in its metadata in: \(listed)"
        return [
            StoreFault(
                finding: StoreFinding(
                    .modelMismatch, text + (names.count > 10 ? " and \(names.count - 10) more." : ".")))
        ]
    }
}
