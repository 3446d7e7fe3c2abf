import CoreDataGraph

/// Migrates one store that is not open from its model to another one, by the cheapest path.
struct StoreMigration {
    let store: StoreToOpen
    let source: NSManagedObjectModel

    /// - Throws: 134110 to 134190; the store is then unchanged, or has a complete intermediate version, from which the
    ///   next migration continues.
    func run() throws {
        let path = try MigrationPath(
            from: source, to: store.model,
            isInferring: store.options[NSInferMappingModelAutomaticallyOption] as? Bool == true,
            known: KnownVersion.all(for: store).map(\.model),
            mapping: MappingModelFiles(in: store.resources).mappingModel, url: store.url,
            configuration: store.configuration)
        MigrationDebug.log(MigrationDebug.line(path, of: store.url))
        for leg in path.legs { try leg.run(store) }
    }
}
