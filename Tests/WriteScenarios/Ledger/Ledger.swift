import CoreData
import StoreContract

/// A store that holds one `LedgerState`, and is moved to the next by one save.
package final class Ledger {
    package let coordinator: NSPersistentStoreCoordinator
    private let context = NSManagedObjectContext(.privateQueue)

    /// Opens the ledger at a URL, an empty one if there is none.
    package init(_ url: URL, journalMode: String) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: LedgerModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": journalMode]])
        context.persistentStoreCoordinator = coordinator
    }

    /// The number of the state that the store is in; nil before the first save.
    package func number() throws -> Int? {
        try context.all("Counter").first.map { integer($0, "number") }
    }

    /// Moves the store to the next state by one save and gives its number.
    package func advance() throws -> Int {
        let state = LedgerState(try number().map { $0 + 1 } ?? 0)
        let shelves = try objects("Shelf", Array(0..<LedgerState.shelfCount))
        let tags = try objects("Tag", Array(0..<LedgerState.tagCount))
        let items = try items(of: state)
        for item in state.items {
            guard let object = items[item.number] else { continue }
            fill(object, item, state, tags, items)
        }
        for (number, shelf) in shelves {
            shelf.setValue(state.number, forKey: "generation")
            shelf.setValue(NSOrderedSet(array: state.shelves[number].compactMap { items[$0] }), forKey: "items")
        }
        let counter = try context.all("Counter").first ?? context.insert("Counter")
        counter.setValue(state.number, forKey: "number")
        counter.setValue(state.checksum, forKey: "checksum")
        try context.save()
        return state.number
    }

    /// Everything in the store as text, in the form of `LedgerState.lines`.
    package func lines() throws -> [String] {
        var lines = try context.all("Item", sortedBy: "number").map(line)
        for shelf in try context.all("Shelf", sortedBy: "number") {
            let members = (shelf.value(forKey: "items") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            let numbers = members.map { integer($0, "number") }
            lines.append("shelf \(integer(shelf, "number")) \(integer(shelf, "generation")) \(numbers)")
        }
        for counter in try context.all("Counter") {
            lines.append("counter \(integer(counter, "number")) \(counter.value(forKey: "checksum") ?? "none")")
        }
        return lines
    }

    private func line(_ item: NSManagedObject) -> String {
        LedgerState.line(
            integer(item, "number"), isSpecial: item.entity.name == "SpecialItem",
            generation: integer(item, "generation"), amount: item.value(forKey: "amount") as? Double ?? -1,
            payload: item.value(forKey: "payload") as? Data,
            shelf: (item.value(forKey: "shelf") as? NSManagedObject).map { integer($0, "number") } ?? -1,
            tags: numbers(item, "tags"), neighbours: numbers(item, "neighbours"))
    }

    /// The items of a state; what the store has beyond them is deleted, what it has not is inserted.
    private func items(of state: LedgerState) throws -> [Int: NSManagedObject] {
        var items: [Int: NSManagedObject] = [:]
        for object in try context.all("Item") { items[integer(object, "number")] = object }
        let wanted = Set(state.items.map(\.number))
        for (number, object) in items where !wanted.contains(number) {
            context.delete(object)
            items[number] = nil
        }
        for item in state.items where items[item.number] == nil {
            items[item.number] = context.insert(item.isSpecial ? "SpecialItem" : "Item", ["number": item.number])
        }
        return items
    }

    private func fill(
        _ object: NSManagedObject, _ item: LedgerState.Item, _ state: LedgerState, _ tags: [Int: NSManagedObject],
        _ items: [Int: NSManagedObject]
    ) {
        object.setValue(state.number, forKey: "generation")
        object.setValue("item \(item.number) of \(state.number)", forKey: "text")
        object.setValue(item.amount, forKey: "amount")
        object.setValue(item.payload, forKey: "payload")
        object.setValue(NSSet(array: item.tags.compactMap { tags[$0] }), forKey: "tags")
        object.setValue(NSSet(array: item.neighbours.compactMap { items[$0] }), forKey: "neighbours")
    }

    private func objects(_ entity: String, _ numbers: [Int]) throws -> [Int: NSManagedObject] {
        var objects: [Int: NSManagedObject] = [:]
        for object in try context.all(entity) { objects[integer(object, "number")] = object }
        for number in numbers where objects[number] == nil {
            objects[number] = context.insert(entity, ["number": number])
        }
        return objects
    }

    private func numbers(_ object: NSManagedObject, _ key: String) -> [Int] {
        ((object.value(forKey: key) as? NSSet)?.allObjects as? [NSManagedObject] ?? [])
            .map { integer($0, "number") }.sorted()
    }

    private func integer(_ object: NSManagedObject, _ key: String) -> Int { object.value(forKey: key) as? Int ?? -1 }
}
