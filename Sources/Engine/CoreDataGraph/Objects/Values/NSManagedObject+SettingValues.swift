import CoreDataStore

extension NSManagedObject {
    /// Sets properties by key like `setValuesForKeys(_:)`, but throws where that method stops; either all are set or
    /// none.
    ///
    /// Every value is checked before the first is set, so the error names all invalid keys: unknown and read-only keys,
    /// values of another type, numbers outside the range. The model's validation rules are not checked here but by the
    /// save. `NSNull` means nil.
    /// - Throws: `ValuesError`.
    public func setValues(_ values: [String: Any?]) throws {
        try setValues(Array(values), unless: requireSettable)
    }

    /// Sets values one after another, or none of them if `refuse` throws for one.
    func setValues(_ values: [(key: String, value: Any?)], unless refuse: (Any?, String) throws -> Void) throws {
        let values = values.map { (key: $0.key, value: $0.value is NSNull ? nil : $0.value) }
        var errors: [String: any Error] = [:]
        for (key, value) in values {
            do { try refuse(value, key) } catch { errors[key] = error }
        }
        guard errors.isEmpty else { throw ValuesError(errors: errors) }
        for (key, value) in values { setValue(value, forKey: key) }
    }
}

/// Why values cannot be set: an error for each invalid key.
///
/// As an `NSError` it has code 1560, and the single errors under `NSDetailedErrorsKey`.
public struct ValuesError: Error, CustomStringConvertible, CustomNSError {
    /// For each invalid key an `UnknownKeyError`, or a `ValueRejection` that states the required type or range.
    public let errors: [String: any Error]

    /// What is wrong with each key, sorted by key; contains no values.
    public var description: String {
        let lines = errors.sorted { $0.key < $1.key }.map { "\($0.value)" }
        return lines.joined(separator: " ")
    }

    /// The domain of Core Data's errors.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// The code of multiple validation errors (1560).
    public var errorCode: Int { NSValidationMultipleErrorsError }

    /// The description, and the single errors sorted by key.
    public var errorUserInfo: [String: Any] {
        let single = errors.sorted { $0.key < $1.key }.map { $0.value as NSError }
        return [NSLocalizedDescriptionKey: description, NSDetailedErrorsKey: single]
    }
}
