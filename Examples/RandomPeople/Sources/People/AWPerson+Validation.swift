import CoreData

/// Rules of the class's own. Core Data asks them when it saves and when `validateValue(_:forKey:)` is called.
extension AWPerson {
    /// Refuses a person without a first name.
    #if canImport(ObjectiveC)
        @objc
    #endif
    func validateFirstName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard (value.pointee as? String ?? "").isEmpty else { return }
        let details: [String: Any] = [
            NSLocalizedDescriptionKey: "You must supply a first name",
            NSValidationObjectErrorKey: self,
            NSValidationKeyErrorKey: "firstName",
        ]
        throw NSError(domain: NSCocoaErrorDomain, code: NSValidationStringTooShortError, userInfo: details)
    }

    /// Corrects a day of birth that is yet to come to the present moment.
    #if canImport(ObjectiveC)
        @objc
    #endif
    func validateDateOfBirth(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        let now = Date()
        if let date = value.pointee as? Date, date > now { value.pointee = now as NSDate }
    }
}
