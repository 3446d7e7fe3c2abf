import CoreDataStore

/// Makes the rows of a batch insertion one after the other, from the dictionaries or the handler of the request.
///
/// Fills one slab of at most 32 rows at a time and releases it, so that memory does not grow with the number of rows.
final class BatchRows {
    private let layout: EntityLayout
    private let store: NSPersistentStore
    private let builder: RowBuilder
    /// Converts large values to the form in which the store keeps them; nil once the store is closed.
    let largeValues: (any LargeValueWriting)?
    private let source: Source
    // Only the thread that makes the rows accesses these two.
    @exclusivity(unchecked) private var slab: RowSlab
    @exclusivity(unchecked) private var number = 0
    private let defaults: DefaultValues

    private enum Source {
        case dictionaries([[String: Any]])
        case dictionary(NSMutableDictionary, (NSMutableDictionary) -> Bool)
        case object(NSManagedObject, (NSManagedObject) -> Bool)
    }

    /// The values of one row, in the form of their source.
    private enum Given {
        case values([String: Any])
        case dictionary(NSDictionary)
        case object(NSManagedObject)
    }

    init(_ request: NSBatchInsertRequest, _ layout: EntityLayout, in store: NSPersistentStore) {
        self.layout = layout
        self.store = store
        largeValues = store.objects?.largeValueWriter()
        builder = RowBuilder(layout: layout, store: store, largeValues: largeValues)
        slab = RowSlab(binding: store.binding(for: layout), capacity: 32)
        defaults = DefaultValues(of: layout)
        if let handler = request.managedObjectHandler {
            source = .object(layout.objectClass.init(entity: layout.entity, insertInto: nil), handler)
        } else if let handler = request.dictionaryHandler {
            source = .dictionary(NSMutableDictionary(), handler)
        } else {
            source = .dictionaries(request.objectsToInsert ?? [])
        }
    }

    /// The next row, which gets the given key; nil after the last.
    ///
    /// - Throws: the error of a value that cannot be stored; its description begins with the number of the row.
    func next(key: Int64) throws -> SavePlan.Row? {
        guard let given = nextValues() else { return nil }
        defer { number += 1 }
        do {
            let index = try appendDefaults(key)
            let slots = try fill(index, given)
            builder.keepDecimals(in: slab, index)
            return SavePlan.Row(slab: slab, index: index, changed: slots, expectedVersion: 0)
        } catch let error as NSError {
            throw numbered(error)
        }
    }

    private func nextValues() -> Given? {
        switch source {
        case .dictionaries(let all): return number < all.count ? .values(all[number]) : nil
        case .dictionary(let dictionary, let handler):
            dictionary.removeAllObjects()
            return handler(dictionary) ? nil : .dictionary(dictionary)
        case .object(let object, let handler):
            object.working?.reset()
            object.flags.subtract(.changed)
            return handler(object) ? nil : .object(object)
        }
    }

    /// Writes the given values to the row; returns the slots of their properties.
    private func fill(_ index: Int, _ given: Given) throws -> SlotSet {
        var slots = SlotSet()
        switch given {
        case .values(let values):
            for (name, value) in values { slots.insert(try builder.set(value, named: name, in: slab, index)) }
        case .dictionary(let dictionary):
            for (name, value) in dictionary {
                guard let name = name as? String else {
                    throw CoreDataError.make(NSCoreDataError, "A key of the dictionary is no string.")
                }
                slots.insert(try builder.set(value, named: name, in: slab, index))
            }
        case .object(let object):
            guard let working = object.working else { break }
            guard working.toMany.allSatisfy({ $0 == nil }) else { throw Self.relationshipRefusal(object) }
            for slot in 0..<layout.storedCount where working.isChanged(slot) {
                slots.insert(slot)
                let value = working.value(slot)
                if layout.traits[slot].isDisjoint(with: .relationship), builder.set(plain: value, slot, in: slab, index)
                {
                    continue
                }
                guard case .attribute(let attribute, let kind) = layout.slots[slot].content else {
                    throw Self.relationshipRefusal(object)
                }
                try builder.set(value, slot: slot, attribute: attribute, kind: kind, in: slab, index: index)
            }
        }
        return slots
    }

    private static func relationshipRefusal(_ object: NSManagedObject) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            "The handler of a batch insertion set a relationship of '\(object.entity.name ?? "")', which is in no context.",
            hint: "Give the identifier in a dictionary, or set the relationship on objects and save them.")
    }

    private func appendDefaults(_ key: Int64) throws -> Int {
        if slab.count >= 32 || slab.isFull { slab = RowSlab(binding: slab.binding, capacity: 32) }
        return try defaults.append(to: slab, key: key, builder)
    }

    private func numbered(_ error: NSError) -> NSError {
        var info = error.userInfo
        info[NSLocalizedDescriptionKey] =
            "Row \(number) of the batch cannot be inserted (rows count from 0): \(error.localizedDescription)"
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }
}
