extension PredicateFormatting where Self: NSPredicate {
    /// A predicate of a typed Swift predicate; nil if a part of it cannot be converted.
    ///
    /// Properties get their keys from the type's `KeyPathNaming`: for managed objects that is the property table.
    /// The error of `init(converting:)` names that part.
    public init?<Input>(_ predicate: Predicate<Input>) {
        do { try self.init(converting: predicate) } catch { return nil }
    }

    /// A predicate of a typed Swift predicate.
    ///
    /// - Throws: `PredicateConversionError` with the part that cannot be converted.
    public init<Input>(converting predicate: Predicate<Input>) throws {
        var conversion = PredicateConversion(input: predicate.variable.key)
        let converted = try conversion.predicate(predicate.expression)
        guard let same = converted as? Self else {
            throw PredicateConversionError(part: "the whole", reason: "it is no \(Self.self)")
        }
        self = same
    }
}
