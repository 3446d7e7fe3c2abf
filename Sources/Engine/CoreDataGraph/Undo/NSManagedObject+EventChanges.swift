import CoreDataStore

extension NSManagedObject {
    /// Implements `changedValuesForCurrentEvent()`.
    var changedInEvent: [String: Any] {
        guard let registry else { return [:] }
        var values: [String: Any] = [:]
        var lists: [Int: ObjectList<NSManagedObject>] = [:]
        for entry in registry.journal.entries(of: self) {
            switch entry.change {
            case .value(let slot, let former): values[layout.slots[slot].name] = value(of: former, slot) ?? NSNull()
            case .addition(let member, let number):
                lists[number, default: ObjectList(relatedObjects(number))].remove(member)
            case .removal(let member, let number):
                lists[number, default: ObjectList(relatedObjects(number))].append(member)
            case .order(let number, let members): lists[number] = ObjectList(members)
            case .insertion: return [:]
            default: continue
            }
        }
        for (number, list) in lists {
            let relationship = layout.toMany[number]
            values[relationship.name] =
                relationship.isOrdered ? NSOrderedSet(array: list.objects) : NSSet.of(list.objects)
        }
        return values
    }

    private func value(of former: FormerValue, _ slot: Int) -> Any? {
        if case .reference(let target as NSManagedObject)? = former.held { return target }
        guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { return nil }
        if let held = former.held { return Self.foundationValue(held, kind) }
        guard slot < layout.storedCount else { return nil }
        return former.slab.flatMap {
            SlotCoding.decode($0, index: Int(former.row), slot: slot, kind: kind, attribute: attribute, owner: self)
        }
    }
}
