/// Options of generated classes; the defaults are Xcode's choices.
package struct ClassOptions: Hashable, Sendable {
    /// Whether numbers and dates are scalars; nil to use each attribute's setting.
    package var usesScalars: Bool?
    /// Whether required attributes have types that are not optional.
    package var unwrapsRequired: Bool
    /// Whether unordered to-many relationships are sets of the destination's class rather than `NSSet`.
    package var typesSets: Bool
    /// Whether the class's file gets an empty validation method for each attribute, for the author to complete.
    package var addsValidation: Bool
    /// Whether every entity has a class in the sources, of the entity's name if it names none, and without the module's
    /// name.
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

    /// Xcode's choices.
    package static let xcode = ClassOptions()
}
