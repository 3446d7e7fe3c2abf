import CoreData

/// A person with a name, a day of birth and eyes of some colour.
#if canImport(ObjectiveC)
    @objc(AWPerson)
#endif
class AWPerson: NSManagedObject {
    /// First and last name, as far as they are known.
    #if canImport(ObjectiveC)
        @objc
    #endif
    var fullName: String { [firstName, lastName].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ") }

    #if canImport(ObjectiveC)
        @objc
    #endif
    class func keyPathsForValuesAffectingFullName() -> Set<String> { ["firstName", "lastName"] }

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
