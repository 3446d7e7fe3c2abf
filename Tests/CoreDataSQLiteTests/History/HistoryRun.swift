import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// A random sequence of saves and batch requests on a store with history, the same for the same seed.
struct HistoryRun {
    let scene: HistoryScene
    private var random: SeededRandom
    /// The number of the newest transaction.
    private(set) var transactions: Int64 = 0

    init(_ seed: UInt64, keepsOldValues: Bool = false) throws {
        scene = try HistoryScene(Self.model())
        if keepsOldValues { try scene.open(HistoryScene.keepingOldValues) }
        random = SeededRandom(seed: seed)
    }

    /// The heroes with ordered relationships of both forms.
    private static func model() -> NSManagedObjectModel {
        let model = HistoryScene.heroes()
        for (entity, name) in [("Hero", "students"), ("SuperHero", "students"), ("Team", "members")] {
            model.entitiesByName[entity]?.relationshipsByName[name]?.isOrdered = true
        }
        return model
    }

    /// Changes and saves something, whether that is refused or not.
    mutating func change() throws {
        do {
            if Int.random(in: 0..<5, using: &random) == 0 { try batch() } else { try save() }
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            // Delete rules and rows that batches took away refuse some; then nothing may be recorded.
        }
        scene.context.reset()
        transactions = try scene.history.historyExtent().newest
    }

    /// Reverts a transaction and saves, whether that is refused or not.
    mutating func revert(_ transaction: NSPersistentHistoryTransaction, policy: NSMergePolicy) throws {
        let context = scene.context
        context.mergePolicy = policy
        do {
            try context.revert(transaction)
            try context.save()
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            // Conflicts and a model's rules refuse some; then nothing may be recorded.
        }
        context.mergePolicy = NSErrorMergePolicy
        context.reset()
        transactions = try scene.history.historyExtent().newest
    }

    /// Changes something, and compares what history says of it with what the tables say; gives what they say.
    @discardableResult
    mutating func step(
        _ comment: String, _ change: (inout HistoryRun) throws -> Void = { try $0.change() }
    ) throws -> [String] {
        let (before, former) = (try HistoryReference(scene.file), transactions)
        try change(&self)
        let expected = try HistoryReference(scene.file).changes(since: before)
        #expect(transactions == former + (expected.isEmpty ? 0 : 1), "\(comment)")
        guard !expected.isEmpty else { return [] }
        let found = try scene.newest().map { $0.hasPrefix("-") ? String($0.prefix { $0 != " " }) : $0 }
        #expect(found == expected, "\(comment)")
        return expected
    }

    // MARK: Saves

    private mutating func save() throws {
        for _ in 0..<Int.random(in: 1...8, using: &random) { try edit() }
        try scene.context.save()
    }

    private mutating func edit() throws {
        let context = scene.context
        let objects = try ["Hero", "Power", "Team", "Note", "Node", "Base"].flatMap { try context.all($0) }
            .filter { !$0.isDeleted }.sorted {
                "\($0.objectID.uriRepresentation())" < "\($1.objectID.uriRepresentation())"
            }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
            let entity =
                ["Hero", "SuperHero", "Power", "Team", "Note", "Node", "Base"].randomElement(using: &random) ?? ""
            context.insert(entity)
        case 3:
            if let object = objects.randomElement(using: &random) { context.delete(object) }
        default:
            guard let object = objects.randomElement(using: &random) else { return }
            change(object, among: objects)
        }
    }

    private mutating func change(_ object: NSManagedObject, among objects: [NSManagedObject]) {
        let properties = object.entity.propertiesByName.keys.sorted()
        guard let name = properties.randomElement(using: &random) else { return }
        if let relationship = object.entity.relationshipsByName[name] {
            relate(object, relationship, among: objects)
        } else if let attribute = object.entity.attributesByName[name] {
            object.setValue(value(attribute), forKey: name)
        }
    }

    private mutating func value(_ attribute: NSAttributeDescription) -> Any? {
        let number = Int.random(in: 0..<3, using: &random)
        switch attribute.attributeType {
        case .stringAttributeType: return "\(number)"
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number))
        case .booleanAttributeType: return number == 0
        default: return number
        }
    }

    private mutating func relate(
        _ object: NSManagedObject, _ relationship: NSRelationshipDescription, among objects: [NSManagedObject]
    ) {
        guard let destination = relationship.destinationEntity else { return }
        let targets = objects.filter { $0.entity.isKindOf(entity: destination) && !$0.isDeleted }.shuffled(
            using: &random)
        guard relationship.isToMany else {
            return object.setValue(Bool.random(using: &random) ? targets.first : nil, forKey: relationship.name)
        }
        let members = Array(targets.prefix(Int.random(in: 0...3, using: &random)))
        object.setValue(
            relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: relationship.name)
    }

    // MARK: Batch requests

    private mutating func batch() throws {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let names = (0..<Int.random(in: 0...4, using: &random)).map { ["name": "b\($0)"] }
            try scene.context.execute(NSBatchInsertRequest(entityName: "Hero", objects: names))
        case 1:
            let update = NSBatchUpdateRequest(entityName: "Hero")
            update.predicate = NSPredicate(format: "strength > %d", Int.random(in: 0...2, using: &random))
            update.propertiesToUpdate = ["strength": Int.random(in: 0...2, using: &random)]
            try scene.context.execute(update)
        default:
            let entity = ["Hero", "Power", "Team", "Node"].randomElement(using: &random) ?? ""
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
            fetch.fetchLimit = Int.random(in: 1...2, using: &random)
            try scene.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
    }
}
