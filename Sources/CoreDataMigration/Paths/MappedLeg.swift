import CoreDataGraph

/// A step that a mapping model describes: a new store is made beside the old one and put in its place.
struct MappedLeg {
    let leg: MigrationLeg
    let mapping: NSMappingModel

    func run(_ store: StoreToOpen) throws {
        throw MigrationErrors.noMappingModel(store.url)
    }
}
