import CoreData
import StoreContract

extension ContextRun {
    /// The numbers of the objects of a context that the test holds.
    func numbers(_ one: Int) -> [ObjectIdentifier: Int] {
        Dictionary(known[one].map { (ObjectIdentifier($0.value), $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// Compares the context of an operation and its parents, and now and then all.
    func compareContexts(concerning operation: ContextOperation) throws {
        var open: Int? = contextNumber(operation)
        let isThorough = operation.numbers[3] % 8 == 0
        var concerned = isThorough ? Set(contexts.indices) : []
        while let one = open {
            concerned.insert(one)
            open = arrangement.parents[one]
        }
        for one in contexts.indices {
            try contexts[one].performAndWait {
                hold(one)
                if concerned.contains(one) { try compare(one) }
            }
        }
    }

    /// Holds what a context has read or got, and lets go of what has left it.
    private func hold(_ one: Int) {
        known[one] = known[one].filter {
            $0.value.managedObjectContext != nil && !Self.isNowhere($0.value, contexts[one])
        }
        let held = numbers(one)
        for object in contexts[one].registeredObjects
        where !object.isFault && held[ObjectIdentifier(object)] == nil && !Self.isNowhere(object, contexts[one])
            && !isLeftOut(object)
        {
            if let number = object.value(forKey: "number") as? Int { known[one][number] = object }
        }
    }

    /// Whether an object was inserted and deleted, and waits to be forgotten, or its record was found to be gone, perhaps
    /// by a merge.
    private static func isNowhere(_ object: NSManagedObject, _ context: NSManagedObjectContext) -> Bool {
        object.isDeleted && (!object.hasChanges || !context.deletedObjects.contains(object))
    }

    private func compare(_ one: Int) throws {
        let (context, reference) = (contexts[one], references[one])
        let filled = Set(known[one].filter { !$0.value.isFault }.keys)
        guard filled == Set(reference.objects.keys) else {
            throw Difference("context \(one) has values of \(filled.sorted()), not \(reference.objects.keys.sorted())")
        }
        guard context.hasChanges == reference.hasChanges || isRelational && context.hasChanges else {
            throw Difference("context \(one) has changes: \(context.hasChanges), not \(reference.hasChanges)")
        }
        let held = numbers(one)
        func set(_ objects: Set<NSManagedObject>) -> Set<Int> {
            Set(objects.filter { !isLeftOut($0) }.map { held[ObjectIdentifier($0)] ?? -1 })
        }
        let found = ReferenceNotice(
            inserted: set(context.insertedObjects), updated: set(context.updatedObjects),
            deleted: set(context.deletedObjects.filter(\.hasChanges)))
        guard found == reference.notice else {
            throw Difference("context \(one) has \(found), not \(reference.notice)")
        }
        for (number, twin) in reference.objects {
            guard let object = known[one][number] else { continue }
            try compare(object, twin, "context \(one), \(number)")
        }
    }

    private func compare(_ object: NSManagedObject, _ twin: ReferenceObject, _ name: String) throws {
        let values = values(object.value(forKey:))
        guard values == twin.values else { throw Difference("\(name) has \(values), not \(twin.values)") }
        if twin.life == .deleted { return }
        let changed = Set(object.changedValues().keys.compactMap(NodeKey.init(rawValue:)))
        guard changed == Set(twin.differing) else {
            throw Difference("\(name) has changed \(changed.sorted()), not \(twin.differing.sorted())")
        }
        let hasPersistentChanges = object.hasPersistentChangedValues
        guard isRelational || twin.life == .inserted || hasPersistentChanges == !twin.writesNothing else {
            throw Difference("\(name) has persistent changes: \(hasPersistentChanges)")
        }
        guard twin.life != .inserted else { return }
        let committed = object.committedValues(forKeys: NodeKey.allCases.map(\.rawValue))
        let snapshot = self.values { committed[$0] }
        guard snapshot == twin.snapshot.values else {
            throw Difference("\(name) had \(snapshot), not \(twin.snapshot.values)")
        }
    }

    private func values(_ value: (String) -> Any?) -> NodeValues {
        var values: NodeValues = [:]
        for key in NodeKey.attributes { values[key] = NodeModel.number(key, value(key.rawValue)) }
        for key in NodeKey.toOnes {
            switch value(key.rawValue) {
            case let target as NSManagedObject: values[key] = anchors[target.objectID] ?? -1
            case let target as NSManagedObjectID: values[key] = anchors[target] ?? -1
            default: break
            }
        }
        return values
    }

    // MARK: Fetches

    func compareFetch(_ one: Int, _ value: Int) throws {
        let (context, reference) = (contexts[one], references[one])
        let fetchable = reference.fetchable
        try compareCount(NSPredicate(value: true), fetchable.count, context, "all of \(one)")
        let number = value % 5
        try compareCount(
            NSPredicate(format: "text == %@", "text \(number)"), fetchable.values.filter { $0[.text] == number }.count,
            context, "text \(number) of \(one)")
        try compareCount(
            NSPredicate(format: "count > %d", number),
            fetchable.values.filter { $0[.count].map { $0 > number } ?? false }.count,
            context, "count over \(number) of \(one)")
    }

    private func compareCount(
        _ predicate: NSPredicate, _ expected: Int, _ context: NSManagedObjectContext, _ name: String
    ) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
        request.predicate = predicate
        let found = try (context.count(for: request), context.fetch(request).count)
        guard found == (expected, expected) else { throw Difference("\(name): \(found), not \(expected)") }
    }

    // MARK: The store

    private func compareTags(of object: NSManagedObject, _ objects: [NSManagedObject]) throws {
        let tags = object.value(forKey: "tags") as? Set<NSManagedObject> ?? []
        let back = Set(
            objects.filter { ($0.value(forKey: "tagged") as? Set<NSManagedObject>)?.contains(object) == true })
        guard tags == back else { throw Difference("the store has \(tags) as tags of \(object), and not \(back)") }
        guard let number = object.value(forKey: "number") as? Int, !store.vaguelyTagged.contains(number) else { return }
        let (found, wanted) = (Set(tags.map { anchors[$0.objectID] ?? -1 }), store.tags[number] ?? [])
        guard found == wanted else { throw Difference("the store has \(number) tagged with \(found), not \(wanted)") }
    }

    private func compareOwned(by object: NSManagedObject, _ objects: [NSManagedObject]) throws {
        let items = object.value(forKey: "items") as? Set<NSManagedObject> ?? []
        let owned = Set(objects.filter { $0.value(forKey: "owner") as? NSManagedObject === object })
        guard items == owned else { throw Difference("the store has \(items) as items of \(object), and not \(owned)") }
    }

    /// Reads the store in a context that knows nothing.
    func compareStore() throws {
        guard let coordinator = contexts[0].persistentStoreCoordinator else { return }
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        fresh.persistentStoreCoordinator = coordinator
        try fresh.performAndWait {
            var rows: [Int: NodeValues] = [:]
            let objects = try fresh.all("Node")
            for object in objects {
                rows[object.value(forKey: "number") as? Int ?? -1] = values(object.value(forKey:))
            }
            for object in objects {
                try compareOwned(by: object, objects)
                try compareTags(of: object, objects)
            }
            let expected = store.rows.mapValues(\.values)
            for number in Set(rows.keys).union(expected.keys).sorted() where rows[number] != expected[number] {
                throw Difference(
                    "the store has \(number) as \(String(describing: rows[number])), not \(String(describing: expected[number]))"
                )
            }
        }
    }
}
