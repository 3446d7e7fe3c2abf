import CoreDataGraph
import Testing

/// People in teams and clubs with tasks: each kind of relationship, a sub-entity, kept values, a derived one.
package enum HistoryModel {
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Team", ["name": .stringAttributeType])
        builder.entity(
            "Person",
            [
                "name": .stringAttributeType, "age": .integer32AttributeType, "code": .UUIDAttributeType,
                "born": .dateAttributeType,
            ])
        builder.entity("Pilot", in: "Person", ["license": .stringAttributeType])
        builder.entity("Club", ["name": .stringAttributeType])
        builder.entity("Task", ["title": .stringAttributeType])
        builder.relationships("Team.people*", "Person.team")
        builder.relationships("Person.clubs*", "Club.members*!")
        builder.relationships("Person.tasks*", "Task.person", .cascadeDeleteRule)
        builder.relationship("Club.guests*", to: "Person")
        builder.reflexive("Person.peers*")
        builder.relationships("Person.rival", "Person.rivalOf")
        builder.derived("Team.size", .integer64AttributeType, "people.@count")
        for path in ["Person.name", "Person.code", "Person.born", "Pilot.license"] {
            builder.attribute(path).preservesValueInHistoryOnDeletion = true
        }
        return builder.model
    }

    package static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// A stack with an empty store that keeps a history.
    package static func stack(_ kind: StoreKind) throws -> Stack { try Stack(make(), kind: kind, options: options) }
}

extension NSManagedObjectContext {
    /// Saves as an author, so that tests can distinguish transactions.
    package func save(as author: String?) throws {
        transactionAuthor = author
        try save()
    }

    /// The result of a history request.
    package func history<Result>(
        _ request: NSPersistentHistoryChangeRequest, _ type: NSPersistentHistoryResultType = .transactionsAndChanges,
        as result: Result.Type = Result.self
    ) throws -> Result {
        request.resultType = type
        let answer = try #require(try execute(request) as? NSPersistentHistoryResult)
        #expect(answer.resultType == type)
        return try #require(answer.result as? Result)
    }

    /// All transactions, or those after a token.
    package func transactions(after token: NSPersistentHistoryToken? = nil) throws -> [NSPersistentHistoryTransaction] {
        try history(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
    }

    /// The newest token of all stores.
    package func currentToken() throws -> NSPersistentHistoryToken {
        try #require(persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
    }

    /// What a predicate on transactions finds.
    package func transactions(
        where format: String, _ arguments: Any..., sortedBy key: String? = nil, ascending: Bool = true, limit: Int = 0
    ) throws -> [NSPersistentHistoryTransaction] {
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        fetch.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: ascending)] }
        fetch.fetchLimit = limit
        return try history(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch))
    }

    /// What a predicate on changes finds.
    package func changes(where format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try history(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch), .changesOnly)
    }
}

extension NSPersistentHistoryTransaction {
    /// What the transaction changed, a line a change in alphabetical order: `update Person.age+clubs`.
    package var lines: [String] { (changes ?? []).map(\.line).sorted() }
}

extension NSPersistentHistoryChange {
    package var line: String {
        let properties = updatedProperties.map { "." + $0.map(\.name).sorted().joined(separator: "+") } ?? ""
        return "\(changeType) \(changedObjectID.entity.name ?? "")\(properties)"
    }
}
