import CoreData

/// The rules that the model cannot say.
extension Hero {
    /// The domain of the errors of these rules.
    static let ruleDomain = "com.oz-apps.SuperDB.HeroValidationDomain"

    /// Refuses a day of birth that is yet to come.
    #if canImport(ObjectiveC)
        @objc
    #endif
    func validateBirthDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let date = value.pointee as? Date, date > HeroClock.now else { return }
        throw failure(1000, "Birthdate cannot be in the future", key: "birthDate")
    }

    /// Refuses a hero of whom neither the name nor the identity is known.
    func requireNameOrIdentity() throws {
        let texts = ["name", "secretIdentity"].compactMap { primitiveValue(forKey: $0) as? String }
        guard texts.allSatisfy(\.isEmpty) else { return }
        throw failure(1001, "Must provide name or secret identity.", key: nil)
    }

    private func failure(_ code: Int, _ reason: String, key: String?) -> NSError {
        var details: [String: Any] = [
            NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason,
            NSValidationObjectErrorKey: self,
        ]
        details[NSValidationKeyErrorKey] = key
        return NSError(domain: Self.ruleDomain, code: code, userInfo: details)
    }
}
