import CoreData

extension PageCall {
    /// The object that the path names, as `Hero/p7`.
    package var objectName: String { "\(parameters["entity"] ?? "")/\(parameters["key"] ?? "")" }

    /// Reads objects with the tab's staged changes; an object that the tab has deleted is read as it is in the store.
    func readObjects<Result: Sendable>(_ body: @Sendable @escaping (StoreReading) throws -> Result) async throws
        -> Result
    {
        let store = try store
        guard let session = browser.sessions.known(editingTab, in: store), session.isStaging else {
            return try await store.read(for: access, body)
        }
        try store.requireFile()
        do {
            return try await store.namingFileProblem { try await session.read(for: access, body) }
        } catch let error as InspectionError where error.code == .noObject {
            return try await store.read(for: access, body)
        }
    }
}
