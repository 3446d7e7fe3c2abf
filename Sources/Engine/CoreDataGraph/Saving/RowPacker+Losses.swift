import CoreDataStore

extension RowPacker {
    /// Reports an error if the store will keep only the first digits of a decimal; the save continues.
    func reportLoss(of value: Any, _ attribute: NSAttributeDescription, _ object: NSManagedObject) {
        guard !keepsAllDigits, let decimal = value as? NSDecimalNumber,
            !decimal.decimalValue.isNaN, KeptDecimal.rounded(decimal.decimalValue) != decimal.decimalValue
        else { return }
        let name = "'\(attribute.name)' of entity '\(object.entity.name ?? "")'"
        let error = CoreDataError.make(
            NSCoreDataError,
            "\(name) has more than \(KeptDecimal.digits) significant digits; the store keeps only those.",
            hint: "Round the value before it is saved, or keep it as a string or in a store that keeps all digits.",
            userInfo: [NSAffectedObjectsErrorKey: [object], NSValidationKeyErrorKey: attribute.name])
        object.registry?.context?.report(error, for: object)
    }
}
