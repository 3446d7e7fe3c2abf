import CoreDataStore

/// Validation of an object's properties: by the model's rules, and if these are satisfied, by the class's own rule.
extension NSManagedObject {
    /// Checks a proposed value like Apple's method: here `&value` cannot be converted to that method's pointer.
    ///
    /// - Throws: the error that a save would throw; an error of code 1550, 1650 or 1690 for a value of another type.
    public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
        try withUnsafeMutablePointer(to: &value) {
            try validateValue(AutoreleasingUnsafeMutablePointer($0), forKey: key)
        }
    }

    /// Checks a proposed value of any Swift type like Apple's method; calls an override of that method.
    ///
    /// Stops for a key that the object does not have.
    /// - Throws: the error that a save would throw; an error of code 1550, 1650 or 1690 for a value of another type.
    public func validateValue(_ value: inout Any?, forKey key: String) throws {
        guard layout.validation.isOverridden else { return try checkValue(&value, key) }
        try validateThroughOverride(&value, key)
    }

    func checkValue(at value: AutoreleasingUnsafeMutablePointer<AnyObject?>, _ key: String) throws {
        var proposed: Any? = value.pointee
        try checkValue(&proposed, key)
        if !Self.areSame(proposed, value.pointee) { value.pointee = proposed.map { $0 as AnyObject } }
    }

    /// Implements `validateValue(_:forKey:)`.
    func checkValue(_ value: inout Any?, _ key: String) throws {
        let table = layout.table
        guard let check = PropertyCheck(key: key, entity: layout.entity, places: layout.places, table) else {
            guard layout.places[key] == nil else { return }
            stop(UnknownKeyError(key: key, owner: "the entity \(entity.name ?? "")", knownKeys: codedKeys).description)
        }
        if value is NSNull { value = nil }
        try check.checkProposed(value, for: self)
        guard let rule = check.ownRule else { return }
        var corrected = value
        try rule(self, &corrected)
        guard !Self.areSame(corrected, value) else { return }
        try check.checkProposed(corrected, for: self)
        value = corrected
    }

    private func validateThroughOverride(_ value: inout Any?, _ key: String) throws {
        let proposed = value.map { $0 as AnyObject }
        var object = proposed
        try withUnsafeMutablePointer(to: &object) {
            try validateValue(AutoreleasingUnsafeMutablePointer($0), forKey: key)
        }
        if !Self.areSame(object, proposed) { value = object }
    }

    /// Checks every property, then the entity's rules over several properties.
    func validateAllProperties() throws {
        let plan = layout.validation
        guard !plan.isEmpty || flags.contains(.exceeding) else { return }
        try validate(plan.properties, plan.entityRules)
    }

    /// Checks every property whose value was read, and the numbers of members of others; fires no fault of another
    /// object.
    ///
    /// Unchanged values are checked too: another program or an older model may have stored invalid ones, and Apple's
    /// framework refuses them.
    func validateKnownProperties() throws {
        let plan = layout.validation
        guard !plan.isEmpty || flags.contains(.exceeding) else { return }
        try validate(
            plan.properties.lazy.filter { $0.isOpen(in: self) }, plan.entityRules.lazy.filter { $0.isOpen(in: self) })
    }

    private func validate(_ checks: some Sequence<PropertyCheck>, _ rules: some Sequence<EntityRule>) throws {
        var list = FailureList()
        let exceeding = flags.contains(.exceeding) ? checkNumberRanges(&list) : []
        for check in checks where !exceeding.contains(check.key) {
            if layout.validation.isOverridden, check.isKnown(in: self) {
                list.collect { try runOverride(check.key) }
            } else {
                check.run(on: self, &list)
            }
        }
        for rule in rules where !rule.holds(for: self) { list.add(Violation.of(rule, self)) }
        try list.throwAny()
    }

    /// Calls the class's override with the present value, and sets the value that it returns.
    private func runOverride(_ key: String) throws {
        var value = value(forKey: key)
        let former = value
        try validateThroughOverride(&value, key)
        if !Self.areSame(value, former) { setValue(value, forKey: key) }
    }

    /// Whether a rule left a value unchanged.
    ///
    /// A value that is neither an object nor hashable cannot be compared, and counts as unchanged.
    static func areSame(_ one: Any?, _ other: Any?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        if let one = one as? String, let other = other as? String { return StoredEquality.areEqual(one, other) }
        let (left, right) = (one as AnyObject, other as AnyObject)
        if left === right || (left as? NSObject)?.isEqual(right) == true { return true }
        let isComparable =
            type(of: one) is AnyClass || one is AnyHashable || left is NSDictionary || left is NSArray || left is NSSet
        return !isComparable && type(of: one) == type(of: other)
    }
}
