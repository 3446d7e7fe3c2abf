/// The names in archives of mapping models, for reading and writing.
///
/// Source: a `.cdm` that Apple's compiler wrote.
enum MappingArchive {
    static let model = "NSMappingModel"
    static let entity = "NSEntityMapping"
    static let property = "NSPropertyMapping"

    enum Key {
        static let entities = "NSEntityMappings"
        static let entitiesByName = "NSEntityMappingsByName"
        static let name = "NSMappingName"
        static let type = "NSMappingType"
        static let sourceName = "NSSourceEntityName"
        static let sourceHash = "NSSourceEntityVersionHash"
        static let destinationName = "NSDestinationEntityName"
        static let destinationHash = "NSDestinationEntityVersionHash"
        static let sourceExpression = "NSSourceExpression"
        static let attributes = "NSAttributeMappings"
        static let relationships = "NSRelationshipMappings"
        static let policy = "NSEntityMigrationPolicyClassName"
        static let userInfo = "NSUserInfo"
        static let property = "NSDestinationPropertyName"
        static let value = "NSValueExpression"
        static let transforms = "NSPropertyTransforms"
    }
}
