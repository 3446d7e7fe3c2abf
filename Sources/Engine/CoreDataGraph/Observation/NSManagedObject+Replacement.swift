import CoreDataStore

/// Changes of values that accessors do not make: by refreshing, a merge or a rollback.
extension NSManagedObject {
    /// Replaces values of the object in a block, and notifies observers of the values that differ afterwards.
    ///
    /// If the object becomes a fault and its keys are observed, it is read again immediately, to compare the values. A
    /// to-many relationship that had not been read is not compared. If the object cannot be read, observers are not
    /// notified.
    func replaceValues(_ replacement: () -> Void) {
        guard flags.contains(.observed) else { return replacement() }
        Self.replaceValues(of: [self], by: replacement)
    }

    /// Replaces values of several objects in a block, and notifies observers after all objects have their new values.
    static func replaceValues(of objects: [NSManagedObject], by replacement: () -> Void) {
        let expected = objects.compactMap { object in object.expectReplacement().map { (object, $0) } }
        replacement()
        for (object, former) in expected { object.finishReplacement(former) }
    }

    /// Returns the present values of observed properties, to compare them later; nil without observers.
    private func expectReplacement() -> [FormerValue]? {
        guard let observers = ObserverTable.entry(of: self), flags.isDisjoint(with: [.fault, .inaccessible]) else {
            return nil
        }
        let former = formerValues(observers)
        for value in former where value.isKeyObserved { observers.keys?.expectChange(of: value.key) }
        return former
    }

    private func finishReplacement(_ former: [FormerValue]) {
        guard let observers = ObserverTable.entry(of: self) else { return }
        if former.contains(where: \.isKeyObserved) { fireFaultIfNeeded() }
        if isFault {
            for value in former where value.isKeyObserved {
                observers.keys?.finishChange(of: value.key, hasCome: false)
            }
            return observers.mutateAll(of: self)
        }
        // All values are compared before observers are notified, since observers might change them again.
        let hasCome = former.map { !Self.areEqual(comparable($0.place), $0.value) }
        for (value, hasCome) in zip(former, hasCome) { finish(value, hasCome: hasCome, observers: observers) }
    }

    private func finish(_ value: FormerValue, hasCome: Bool, observers: ObjectObservers) {
        if hasCome {
            let number = value.place.number(in: layout)
            observers.willMutate(number, of: self)
            observers.didMutate(number, of: self)
        }
        if value.isKeyObserved { observers.keys?.finishChange(of: value.key, hasCome: hasCome) }
    }

    /// Reports a change of every tracked property, since the object was deleted.
    func notifyTrackersOfDeletion() { ObserverTable.entry(of: self)?.mutateAll(of: self) }

    // MARK: Comparison

    /// The value of a property before it may be replaced.
    private struct FormerValue {
        let key: String
        let place: ObservedPlace
        let value: Any?
        let isKeyObserved: Bool
    }

    private func formerValues(_ observers: ObjectObservers) -> [FormerValue] {
        let keys = Set(observers.keys?.observedKeys ?? [])
        let read = observers.read
        return layout.places.sorted { $0.key < $1.key }.compactMap { key, place in
            let isKeyObserved = keys.contains(key)
            let observed: ObservedPlace
            switch place {
            case .attribute(let slot), .toOne(let slot): observed = .slot(slot)
            case .toMany(let number): observed = .toMany(number)
            case .fetched: return nil
            }
            guard isKeyObserved || read.contains(observed.number(in: layout)), isKnown(observed) else { return nil }
            return FormerValue(key: key, place: observed, value: comparable(observed), isKeyObserved: isKeyObserved)
        }
    }

    private func isKnown(_ place: ObservedPlace) -> Bool {
        guard case .toMany(let number) = place else { return true }
        return toManyLinks(number)?.isLoaded == true
    }

    private func comparable(_ place: ObservedPlace) -> Any? {
        switch place {
        case .slot(let slot):
            if case .toOne = layout.slots[slot].content { return relatedObject(slot) }
            return attributeValue(slot)
        case .toMany(let number):
            let members = relatedObjects(number)
            return layout.toMany[number].isOrdered ? members : Set(members)
        }
    }

    private static func areEqual(_ one: Any?, _ other: Any?) -> Bool {
        StoredEquality.areEqual(one, other)
    }
}
