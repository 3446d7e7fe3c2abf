import CoreData

/// Numbers as a store keeps them. What it would change in silence is refused when it is staged.
enum KeptNumber {
    /// - Throws: `InspectionError` of code `badValue` for a number, also an element of a composite, that the store changes or
    ///   drops when it saves.
    static func require(
        _ value: Any?, _ attribute: NSAttributeDescription, in store: NSPersistentStore
    ) throws {
        if let composite = attribute as? NSCompositeAttributeDescription {
            let elements = value as? [String: Any] ?? [:]
            for element in composite.elements { try require(elements[element.name], element, in: store) }
            return
        }
        switch value {
        case let decimal as NSDecimalNumber where !store.capabilities.contains(.exactDecimals):
            guard let kept = changed(decimal) else { return }
            throw InspectionError(
                .badValue, attribute.name,
                "the store keeps \(KeptDecimal.digits) digits of a decimal; \(kept) would be kept")
        case let number as NSNumber
        where number.doubleValue.isNaN && !(number is NSDecimalNumber) && !store.capabilities.contains(.exactReals):
            throw InspectionError(
                .badValue, attribute.name, "the store cannot keep NaN and would save nil", hint: "set it to nil")
        default: return
        }
    }

    /// What would be kept of a decimal where that is another number.
    private static func changed(_ number: NSDecimalNumber) -> Decimal? {
        let decimal = number.decimalValue
        guard !decimal.isNaN else { return nil }
        let kept = KeptDecimal.rounded(decimal)
        return kept == decimal ? nil : kept
    }
}
