import CoreDataStore

extension RowPacker {
    /// The digits of a decimal that a store with columns of numeric affinity keeps.
    static let keptDigits = 15

    /// Reports a decimal of which the store will keep only the first digits; the save goes on.
    func reportLoss(of value: Any, _ attribute: NSAttributeDescription, _ object: NSManagedObject) {
        guard !keepsAllDigits, let decimal = value as? NSDecimalNumber,
            Self.digits(in: decimal.stringValue) > Self.keptDigits
        else { return }
        let name = "'\(attribute.name)' of entity '\(object.entity.name ?? "")'"
        let error = CoreDataError.make(
            NSCoreDataError, "\(name) has more than \(Self.keptDigits) significant digits; the store keeps only those.",
            hint: "Round the value before it is saved, or keep it as a string or in a store that keeps all digits.",
            userInfo: [NSAffectedObjectsErrorKey: [object], NSValidationKeyErrorKey: attribute.name])
        object.registry?.context?.report(error, for: object)
    }

    /// The significant digits of a number in decimal notation.
    static func digits(in text: String) -> Int {
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isWholeNumber).drop { $0 == "0" }
        return digits.count - digits.reversed().prefix { $0 == "0" }.count
    }
}
