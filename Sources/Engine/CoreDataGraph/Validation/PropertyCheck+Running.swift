import CoreDataStore

/// Checking the present value of a property.
extension PropertyCheck {
    /// Checks the value, and sets the value that the class's own rule returns, which counts as a change.
    ///
    /// The class's own rule is called only for values that satisfy the model's rules, and for the members of a
    /// relationship only if they are known.
    func run(on object: NSManagedObject, _ list: inout FailureList) {
        let found = list.failures.count
        checkModel(of: object, &list)
        guard let ownRule, list.failures.count == found, isKnown(in: object) else { return }
        let value = present(in: object)
        var corrected = value
        list.collect {
            try ownRule(object, &corrected)
            if !NSManagedObject.areSame(corrected, value) { try set(corrected, in: object) }
        }
    }

    private func set(_ value: Any?, in object: NSManagedObject) throws {
        guard isSettable else { throw Violation.readOnly(key, object) }
        try checkProposed(value, for: object)
        object.setValue(value, forKey: key)
    }

    /// Returns the value for the class's own rule: through the class's accessor, if it has one.
    private func present(in object: NSManagedObject) -> Any? {
        if let get { return get(object) }
        switch subject {
        case .attribute(_, _, let slot, _), .composite(_, let slot): return object.attributeValue(slot)
        case .toOne(_, let slot): return object.relatedObject(slot)
        case .toMany, .unmodelled: return object.primitiveValue(forKey: key)
        }
    }

    private func checkModel(of object: NSManagedObject, _ list: inout FailureList) {
        switch subject {
        case .attribute(let attribute, let kind, let slot, let limits):
            if attribute is NSDerivedAttributeDescription { return }
            // An accessor of a transient attribute may compute its value from others.
            if attribute.isTransient, let get {
                return checkValue(
                    get(object), attribute: attribute, kind: kind, limits: limits, object: object, list: &list)
            }
            checkSlot(slot, attribute: attribute, kind: kind, limits: limits, object: object, list: &list)
        case .composite(let composite, let slot): checkComposite(composite, slot: slot, object: object, list: &list)
        case .toOne(let relationship, let slot):
            if relationship.isOptional || object.hasTarget(slot) { return }
            list.add(Violation.missing(relationship, object))
        case .toMany(let relationship, let number):
            guard relationship.limitsCount else { return }
            if !isKnown(in: object) {
                var breaks = false
                list.collect { breaks = try object.breaksCount(of: relationship) }
                // The query may have loaded the members.
                guard breaks || isKnown(in: object) else { return }
            }
            let count = object.relatedObjects(number).lazy.filter { !$0.isDeleted }.count
            checkCount(count, relationship: relationship, object: object, list: &list)
        case .unmodelled: return
        }
    }

    /// Checks a composite value. A stored composite without any element is valid if all elements may be nil.
    private func checkComposite(
        _ composite: CompositeCheck, slot: Int, object: NSManagedObject, list: inout FailureList
    ) {
        if object.hasNoValue(slot) {
            let wasSet = object.isInserted || object.working?.isChanged(slot) == true
            guard !composite.attribute.isOptional, wasSet || !composite.mayBeEmpty else { return }
            return list.add(Violation.missing(composite.attribute, object))
        }
        guard let value = object.attributeValue(slot) else { return }
        composite.check(value, object: object, list: &list)
    }

    /// Checks the value in a slot, without converting it to an object if possible.
    private func checkSlot(
        _ slot: Int, attribute: NSAttributeDescription, kind: AttributeKind, limits: [ValueLimit],
        object: NSManagedObject, list: inout FailureList
    ) {
        if object.hasNoValue(slot) {
            if !attribute.isOptional { list.add(Violation.missing(attribute, object)) }
            return
        }
        if kind == .date, let seconds = object.realValue(slot), !seconds.isFinite {
            return list.add(Violation.invalidDate(attribute, object))
        }
        for limit in limits where !allows(limit, slot: slot, kind: kind, object: object) {
            list.add(Violation.of(limit, attribute: attribute, value: object.attributeValue(slot), object: object))
        }
    }

    private func allows(_ limit: ValueLimit, slot: Int, kind: AttributeKind, object: NSManagedObject) -> Bool {
        guard !limit.needsObject else { return object.attributeValue(slot).map(limit.allows) ?? true }
        switch kind {
        case .integer16, .integer32, .integer64, .boolean:
            return object.integerValue(slot).map(limit.allows(integer:)) ?? true
        case .double, .float, .date: return object.realValue(slot).map(limit.allows(real:)) ?? true
        case .string: return object.textValue(slot).map(limit.allows(text:)) ?? true
        default: return object.attributeValue(slot).map(limit.allows) ?? true
        }
    }

    private func checkValue(
        _ value: Any?, attribute: NSAttributeDescription, kind: AttributeKind, limits: [ValueLimit],
        object: NSManagedObject, list: inout FailureList
    ) {
        guard let value, !(value is NSNull) else {
            let isFree = attribute.isOptional || attribute is NSDerivedAttributeDescription
            return isFree ? () : list.add(Violation.missing(attribute, object))
        }
        if let date = value as? Date, !date.timeIntervalSinceReferenceDate.isFinite {
            return list.add(Violation.invalidDate(attribute, object))
        }
        for limit in limits where !limit.allows(value) {
            list.add(Violation.of(limit, attribute: attribute, value: value, object: object))
        }
    }

    /// Checks the number of members; an optional relationship may also be empty.
    private func checkCount(
        _ count: Int, relationship: NSRelationshipDescription, object: NSManagedObject, list: inout FailureList
    ) {
        if count == 0, relationship.isOptional { return }
        if count < relationship.minCount {
            list.add(Violation.tooFew(count, relationship: relationship, object: object))
        } else if relationship.maxCount > 0, count > relationship.maxCount {
            list.add(Violation.tooMany(count, relationship: relationship, object: object))
        }
    }

    // MARK: Proposed values

    /// Checks a proposed value by the model's rules.
    func checkProposed(_ value: Any?, for object: NSManagedObject) throws {
        var list = FailureList()
        switch subject {
        case .attribute(let attribute, let kind, _, let limits):
            let accepted = try acceptedValue(value, attribute: attribute, kind: kind, object: object)
            checkValue(accepted, attribute: attribute, kind: kind, limits: limits, object: object, list: &list)
        case .composite(let composite, _):
            guard let value, !(value is NSNull) else {
                if !composite.attribute.isOptional { throw Violation.missing(composite.attribute, object) }
                return
            }
            composite.check(value, object: object, list: &list)
        case .toOne(let relationship, _):
            guard value == nil || value is NSManagedObject else {
                throw Violation.type(relationship, value: value, object: object)
            }
            let target = value as? NSManagedObject
            if let target, object.refusal(of: target, relationship) != nil {
                throw Violation.type(relationship, value: value, object: object)
            }
            if !relationship.isOptional, target == nil || target?.isDeleted == true {
                throw Violation.missing(relationship, object)
            }
        case .toMany(let relationship, _):
            let members = try members(value, relationship: relationship, object: object)
            checkCount(members.count { !$0.isDeleted }, relationship: relationship, object: object, list: &list)
        case .unmodelled: return
        }
        try list.throwAny()
    }

    /// Converts a value to the attribute's type, on which the rules are evaluated.
    private func acceptedValue(
        _ value: Any?, attribute: NSAttributeDescription, kind: AttributeKind, object: NSManagedObject
    ) throws -> Any? {
        do {
            switch try SlotCoding.accept(value, for: attribute, kind) {
            case .null: return nil
            case .integer(let integer): return SlotCoding.number(integer, kind)
            case .real(let real):
                return kind == .date ? Date(timeIntervalSinceReferenceDate: real) : NSNumber(value: real)
            case .reference(let reference): return reference
            }
        } catch let error as ValueRejection where error.code == .outOfRange {
            guard let value, let range = kind.numberRange else { throw error }
            throw Violation.range(attribute, value: value, range: range, object: object)
        } catch {
            throw Violation.type(attribute, value: value, object: object)
        }
    }

    private func members(
        _ value: Any?, relationship: NSRelationshipDescription, object: NSManagedObject
    ) throws -> Set<NSManagedObject> {
        let all: [Any] =
            switch value {
            case nil: []
            case let set as NSOrderedSet: set.array
            case let set as NSSet: set.allObjects
            case let array as [Any]: array
            default: throw Violation.type(relationship, value: value, object: object)
            }
        let members = all.compactMap { $0 as? NSManagedObject }
        guard members.count == all.count, !members.contains(where: { object.refusal(of: $0, relationship) != nil })
        else { throw Violation.type(relationship, value: value, object: object) }
        return Set(members)
    }
}

extension NSManagedObject {
    /// Whether the value of a slot is nil; does not decode it.
    func hasNoValue(_ slot: Int) -> Bool {
        fireFaultIfNeeded()
        if let working, working.isHeld(slot) {
            if case .null = working.value(slot) { return true }
            return false
        }
        guard slot < layout.storedCount, let slab else { return transientDefault(slot) == nil }
        return slab.tag(Int(rowIndex), slot) == RowTag.null
    }

    /// Whether a to-one relationship has a target that is not deleted; makes no fault for the target.
    fileprivate func hasTarget(_ slot: Int) -> Bool {
        fireFaultIfNeeded()
        if let working, working.isHeld(slot) {
            guard case .reference(let target) = working.value(slot) else { return false }
            return (target as? NSManagedObject)?.isDeleted != true
        }
        guard slot < layout.storedCount, let slab, slab.tag(Int(rowIndex), slot) != RowTag.null else { return false }
        guard let context = registry?.context else { return true }
        return context.registeredObject(forReferenceIn: slab, row: Int(rowIndex), slot: slot)?.isDeleted != true
    }
}
