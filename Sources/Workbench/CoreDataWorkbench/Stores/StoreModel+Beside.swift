import CoreData

extension StoreModel {
    /// The greatest number of models beside a store that are read.
    private static let mostModels = 50
    private static let endings: Set = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// The first model in the folder of a store's file whose version hashes match the store; nil if there is none.
    package static func beside(_ store: URL) -> URL? {
        guard store.isFileURL, let facts = try? StoreFacts(at: store), !facts.hashes.isEmpty else { return nil }
        let folder = store.resolvingSymlinksInPath().deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { endings.contains(($0 as NSString).pathExtension.lowercased()) }.sorted().prefix(
            mostModels
        )
        .map { folder.appendingPathComponent($0) }
        .first { model in
            guard let found = try? given(model, for: facts) else { return false }
            return found.mismatch == nil && found.differences.isEmpty
        }
    }
}
