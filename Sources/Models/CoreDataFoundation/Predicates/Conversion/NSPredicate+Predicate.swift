extension PredicateFormatting where Self: NSPredicate {
    /// Converts a typed Swift predicate; nil if a part of it cannot be converted.
    ///
    /// The keys of properties come from the type's `KeyPathNaming`, for managed objects from the property table. The
    /// error of `init(converting:)` names the part that cannot be converted.
    public init?<Input>(_ predicate: Predicate<Input>) {
        do { try self.init(converting: predicate) } catch { return nil }
    }

    /// Converts a typed Swift predicate.
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
