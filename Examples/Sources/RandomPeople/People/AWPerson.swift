import CoreData

/// A person with a name, a day of birth and eyes of some colour.
#if canImport(ObjectiveC)
    @objc(AWPerson)
#endif
class AWPerson: NSManagedObject {
    #if !canImport(ObjectiveC)
        /// What stands in for the Objective-C runtime: the properties in the order in which the accessors number them.
        static let table = PropertyTable([
            .stored("firstName", \AWPerson.firstName).validated(by: AWPerson.validateFirstName),
            .stored("lastName", \AWPerson.lastName),
            .custom(
                "dateOfBirth", \AWPerson.dateOfBirth, get: { ($0 as? AWPerson)?.dateOfBirth },
                set: { ($0 as? AWPerson)?.dateOfBirth = $1 as? Date }
            ).validated(by: AWPerson.validateDateOfBirth),
            .stored("yearOfBirth", \AWPerson.yearOfBirth),
            .stored("eyeColor", \AWPerson.eyeColor),
            .custom("fullName", \AWPerson.fullName, get: { ($0 as? AWPerson)?.fullName })
                .affected(by: ["firstName", "lastName"]),
        ])

        override class var propertyTable: PropertyTable { table }
    #else
        @objc class func keyPathsForValuesAffectingFullName() -> Set<String> { ["firstName", "lastName"] }
    #endif

    /// First and last name, as far as they are known.
    var fullName: String { [firstName, lastName].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ") }

    /// The colour of the eyes: a transformable attribute, stored as `EyeColorTransformer` says.
    #if canImport(ObjectiveC)
        @objc
    #endif
    var eyeColor: EyeColor? {
        get {
            willAccessValue(forKey: "eyeColor")
            defer { didAccessValue(forKey: "eyeColor") }
            return primitiveValue(forKey: "eyeColor") as? EyeColor
        }
        set {
            willChangeValue(forKey: "eyeColor")
            setPrimitiveValue(newValue, forKey: "eyeColor")
            didChangeValue(forKey: "eyeColor")
        }
    }
}
