import CoreData

/// Refuses numbers that a store would change without an error, before they are set.
package enum KeptNumber {
    /// Which of the numbers that a store would change are refused.
    package enum Demand: Sendable {
        /// No number is refused; a save reports a decimal that it shortens, but not a NaN that it saves as nil.
        case none
        /// NaN in a Double or Float, which would be saved as nil.
        case reals
        /// Also a Decimal with more digits than the store can store.
        case allDigits
    }

    /// - Throws: `InspectionError` of code `badValue` for a refused number, or a refused element of a composite.
    package static func require(
        _ demand: Demand, of value: Any?, _ attribute: NSAttributeDescription, in store: NSPersistentStore
    ) throws {
        guard demand != .none else { return }
        try forEachElement(of: value, attribute) { value, attribute in
            if demand == .allDigits { try requireDecimal(value, attribute, in: store) }
            try requireNumber(value, attribute, in: store)
        }
    }

    private static func forEachElement(
        of value: Any?, _ attribute: NSAttributeDescription, _ body: (Any?, NSAttributeDescription) throws -> Void
    ) rethrows {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return try body(value, attribute) }
        let elements = value as? [String: Any] ?? [:]
        for element in composite.elements { try forEachElement(of: elements[element.name], element, body) }
    }

    private static func requireDecimal(
        _ value: Any?, _ attribute: NSAttributeDescription, in store: NSPersistentStore
    ) throws {
        guard let decimal = value as? NSDecimalNumber, !store.capabilities.contains(.exactDecimals),
            let kept = changed(decimal)
        else { return }
        throw InspectionError(
            .badValue, subject: attribute.name,
            cause: "the store keeps \(KeptDecimal.digits) digits of a decimal; \(kept) would be kept")
    }

    private static func requireNumber(
        _ value: Any?, _ attribute: NSAttributeDescription, in store: NSPersistentStore
    ) throws {
        guard let number = value as? NSNumber, !(number is NSDecimalNumber), number.doubleValue.isNaN,
            !store.capabilities.contains(.exactReals)
        else { return }
        throw InspectionError(
            .badValue, subject: attribute.name, cause: "the store cannot keep NaN and would save nil",
            hint: "set it to nil")
    }

    /// The number that would be stored for a decimal; nil if it is the same number.
    private static func changed(_ number: NSDecimalNumber) -> Decimal? {
        let decimal = number.decimalValue
        guard !decimal.isNaN else { return nil }
        let kept = KeptDecimal.rounded(decimal)
        return kept == decimal ? nil : kept
    }
}
