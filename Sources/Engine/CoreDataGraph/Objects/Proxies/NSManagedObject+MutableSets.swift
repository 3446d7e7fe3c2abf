import CoreDataStore

extension NSManagedObject {
    /// Implements `mutableSetValue(forKey:)`.
    func liveSet(_ key: String) -> NSMutableSet {
        guard case .toMany(let number) = layout.places[key], !layout.toMany[number].isOrdered else {
            stopForUnsupported("-mutableSetValueForKey:", key)
        }
        return LiveSet(self, number)
    }

    /// Implements `mutableOrderedSetValue(forKey:)`.
    func liveOrderedSet(_ key: String) -> NSMutableOrderedSet {
        guard case .toMany(let number) = layout.places[key], layout.toMany[number].isOrdered else {
            stopForUnsupported("-mutableOrderedSetValueForKey:", key)
        }
        let links = loadedLinks(number)
        if let known = links.display as? LiveOrderedSet { return known }
        let display = LiveOrderedSet(self, number)
        display.show(links.objects)
        links.display = display
        registry?.liveSets.add(display)
        flags.insert(.displayed)
        return display
    }

    /// Returns the mutable set at the end of a dotted key path; stops if the path to its owner does not lead to an
    /// object.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = owner(ofLastKeyIn: keyPath)
        return owner.mutableSetValue(forKey: key)
    }

    /// Returns the mutable ordered set at the end of a dotted key path; stops if the path to its owner does not lead to
    /// an object.
    public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        let (owner, key) = owner(ofLastKeyIn: keyPath)
        return owner.mutableOrderedSetValue(forKey: key)
    }

    private func owner(ofLastKeyIn keyPath: String) -> (NSManagedObject, String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
        let path = String(keyPath[..<dot])
        guard let owner = value(forKeyPath: path) as? NSManagedObject else {
            stop("There is no managed object at '\(path)' of \(objectID), whose '\(keyPath)' was asked for.")
        }
        return (owner, String(keyPath[keyPath.index(after: dot)...]))
    }

    private func stopForUnsupported(_ method: String, _ key: String) -> Never {
        guard layout.places[key] != nil else { stopForUndefinedKey(key) }
        stop(
            "NSManagedObjects of entity '\(entity.name ?? "")' do not support \(method) for the property '\(key)': "
                + kindText(key))
    }

    private func kindText(_ key: String) -> String {
        guard case .toMany(let number) = layout.places[key] else { return "it is no to-many relationship." }
        return layout.toMany[number].isOrdered
            ? "it is ordered; use mutableOrderedSetValue(forKey:)." : "it is not ordered; use mutableSetValue(forKey:)."
    }

    /// Casts a value that is to become a member of a relationship to a managed object; stops if it is not one.
    func expectMember(_ value: Any, _ number: Int) -> NSManagedObject {
        guard let object = value as? NSManagedObject else {
            stop(
                "Unacceptable type of value for to-many relationship: property = \"\(layout.toMany[number].name)\"; "
                    + "desired type = \(layout.toMany[number].destinationEntity?.name ?? "?"); given type = "
                    + "\(type(of: value)); entity = \(entity.name ?? "?").")
        }
        return object
    }
}
