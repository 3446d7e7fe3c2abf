import CoreData

/// The changes of one transaction, as tabs are notified of them.
struct SavedEvent: Sendable {
    private static let listLimit = 1000

    var transaction: Int64?
    var author: String?
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []
    /// Whether there are more changes than the lists contain.
    var hasMore = false

    /// The event for many changes, or for unknown ones.
    static let many = SavedEvent(hasMore: true)

    /// Adds the name of a changed object; if its list is full, sets `hasMore` instead.
    mutating func add(_ name: String, _ kind: ChangeRecord.Kind) {
        let list: WritableKeyPath<SavedEvent, [String]> =
            switch kind {
            case .insert: \.inserted
            case .update: \.updated
            case .delete: \.deleted
            }
        guard self[keyPath: list].count < Self.listLimit else {
            hasMore = true
            return
        }
        self[keyPath: list].append(name)
    }

    /// The event without objects of hidden entities; nil if nothing is left to report.
    func visible(without hidden: HiddenParts?) -> SavedEvent? {
        guard let hidden, !hidden.entities.isEmpty else { return self }
        let isShown = { (name: String) in hidden.shows(entity: String(name.prefix { $0 != "/" })) }
        var event = self
        event.inserted = inserted.filter(isShown)
        event.updated = updated.filter(isShown)
        event.deleted = deleted.filter(isShown)
        let isEmpty = event.inserted.isEmpty && event.updated.isEmpty && event.deleted.isEmpty
        return isEmpty && !hasMore ? nil : event
    }

    /// The event as a line of the stream.
    var line: String {
        let names = { (list: [String]) in JSONValue.array(list.map { .string($0) }) }
        var members: [(String, JSONValue)] = [
            ("kind", .string("saved")), ("transaction", transaction.map { .integer($0) } ?? .null),
            ("inserted", names(inserted)), ("updated", names(updated)), ("deleted", names(deleted)),
            ("author", .text(author)),
        ]
        if hasMore { members.append(("many", .bool(true))) }
        return LiveEvents.line(.object(members))
    }
}
