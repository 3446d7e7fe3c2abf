import CoreData

extension StoreFileAccess {
    /// Opens the file, and lets an import change it.
    func importing<Result>(by author: String, _ work: (OpenStore) throws -> Result) throws -> Result {
        let store = try opened(for: .importing)
        defer { store.close() }
        store.author = author
        store.context.name = StoreImport.newName
        return try work(store)
    }
}
