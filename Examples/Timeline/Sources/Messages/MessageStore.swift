import CoreData

/// The messages of a store, each of which is stored once, however often it comes.
@MainActor final class MessageStore {
    let container: NSPersistentContainer
    /// Where the store lies, and for a moment what is imported.
    private let folder: URL

    /// Opens a store.
    ///
    /// - Throws: what loading the store throws.
    init(at url: URL) throws {
        folder = url.deletingLastPathComponent()
        container = NSPersistentContainer(name: "Timeline")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Adds the messages of a response that are not there.
    ///
    /// - Throws: what the import throws; nothing is added then.
    func add(_ response: Data) async throws {
        let file = folder.appendingPathComponent("\(UUID().uuidString).json")
        try response.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await importObjects(from: file, mapping: "Statuses", into: container)
        container.viewContext.refreshAllObjects()
    }

    /// The rows of the timeline, the newest message first.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func rows() throws -> [TimelineRow] {
        let request: NSFetchRequest<Message> = Message.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "created", ascending: false), NSSortDescriptor(key: "identifier", ascending: false),
        ]
        request.fetchLimit = 200
        request.relationshipKeyPathsForPrefetching = ["author"]
        return try container.viewContext.fetch(request).map {
            TimelineRow(text: $0.text ?? "", name: $0.author?.name ?? "", picture: $0.author?.pictureURL)
        }
    }
}

/// A row of the timeline: `text` and `user.name` of a message, and where its author's picture is.
struct TimelineRow: Equatable, Sendable {
    let text: String
    let name: String
    let picture: URL?
}
