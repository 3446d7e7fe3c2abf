/// What of Xcode's choices is to be chosen otherwise.
package struct ClassOptions: Hashable, Sendable {
    /// Whether numbers and dates are scalars; nil to do as each attribute says.
    package var usesScalars: Bool?
    /// Whether required attributes have types that are not optional.
    package var unwrapsRequired: Bool
    /// Whether unordered relationships to many are sets of the target's class rather than `NSSet`.
    package var typesSets: Bool
    /// Whether the class's file gets an empty rule for each attribute, to be completed manually.
    package var addsValidation: Bool
    /// Whether the sources have a class for every entity, of the entity's name if it names none, whatever module it names.
    package var ownsEveryClass: Bool

    package init(
        usesScalars: Bool? = nil, unwrapsRequired: Bool = false, typesSets: Bool = false, addsValidation: Bool = false,
        ownsEveryClass: Bool = false
    ) {
        self.usesScalars = usesScalars
        self.unwrapsRequired = unwrapsRequired
        self.typesSets = typesSets
        self.addsValidation = addsValidation
        self.ownsEveryClass = ownsEveryClass
    }

    /// What Xcode does.
    package static let xcode = ClassOptions()
}
