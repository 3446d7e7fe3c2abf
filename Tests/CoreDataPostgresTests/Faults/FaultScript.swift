import CoreData
import CoreDataPostgres
import Foundation
import StoreContract
import Testing

/// What a program does with a store, a step at a time, while something goes wrong between it and the server.
///
/// A step that throws is made again. At the end the store must hold what was acknowledged, once, and nothing else but what a save
/// whose outcome was said to be unknown may have left.
final class FaultScript {
    enum Step: CaseIterable {
        case open, fetch, faults, save, order, batch, history, stream, generation, saveAgain
    }

    /// A step may be tried so often: a fault, and those of connections that it takes with it.
    private static let mostAttempts = 4

    let url: URL
    private(set) var stack: Stack?
    private var context: NSManagedObjectContext?
    /// The names that must be in the store at the end, and those that may be.
    private(set) var expected: Set<String>
    private(set) var possible: Set<String> = []
    private(set) var errors: [NSError] = []
    private let mark: String

    /// - Parameters:
    ///   - url: of a store that exists, reached through a proxy.
    ///   - mark: what begins the names of the script's objects.
    ///   - present: the names in the store.
    init(_ url: URL, mark: String, present: Set<String>) {
        (self.url, self.mark, expected) = (url, mark, present)
    }

    static var options: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 2,
            CoreDataPostgreSQLSilenceOption: 0.15,
        ]
    }

    /// Carries out all steps.
    func run() throws {
        for step in Step.allCases {
            var attempt = 1
            while true {
                do {
                    try carryOut(step)
                    break
                } catch let error as NSError {
                    errors.append(error)
                    guard attempt < Self.mostAttempts else { throw error }
                    attempt += 1
                }
            }
        }
    }

    /// Whether each error says what is wrong and what to do.
    var unclear: [NSError] {
        errors.filter { error in
            error.domain != NSCocoaErrorDomain || error.localizedDescription.isEmpty
                || error.localizedRecoverySuggestion?.isEmpty != false && error.code != NSManagedObjectMergeError
        }
    }

    private func opened() throws -> NSManagedObjectContext {
        if let context { return context }
        let stack = try Stack(HeroModel.make(), url: url, kind: .postgreSQL, options: Self.options)
        self.stack = stack
        let context = stack.newContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        self.context = context
        return context
    }

    private func carryOut(_ step: Step) throws {
        let context = try opened()
        try context.performAndWait {
            switch step {
            case .open: break
            case .fetch:
                context.reset()
                let found = try context.fetch(Heroes.request()).compactMap { $0.value(forKey: "name") as? String }
                #expect(Set(found).isSuperset(of: expected))
                #expect(try context.count(for: Heroes.request()) >= expected.count)
            case .faults:
                context.refreshAllObjects()
                for hero in try context.fetch(Heroes.request()).prefix(3) {
                    context.refresh(hero, mergeChanges: false)
                    // A fault that cannot be filled throws no error that could be caught: it is filled by a fetch instead.
                    let request = Heroes.request()
                    request.predicate = NSPredicate(format: "self == %@", hero)
                    request.returnsObjectsAsFaults = false
                    #expect(try context.fetch(request).count == 1)
                }
            case .save: try save("first", context)
            case .order: try save("second", context)
            case .batch: try batch(context)
            case .history:
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
                let result = try context.execute(request) as? NSPersistentHistoryResult
                let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
                #expect(
                    zip(transactions, transactions.dropFirst()).allSatisfy {
                        $0.transactionNumber < $1.transactionNumber
                    })
            case .stream:
                var names: [String] = []
                try context.objects(of: Heroes.request()).enumerateObjects {
                    names.append($0.value(forKey: "name") as? String ?? "")
                }
                #expect(Set(names).isSuperset(of: expected))
            case .generation:
                try context.setQueryGenerationFrom(.current)
                defer { try? context.setQueryGenerationFrom(nil) }
                #expect(try context.count(for: Heroes.request()) >= expected.count)
            case .saveAgain: try save("third", context)
            }
        }
    }

    /// Saves a hero with powers and a team, and the deletion of the one before.
    private func save(_ name: String, _ context: NSManagedObjectContext) throws {
        let name = "\(mark) \(name)"
        if !context.hasChanges {
            let team = context.insert("Team", ["name": name])
            let hero = context.insert("Hero", ["name": name, "strength": 1])
            hero.mutableSetValue(forKey: "teams").add(team)
            hero.mutableSetValue(forKey: "powers").add(context.insert("Power", ["name": name, "level": 2]))
            if let former = try context.fetch(Heroes.request("name BEGINSWITH '\(mark)' AND strength == 1")).first {
                former.setValue(5, forKey: "strength")
                hero.setValue(former, forKey: "nemesis")
            }
        }
        do {
            try context.save()
            expected.insert(name)
            possible.remove(name)
        } catch let error as NSError {
            if error.localizedFailureReason?.contains("unknown") == true { possible.insert(name) }
            // The save before was committed after all.
            guard error.localizedDescription.contains("was committed") else { throw error }
            context.reset()
            expected.insert(name)
        }
    }

    private func batch(_ context: NSManagedObjectContext) throws {
        let name = "\(mark) batch"
        guard try context.count(for: Heroes.request("name == '\(name)'")) == 0 else { return }
        possible.insert(name)
        let request = NSBatchInsertRequest(entityName: "Hero", objects: [["name": name, "strength": 7]])
        _ = try context.execute(request)
        expected.insert(name)
    }

    /// What is wrong with what a store has at the end; empty if nothing is.
    func problems(of names: [String]) -> [String] {
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return expected.filter { counts[$0] == nil }.map { "'\($0)' is lost" }
            + counts.filter { $0.value > 1 }.map { "'\($0.key)' is there \($0.value) times" }
            + counts.keys.filter { !expected.contains($0) && !possible.contains($0) }.map { "'\($0)' is nobody's" }
    }

    func close() throws {
        context = nil
        guard let store = stack?.coordinator.persistentStores.first else { return }
        try stack?.coordinator.remove(store)
        stack = nil
    }
}
