import CoreData
import StoreContract
import Testing

/// A stored song that two contexts have read, of which one was changed and saved since.
struct Songs {
    static let stored = [
        "title": "Metal on Metal", "artist": "Kraftwerk", "album": "Minimum-Maximum", "genre": "Electronica",
    ]
    static let mine = ["title": "Europe Endless", "album": "Trans-Europe Express"]
    static let theirs = ["artist": "Bacalao", "album": "8-Bit Operators"]
    static let keys = ["title", "artist", "album", "genre"]

    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        let text = NSAttributeType.stringAttributeType
        builder.entity("Song", ["title": text, "artist": text, "album": text, "genre": text])
        return builder.model
    }

    let stack: Stack
    let other: NSManagedObjectContext
    let mine, theirs: NSManagedObject
    /// Kept for the other context.
    private let otherStack: Stack?
    var context: NSManagedObjectContext { stack.context }

    /// With `coordinators` of 2 the other context has a coordinator of its own.
    init(_ kind: StoreKind, coordinators: Int = 1, policy: Any? = nil) throws {
        stack = try Stack(Self.model(), kind: kind)
        mine = stack.context.insert("Song", Self.stored)
        try stack.context.save()
        otherStack = coordinators == 2 ? try stack.another() : nil
        other = otherStack?.context ?? stack.newContext()
        theirs = try #require(try other.all("Song").first)
        _ = theirs.value(forKey: "title")
        if let policy { stack.context.mergePolicy = policy }
    }

    /// Changes the song on both sides and saves the other one.
    func changeBoth() throws {
        mine.setValuesForKeys(Self.mine)
        theirs.setValuesForKeys(Self.theirs)
        try other.save()
    }

    func deleteTheirs() throws {
        other.delete(theirs)
        try other.save()
    }

    static func values(_ song: NSManagedObject) -> [String] {
        keys.map { song.value(forKey: $0) as? String ?? "nil" }
    }

    /// The values of all stored songs, as a context that knows nothing reads them.
    func stored() throws -> [[String]] { try stack.newContext().all("Song").map(Self.values) }
}

/// The error of a save that must fail.
func failure(_ context: NSManagedObjectContext, _ location: SourceLocation = #_sourceLocation) throws -> NSError {
    let error = #expect(throws: (any Error).self, sourceLocation: location) { try context.save() }
    return try #require(error, sourceLocation: location) as NSError
}
