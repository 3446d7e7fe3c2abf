/// How a mapping migrates the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable, CaseIterable {
    /// Not specified; treated as `transformEntityMappingType`.
    case undefinedEntityMappingType = 0
    /// A policy of the program makes the objects.
    case customEntityMappingType = 1
    /// The entity is new; the mapping does not make objects itself.
    case addEntityMappingType = 2
    /// The entity was removed; its objects are not migrated.
    case removeEntityMappingType = 3
    /// The objects are copied, since the entity is unchanged.
    case copyEntityMappingType = 4
    /// The objects are copied with changed properties.
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
