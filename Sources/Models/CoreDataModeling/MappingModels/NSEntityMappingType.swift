/// What a mapping makes of an entity's objects.
public enum NSEntityMappingType: UInt, Sendable, CaseIterable {
    /// Nothing is said; treated as `transformEntityMappingType`.
    case undefinedEntityMappingType = 0
    /// A policy of the program makes the objects.
    case customEntityMappingType = 1
    /// The entity is new; the mapping does not make objects itself.
    case addEntityMappingType = 2
    /// The entity is gone, and its objects with it.
    case removeEntityMappingType = 3
    /// The objects are taken over as they are.
    case copyEntityMappingType = 4
    /// The objects are taken over with other properties.
    case transformEntityMappingType = 5

    /// The word of the mapping editor for the type.
    package var word: String {
        switch self {
        case .undefinedEntityMappingType: "undefined"
        case .customEntityMappingType: "custom"
        case .addEntityMappingType: "add"
        case .removeEntityMappingType: "remove"
        case .copyEntityMappingType: "copy"
        case .transformEntityMappingType: "transform"
        }
    }
}
