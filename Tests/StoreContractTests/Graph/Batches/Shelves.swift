import CoreData
import StoreContract

/// A coordinator with one to three stores of heroes.
struct Shelves {
    let stack: Stack
    let stores: [NSPersistentStore]

    init(_ kind: StoreKind, stores count: Int = 1) throws {
        stack = try HeroModel.stack(kind)
        for number in 1..<max(2, count) where number < count {
            let url = stack.url.deletingLastPathComponent().appendingPathComponent("Other\(number).sqlite")
            try stack.coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        }
        stores = stack.coordinator.persistentStores
    }

    /// Saves heroes whose strengths are given, named after their places, to the stores by turns.
    func fill(_ strengths: some Sequence<Int>) throws {
        let context = stack.newContext()
        for (number, strength) in strengths.enumerated() {
            let hero = context.insert("Hero", ["name": Self.name(number), "strength": strength])
            context.assign(hero, to: stores[number % stores.count])
        }
        try context.save()
    }

    static func name(_ number: Int) -> String { "n" + String(100_000 + number) }

    static func request(_ size: Int = 0, by keys: String...) -> NSFetchRequest<Hero> {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.fetchBatchSize = size
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return request
    }

    /// A child of the stack's context, or a context beside it.
    func context(isChild: Bool) -> NSManagedObjectContext {
        guard isChild else { return stack.newContext() }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        return child
    }
}
