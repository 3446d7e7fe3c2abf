import CoreDataGraph
import Testing

/// A model of persons, teams, clubs and tasks, with each kind of relationship, a subentity, attributes preserved after
/// deletion and a derived attribute.
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
    /// Sets the transaction author and saves, so that tests can distinguish transactions.
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

    /// The current history token of all stores of the coordinator.
    package func currentToken() throws -> NSPersistentHistoryToken {
        try #require(persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
    }

    /// The transactions that satisfy a predicate.
    package func transactions(
        where format: String, _ arguments: Any..., sortedBy key: String? = nil, ascending: Bool = true, limit: Int = 0
    ) throws -> [NSPersistentHistoryTransaction] {
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        fetch.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: ascending)] }
        fetch.fetchLimit = limit
        return try history(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch))
    }

    /// The changes that satisfy a predicate.
    package func changes(where format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try history(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch), .changesOnly)
    }
}

extension NSPersistentHistoryTransaction {
    /// The changes of the transaction, one line each such as `update Person.age+clubs`, sorted.
    package var lines: [String] { (changes ?? []).map(\.line).sorted() }
}

extension NSPersistentHistoryChange {
    package var line: String {
        let properties = updatedProperties.map { "." + $0.map(\.name).sorted().joined(separator: "+") } ?? ""
        return "\(changeType) \(changedObjectID.entity.name ?? "")\(properties)"
    }
}
