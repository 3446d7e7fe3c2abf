import CoreDataStore

extension NSManagedObject {
    /// Sets properties by key like `setValuesForKeys(_:)`, but throws what that stops for; either all are set or none.
    ///
    /// Every key is looked at before the first is set, so the error names all that cannot be: unknown and read-only keys, values
    /// of another type, numbers beyond the range. Rules of the model are not asked here but by the save. `NSNull` is nil.
    /// - Throws: `ValuesError`.
    public func setValues(_ values: [String: Any?]) throws {
        try setValues(Array(values), unless: requireSettable)
    }

    /// Sets values one after another, unless one of them is refused.
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

/// Why values cannot be set: what is wrong with each of their keys.
///
/// As an `NSError` it has code 1560, and the single errors under `NSDetailedErrorsKey`.
public struct ValuesError: Error, CustomStringConvertible, CustomNSError {
    /// For each bad key an `UnknownKeyError`, or a `ValueRejection` that states the required type or range.
    public let errors: [String: any Error]

    /// What is wrong with each key, in the order of the keys; never a value itself.
    public var description: String {
        let lines = errors.sorted { $0.key < $1.key }.map { "\($0.value)" }
        return lines.joined(separator: " ")
    }

    /// That of Core Data's errors.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// The code of several failures at once.
    public var errorCode: Int { NSValidationMultipleErrorsError }

    /// The description and the single errors.
    public var errorUserInfo: [String: Any] {
        let single = errors.sorted { $0.key < $1.key }.map { $0.value as NSError }
        return [NSLocalizedDescriptionKey: description, NSDetailedErrorsKey: single]
    }
}
