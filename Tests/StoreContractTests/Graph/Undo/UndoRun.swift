import CoreData
import StoreContract
import TestBasics

/// One thing that a random sequence does; the numbers choose objects among those that are there.
struct UndoOperation: CustomStringConvertible {
    enum Kind: CaseIterable {
        case insert, name, weight, parent, partner, admirer, tag, steps, move, owner, path, visit, delete
        case process, endEvent, undo, redo, save, rollback, refresh, refault
    }
    let kind: Kind
    let numbers: [Int]

    var description: String { ".\(kind)\(numbers)" }

    private static let weights: [(Kind, Int)] = [
        (.insert, 7), (.name, 4), (.weight, 3), (.parent, 6), (.partner, 4), (.admirer, 3), (.tag, 5), (.steps, 4),
        (.move, 3), (.owner, 4), (.path, 4), (.visit, 4), (.delete, 5), (.process, 3), (.endEvent, 16), (.undo, 12),
        (.redo, 9), (.save, 5), (.rollback, 1), (.refresh, 2), (.refault, 2),
    ]
    private static let pool = weights.flatMap { Array(repeating: $0.0, count: $0.1) }

    static func sequence(seed: UInt64, count: Int) -> [UndoOperation] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let kind = pool[random.next(below: pool.count)]
            return UndoOperation(kind: kind, numbers: (0..<5).map { _ in random.next(below: 1000) })
        }
    }
}

/// Does the same to a context and to the reference, and says where they differ.
final class UndoRun {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private var reference = UndoReference()
    private var objects: [Int: Item] = [:]
    private var lastNumber = 0

    init(_ model: NSManagedObjectModel, _ kind: StoreKind) throws {
        stack = try Stack(model, kind: kind)
        context = stack.context
        context.undoManager = UndoManager()
    }

    /// The first difference, with the place of the operation after which it was there.
    func firstDifference(_ operations: [UndoOperation]) throws -> String? {
        for (place, operation) in operations.enumerated() {
            try perform(operation)
            let isThorough = operation.numbers[4] % 4 == 0 || place == operations.count - 1
            if let difference = try difference(thorough: isThorough, stored: operation.kind == .save) {
                return "after \(place + 1) of \(operations.count), \(operation): \(difference)"
            }
        }
        return nil
    }

    // MARK: Doing

    private func perform(_ operation: UndoOperation) throws {
        let living = reference.living
        switch operation.kind {
        case .process: context.processPendingChanges()
        case .endEvent:
            context.endEvent()
            reference.endEvent()
        case .undo:
            context.undo()
            reference.undo()
        case .redo:
            context.redo()
            reference.redo()
        case .save:
            try context.save()
            reference.save()
        case .rollback:
            context.rollback()
            reference.rollback()
        case .refault: for item in context.registeredObjects where !item.hasChanges { refresh(item) }
        case .insert: insert(operation.numbers)
        default:
            guard !living.isEmpty else { return insert(operation.numbers) }
            let chosen = operation.numbers.map { living[$0 % living.count] }
            change(operation, chosen)
        }
    }

    private func refresh(_ item: NSManagedObject) { context.refresh(item, mergeChanges: false) }

    private func insert(_ numbers: [Int]) {
        guard reference.graph.count < 10 else { return }
        lastNumber += 1
        let number = lastNumber
        let item = Item(context: context)
        item.setValue(number, forKey: "count")
        item.name = "\(numbers[0])"
        objects[number] = item
        reference.change(number) { $0[number] = .init(name: numbers[0]) }
    }

    private func item(_ number: Int) -> Item {
        guard let item = objects[number] else { preconditionFailure("no object \(number)") }
        return item
    }

    private func change(_ operation: UndoOperation, _ chosen: [Int]) {
        let (one, two, value) = (chosen[0], chosen[1], operation.numbers[2])
        let other: Int? = one == two || value % 4 == 0 ? nil : two
        let object = item(one)
        let target = other.map(item)
        switch operation.kind {
        case .name:
            object.name = "\(value)"
            reference.change(always: true, one) { $0[one]?.name = value }
        case .weight:
            let new = value % 3 == 0 ? nil : value
            object.setValue(new.map(Double.init), forKey: "weight")
            reference.change(always: true, one) { $0[one]?.weight = new }
        case .parent:
            object.setValue(target, forKey: "parent")
            reference.change(one) { $0[one]?.parent = other }
        case .partner:
            object.setValue(target, forKey: "partner")
            reference.change(one) { $0.setPartner(one, other) }
        case .admirer:
            guard let other, let target else { return }
            object.setValue(target, forKey: "admirer")
            reference.change(one) { $0.setPartner(other, one) }
        case .delete:
            context.delete(object)
            context.processPendingChanges()
            reference.delete(one)
        case .refresh: if !object.hasChanges { refresh(object) }
        default: changeMembers(operation, one, other, Array(chosen[1...3]))
        }
    }

    private func changeMembers(_ operation: UndoOperation, _ one: Int, _ other: Int?, _ chosen: [Int]) {
        let object = item(one)
        switch operation.kind {
        case .tag, .visit:
            guard let other else { return }
            toggle(operation.kind == .tag ? "tagged" : "visitors", other, one)
        case .owner:
            object.setValue(other.map(item), forKey: "owner")
            reference.change(one) { $0.setOwner(one, other) }
        case .steps, .path:
            let list = distinct(chosen, without: one)
            set(operation.kind == .steps ? "steps" : "path", one, list)
        case .move:
            let key = operation.numbers[3] % 2 == 0 ? "steps" : "path"
            guard let list = key == "steps" ? reference.graph[one]?.steps : reference.graph[one]?.path else { return }
            set(key, one, list.reversed())
        default: break
        }
    }

    private func set(_ key: String, _ number: Int, _ list: [Int]) {
        item(number).setValue(NSOrderedSet(array: list.map(item)), forKey: key)
        reference.change(number) { graph in
            if key == "steps" { graph.setSteps(number, list) } else { graph[number]?.path = list }
        }
    }

    /// Enters or leaves a relationship with several objects on both sides, from the side without an order.
    private func toggle(_ key: String, _ number: Int, _ owner: Int) {
        let object = item(number)
        let members = object.set(key).symmetricDifference([item(owner)])
        object.setValue(members, forKey: key)
        reference.change(number) { graph in
            guard var record = graph[owner] else { return }
            if key == "tagged" {
                record.tags.formSymmetricDifference([number])
            } else if let place = record.path.firstIndex(of: number) {
                record.path.remove(at: place)
            } else {
                record.path.append(number)
            }
            graph[owner] = record
        }
    }

    private func distinct(_ numbers: [Int], without left: Int) -> [Int] {
        numbers.reduce(into: []) { if $1 != left, !$0.contains($1) { $0.append($1) } }
    }

    // MARK: Comparing

    private func difference(thorough: Bool, stored: Bool) throws -> String? {
        if let difference = stateDifference() { return difference }
        if thorough {
            let graph = Self.read(reference.living.map(item), numbers)
            if let difference = Self.difference(graph, reference.graph) { return "graph: \(difference)" }
            if let difference = otherSides() { return difference }
            let fetched = try context.all("Item").compactMap { numbers[ObjectIdentifier($0)] }.sorted()
            if fetched != reference.living { return "fetched \(fetched), not \(reference.living)" }
        }
        guard stored else { return nil }
        let second = stack.newContext()
        let items = try second.all("Item").compactMap { $0 as? Item }
        let known = Dictionary(items.map { (ObjectIdentifier($0), $0.count ?? 0) }) { first, _ in first }
        return Self.difference(Self.read(items, known), reference.saved).map { "store: \($0)" }
    }

    private var numbers: [ObjectIdentifier: Int] {
        Dictionary(uniqueKeysWithValues: objects.map { (ObjectIdentifier($0.value), $0.key) })
    }

    private func stateDifference() -> String? {
        let numbers = numbers
        func set(_ objects: Set<NSManagedObject>) -> Set<Int> {
            Set(objects.map { numbers[ObjectIdentifier($0)] ?? -1 })
        }
        let (graph, saved) = (reference.graph, reference.saved)
        let inserted = set(context.insertedObjects)
        let expectedInserted = graph.keys.filter { !isStored($0) }
        if inserted != Set(expectedInserted) {
            return "inserted \(inserted.sorted()), not \(expectedInserted.sorted())"
        }
        let deleted = set(context.deletedObjects)
        let expectedDeleted = Set(saved.keys).subtracting(graph.keys)
        if deleted != expectedDeleted { return "deleted \(deleted.sorted()), not \(expectedDeleted.sorted())" }
        let updated = set(context.updatedObjects)
        let differing = Set(graph.keys.filter { isStored($0) && graph[$0] != saved[$0] })
        if !differing.isSubset(of: updated) {
            return "updated \(updated.sorted()) without some of \(differing.sorted())"
        }
        let surplus = updated.subtracting(differing).subtracting(reference.touched)
        if let first = surplus.min() {
            return "updated \(surplus.sorted()) without reason; changed: \(item(first).changedValues().keys.sorted())"
        }
        let manager = context.undoManager
        if manager?.canUndo != reference.canUndo { return "canUndo is \(manager?.canUndo ?? false)" }
        if manager?.canRedo != reference.canRedo { return "canRedo is \(manager?.canRedo ?? false)" }
        return nil
    }

    private func isStored(_ number: Int) -> Bool { reference.saved[number] != nil }

    private static func read(_ items: [Item], _ numbers: [ObjectIdentifier: Int]) -> UndoReference.Graph {
        func number(_ item: Item?) -> Int? { item.map { numbers[ObjectIdentifier($0)] ?? -1 } }
        var graph: UndoReference.Graph = [:]
        for item in items {
            graph[number(item) ?? -1] = .init(
                name: item.name.flatMap { Int($0) } ?? -1,
                weight: (item.value(forKey: "weight") as? NSNumber)?.intValue,
                parent: number(item.one("parent")), partner: number(item.one("partner")),
                tags: Set(item.set("tags").compactMap(number)), steps: item.list("steps").compactMap(number),
                path: item.list("path").compactMap(number))
        }
        return graph
    }

    private static func difference(_ found: UndoReference.Graph, _ wanted: UndoReference.Graph) -> String? {
        for key in Set(found.keys).union(wanted.keys).sorted() where found[key] != wanted[key] {
            return "\(key): \(found[key].map { "\($0)" } ?? "nothing"), not \(wanted[key].map { "\($0)" } ?? "nothing")"
        }
        return nil
    }

    /// The sides of relationships that the reference derives from the others.
    private func otherSides() -> String? {
        let numbers = numbers
        let graph = reference.graph
        for key in reference.living {
            let object = item(key)
            func found(_ name: String) -> Set<Int> {
                let value = object.value(forKey: name)
                let objects: [Item] = (value as? Item).map { [$0] } ?? Array(value as? Set<Item> ?? [])
                return Set(objects.map { numbers[ObjectIdentifier($0)] ?? -1 })
            }
            let wanted: [(String, (UndoReference.Record) -> Bool)] = [
                ("children", { $0.parent == key }), ("admirer", { $0.partner == key }),
                ("tagged", { $0.tags.contains(key) }),
                ("owner", { $0.steps.contains(key) }), ("visitors", { $0.path.contains(key) }),
            ]
            for (name, leads) in wanted {
                let expected = Set(graph.filter { leads($0.value) }.keys)
                if found(name) != expected {
                    return "\(key).\(name): \(found(name).sorted()), not \(expected.sorted())"
                }
            }
        }
        return nil
    }
}
