import CoreDataModeling

/// Checking an object's properties: for each the model's rules, and, where they are kept, the class's own rule.
extension NSManagedObject {
    /// Checks a proposed value of a property by the rules that a save checks it by; sets nothing.
    ///
    /// The model's rules come first, then the class's own rule, which may replace the value that `value` points to.
    /// Not to be overridden: rules of a class's own are part of its property table.
    ///
    /// - Throws: the error that a save would throw; an error of code 1550, 1650 or 1690 for a value of another type.
    public func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        var proposed: Any? = value.pointee
        try validateValue(&proposed, forKey: key)
        if !Self.areSame(proposed, value.pointee) { value.pointee = proposed.map { $0 as AnyObject } }
    }

    /// Checks a proposed value like Apple's method, where `&value` makes the pointer that is not to be had here.
    ///
    /// - Throws: the error that a save would throw; an error of code 1550, 1650 or 1690 for a value of another type.
    public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
        var proposed: Any? = value
        try validateValue(&proposed, forKey: key)
        if !Self.areSame(proposed, value) { value = proposed.map { $0 as AnyObject } }
    }

    /// Checks a proposed value of any Swift type like Apple's method.
    ///
    /// Stops for a key that the object does not have.
    /// - Throws: the error that a save would throw; an error of code 1550, 1650 or 1690 for a value of another type.
    public func validateValue(_ value: inout Any?, forKey key: String) throws {
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

    /// Checks every property, then the rules over several.
    func validateAllProperties() throws {
        let plan = layout.validation
        guard !plan.properties.isEmpty || !plan.entityRules.isEmpty else { return }
        var list = FailureList()
        for check in plan.properties { check.run(on: self, &list) }
        for rule in plan.entityRules where !rule.holds(for: self) { list.add(Violation.of(rule, self)) }
        try list.throwAny()
    }

    /// Checks what was changed since the last save, of a new object everything.
    func validateChangedProperties() throws {
        let plan = layout.validation
        guard !plan.properties.isEmpty || !plan.entityRules.isEmpty else { return }
        var list = FailureList()
        for check in plan.properties where check.isOpen(in: self) { check.run(on: self, &list) }
        for rule in plan.entityRules where rule.isOpen(in: self) && !rule.holds(for: self) {
            list.add(Violation.of(rule, self))
        }
        try list.throwAny()
    }

    /// Whether a rule left a value as it was.
    ///
    /// What is neither an object nor hashable cannot be compared and counts as left alone.
    static func areSame(_ one: Any?, _ other: Any?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        if let one = one as? String, let other = other as? String { return one == other }
        let (left, right) = (one as AnyObject, other as AnyObject)
        if left === right || (left as? NSObject)?.isEqual(right) == true { return true }
        let isComparable =
            type(of: one) is AnyClass || one is AnyHashable || left is NSDictionary || left is NSArray || left is NSSet
        return !isComparable && type(of: one) == type(of: other)
    }
}
